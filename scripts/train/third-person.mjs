// Reads `[[words, speaker], ...]` as JSON and writes the words as the service keeps them of somebody among several:
// "I moved to York" of Ada is "Ada moved to York". It runs the service's own code, so build it first.
import { json } from 'node:stream/consumers';
import { toThirdPerson } from '../../dist/domain/extraction/third-person.js';

const said = await json(process.stdin);
process.stdout.write(JSON.stringify(said.map(([words, speaker]) => toThirdPerson(words, speaker))));
