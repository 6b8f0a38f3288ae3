// Plays the smoke test in a runtime of the command line, whatever it is, and prints what came out as JSON.
import * as client from '../../dist/index.js';
import { smoke } from './smoke.mjs';

const { PRESAGE_URL: url, PRESAGE_KEY: key } = process.env;
console.log(JSON.stringify(await smoke(client, { url, key })));
