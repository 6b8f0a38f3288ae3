import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { dimensions, type FromWorker, type ToWorker, type WorkerStart } from './messages.ts';
import { NativeGate } from './native-gate.ts';

/** The model was trained on this many tokens; the two marks at the ends are among them. */
const windowTokens = 256;
const endOfText = 102;

if (!parentPort) throw new Error('embedding-worker runs as a worker thread only');
const port = parentPort;
const start = workerData as WorkerStart;
const gate = new NativeGate(start.gate);

const tokenizer = new Tokenizer(
  JSON.parse(await readFile(join(start.modelFolder, 'tokenizer.json'), 'utf8')) as object,
  {},
);
const session = await gate.pass(() =>
  InferenceSession.create(join(start.modelFolder, 'model.int8.onnx'), {
    intraOpNumThreads: start.threads,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
    graphOptimizationLevel: 'disabled', // the artifact is optimised already, see scripts/export-embedder.py
  }),
);

function tokensOf(text: string): BigInt64Array {
  const { ids } = tokenizer.encode(text);
  const kept = ids.length > windowTokens ? [...ids.slice(0, windowTokens - 1), endOfText] : ids;
  return BigInt64Array.from(kept, BigInt);
}

// One text a run: the model scales its 8-bit activations over the whole input, so in a batch a text's vector would
// depend on its neighbours (cosine 0.99 instead of 1), and on one thread a batch is no faster.
async function embed(text: string): Promise<Float32Array> {
  const tokens = tokensOf(text);
  const feeds = { input_ids: new Tensor('int64', tokens, [1, tokens.length]) };
  const { sentence_embedding: vector } = await gate.pass(() => session.run(feeds, ['sentence_embedding']));
  if (!(vector?.data instanceof Float32Array)) throw new Error('the model has no output sentence_embedding');
  return vector.data;
}

async function embedAll(texts: readonly string[]): Promise<Float32Array<ArrayBuffer>> {
  const vectors = new Float32Array(texts.length * dimensions);
  for (const [row, text] of texts.entries()) vectors.set(await embed(text), row * dimensions);
  return vectors;
}

function answer(message: FromWorker): void {
  port.postMessage(message, message.kind === 'embedded' ? [message.vectors.buffer] : []);
}

async function onMessage(message: ToWorker): Promise<void> {
  if (message.kind === 'stop') {
    await session.release();
    port.close();
    return;
  }
  try {
    answer({ kind: 'embedded', vectors: await embedAll(message.texts) });
  } catch (error) {
    answer({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
  }
}

port.on('message', (message: ToWorker) => void onMessage(message));
answer({ kind: 'ready' });
