import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, type Tensor } from 'onnxruntime-node';
import type { Answer, ModelContract, Request, ThreadStart } from './model-thread.ts';
import { lowerThreadPriority } from '../thread-priority.ts';
import { NativeGate } from './native-gate.ts';

type Feeds = Readonly<Record<string, Tensor>>;

/** A model as its thread holds it. */
export interface LoadedModel {
  readonly tokenizer: Tokenizer;
  /** The outputs of one run. Throws when the process is ending. */
  readonly run: (feeds: Feeds, outputs: readonly string[]) => Promise<Record<string, Float32Array>>;
}

/** The paths of a model's files. */
export interface ModelFiles {
  readonly model: string;
  readonly tokenizer: string;
}

/**
 * The worker's side of a `ModelThread`: loads the model, then answers call after call with what `work` makes of it,
 * until it is told to stop. `transfer`: buffers of a result that need not be copied.
 */
export async function serveModel<Contract extends ModelContract>(
  filesOf: (settings: Contract['settings']) => ModelFiles,
  work: (model: LoadedModel, input: Contract['input']) => Promise<Contract['result']>,
  transfer: (result: Contract['result']) => ArrayBuffer[] = () => [],
): Promise<void> {
  if (!parentPort) throw new Error('a model is served in a worker thread only');
  const port = parentPort;
  lowerThreadPriority('model');
  const start = workerData as ThreadStart<Contract['settings']>;
  const gate = new NativeGate(start.gate);
  const files = filesOf(start.settings);
  const tokenizer = new Tokenizer(JSON.parse(await readFile(files.tokenizer, 'utf8')) as object, {});
  const session = await gate.pass(() =>
    InferenceSession.create(files.model, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
      graphOptimizationLevel: 'disabled', // the artifact is optimised already, see scripts/onnx_graph.py
    }),
  );
  const run: LoadedModel['run'] = async (feeds, outputs) => {
    const found = await gate.pass(() => session.run(feeds, [...outputs]));
    return Object.fromEntries(
      outputs.map((name) => {
        const data = found[name]?.data;
        if (!(data instanceof Float32Array)) throw new Error(`the model has no output ${name}`);
        return [name, data];
      }),
    );
  };
  const answer = (message: Answer<Contract['result']>): void => {
    port.postMessage(message, message.kind === 'done' ? transfer(message.result) : []);
  };
  // One call after the other: what one waits for must not be answered to another.
  let turn = Promise.resolve();
  const take = async (request: Request<Contract['input']>): Promise<void> => {
    if (request.kind === 'stop') {
      await session.release();
      port.close();
      return;
    }
    try {
      answer({ kind: 'done', result: await work({ tokenizer, run }, request.input) });
    } catch (error) {
      answer({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
    }
  };
  port.on('message', (request: Request<Contract['input']>) => {
    turn = turn.then(() => take(request));
  });
  answer({ kind: 'ready' });
}

/** The files of a folder as the scripts under `scripts/` write them. */
export const modelFilesIn = (folder: string): ModelFiles => ({
  model: join(folder, 'model.int8.onnx'),
  tokenizer: join(folder, 'tokenizer.json'),
});
