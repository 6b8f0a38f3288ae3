import { parentPort, workerData } from 'node:worker_threads';
import { generate } from '../../domain/generation/generate.ts';

parentPort?.postMessage(generate(workerData as string));
