import { Tensor } from 'onnxruntime-node';
import { translateWords } from '../word-translation/translate-words.ts';
import { modelFilesIn, serveModel, type LoadedModel } from '../onnx-thread/serve-model.ts';
import { embeddingDimensions, type EmbedderContract, type Vectors } from './messages.ts';

/** The model was trained on this many tokens; the two marks at the ends are among them. */
const windowTokens = 256;
const endOfText = 102;

function tokensOf({ tokenizer }: LoadedModel, text: string): BigInt64Array {
  const { ids } = tokenizer.encode(translateWords(text));
  const kept = ids.length > windowTokens ? [...ids.slice(0, windowTokens - 1), endOfText] : ids;
  return BigInt64Array.from(kept, BigInt);
}

// One text a run: the model scales its 8-bit activations over the whole input, so in a batch a text's vector would
// depend on its neighbours (cosine 0.99 instead of 1), and on one thread a batch is no faster.
async function embed(model: LoadedModel, text: string): Promise<Float32Array> {
  const tokens = tokensOf(model, text);
  const feeds = { input_ids: new Tensor('int64', tokens, [1, tokens.length]) };
  const { sentence_embedding: vector } = await model.run(feeds, ['sentence_embedding']);
  return vector!;
}

async function embedAll(model: LoadedModel, texts: readonly string[]): Promise<Vectors> {
  const vectors = new Float32Array(texts.length * embeddingDimensions);
  for (const [row, text] of texts.entries()) vectors.set(await embed(model, text), row * embeddingDimensions);
  return vectors;
}

await serveModel<EmbedderContract>(
  ({ modelFolder }) => modelFilesIn(modelFolder),
  embedAll,
  (vectors) => [vectors.buffer],
);
