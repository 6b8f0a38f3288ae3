import { readFile } from 'node:fs/promises';
import { workerData } from 'node:worker_threads';
import { Tensor } from 'onnxruntime-node';
import type { Classification, Utterance } from '../../domain/extraction/statement-classifier.ts';
import type { UpdateLikelihood, UpdatePair } from '../../domain/memories/update-classifier.ts';
import { serveModel, type LoadedModel } from '../onnx-thread/serve-model.ts';
import type { ThreadStart } from '../onnx-thread/model-thread.ts';
import {
  confidenceOf,
  updateConfidenceOf,
  type ConfidenceCoefficients,
  type UpdateCoefficients,
} from './confidence.ts';
import { languageOf, type Language } from '../../domain/language/sentence-language.ts';
import { logit, sigmoid } from '../../domain/memories/log-odds.ts';
import { bestScoringSpan } from './best-scoring-span.ts';
import type { ClassifierContract, ClassifierInput, ClassifierResult, ClassifierSettings } from './messages.ts';
import {
  pairInEnglish,
  requestInput,
  statementInput,
  textInEnglish,
  updateInput,
  utteranceInEnglish,
  type ModelInput,
} from './model-inputs.ts';

const { settings } = workerData as ThreadStart<ClassifierSettings>;
const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));
const coefficients = (await readJson(settings.confidence)) as ConfidenceCoefficients;
const updateCoefficients = (await readJson(settings.updateConfidence)) as UpdateCoefficients;

/** `isUpdate`: the model has layers of its own for pairs of an older memory and a later statement. */
const feedsOf = ({ ids, segments }: ModelInput, { isUpdate = false } = {}) => ({
  input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
  segments: new Tensor('int64', BigInt64Array.from(segments, BigInt), [1, segments.length]),
  is_update: new Tensor('bool', [isUpdate], []),
});

// One text a run, as the embedder does: in a batch, the 8-bit scale of one would depend on its neighbours.
async function classify(model: LoadedModel, utterance: Utterance): Promise<Classification> {
  const count = utterance.text.split(/\s+/u).filter(Boolean).length;
  const input = statementInput(model.tokenizer, utterance);
  const { labels: asSaid, span } = await model.run(feedsOf(input), ['labels', 'span']);
  const inEnglish = await labelsInEnglish(model, utterance);
  const labels = inEnglish ? meanProbabilities(asSaid!, inEnglish) : asSaid!;
  // In the order of `STATEMENT_LABELS` in scripts/train/encoder.py; of those left out two say whether it confirms or denies.
  const [fact, preference, instruction, emotion, event, borrowed, , , , worth] = labels;
  const [, , , , , , , , dependent] = asSaid!; // whether it can stand alone is a matter of its own words
  const kinds = {
    fact: fact!,
    preference: preference!,
    instruction: instruction!,
    emotion: emotion!,
    event: event!,
  };
  return {
    worth: confidenceOf(coefficients, {
      worth: worth!,
      kinds: Object.values(kinds),
      borrowed: borrowed!,
      words: count,
    }),
    kinds,
    quoted: borrowed!,
    dependent: dependent!,
    span: bestScoringSpan(span!.subarray(1), input.words, count),
  };
}

/** Of Spanish the model learnt the most: it is right as often without. */
const languagesReadTwice: ReadonlySet<Language> = new Set(['de', 'fr']);

/**
 * The labels of a German or French utterance with its words in English. The model learnt from both readings, and their mean
 * is right more often than either (docs/experiments.md).
 */
async function labelsInEnglish(model: LoadedModel, utterance: Utterance): Promise<Float32Array | undefined> {
  if (!languagesReadTwice.has(languageOf(utterance.text))) return undefined;
  const english = utteranceInEnglish(utterance);
  const { labels } = await model.run(feedsOf(statementInput(model.tokenizer, english)), ['labels']);
  return labels;
}

/** The mean of the log-odds, as probabilities. */
const meanProbabilities = (one: Float32Array, other: Float32Array): Float32Array =>
  one.map((probability, n) => sigmoid((logit(probability) + logit(other[n]!)) / 2));

async function judge(model: LoadedModel, request: string, text: string): Promise<number> {
  const input = requestInput(model.tokenizer, textInEnglish(request), textInEnglish(text));
  const { need } = await model.run(feedsOf(input), ['need']);
  return need![0]!;
}

async function compare(model: LoadedModel, pair: UpdatePair): Promise<UpdateLikelihood> {
  const english = pairInEnglish(pair);
  const feeds = feedsOf(updateInput(model.tokenizer, english), { isUpdate: true });
  const { update, part } = await model.run(feeds, ['update', 'part']);
  // In the order of `PAIR_LABELS` in scripts/train/corpus.py.
  const [replaces, ends] = update as unknown as number[];
  return { update: updateConfidenceOf(updateCoefficients, replaces! + ends!, english), whole: 1 - part![0]! };
}

async function work(model: LoadedModel, input: ClassifierInput): Promise<ClassifierResult> {
  if (input.kind === 'statements') return oneByOne(input.utterances, (utterance) => classify(model, utterance));
  if (input.kind === 'updates') return oneByOne(input.pairs, (pair) => compare(model, pair));
  return oneByOne(input.texts, (text) => judge(model, input.request, text));
}

async function oneByOne<Given, Found>(all: readonly Given[], find: (one: Given) => Promise<Found>): Promise<Found[]> {
  const found: Found[] = [];
  for (const one of all) found.push(await find(one));
  return found;
}

await serveModel<ClassifierContract>((files) => files, work);
