import { parentPort, workerData } from 'node:worker_threads';
import { extract } from '../../domain/extraction/extract.ts';
import type { Reading } from './extract-aside.ts';

const { turns, options } = workerData as Reading;
parentPort?.postMessage(extract(turns, options), []);
