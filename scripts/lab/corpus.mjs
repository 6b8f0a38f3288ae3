// What the product would hold after ingesting a chat, in memory: its extraction, its index texts, its vectors.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { OnnxClassifier } from '../../dist/adapters/onnx-classifier/onnx-classifier.js';
import { embeddingDimensions } from '../../dist/adapters/onnx-embedder/messages.js';
import { openOnnxEmbedder } from '../../dist/adapters/onnx-embedder/onnx-embedder.js';
import { statementKey } from '../../dist/domain/extraction/content-key.js';
import { draftDocument } from '../../dist/domain/extraction/draft-document.js';
import { classifyDraft, finishExtraction } from '../../dist/domain/extraction/extract.js';
import { quotedTurnOf } from '../../dist/domain/ingestion/draft-memories.js';
import { termSketchOf, documentVector, indexedText } from '../../dist/domain/vectors/vector-recipe.js';
import { countStems, stemsOf } from '../../dist/domain/language/stems.js';
import { attributeTimelines } from '../../dist/domain/memories/attribute-timeline.js';

/** @returns the chat with `memories`: each with what is indexed of it and the turns it cites, home first */
export async function ingest(chat) {
  const known = new Map();
  for (const session of chat.sessions) for (const memory of await memoriesOf(session)) remember(known, memory);
  return { ...chat, memories: standing([...known.values()]) };
}

const classifier = new OnnxClassifier();

/** To be called at the end: the process does not end before. */
export const closeModels = () => classifier.close();

/** What one document says. */
async function memoriesOf(session) {
  const turns = session.turns.map((turn, place) => ({ ...turn, index: place }));
  const draft = draftDocument(turns, { documentType: session.documentType ?? 'ai-chat-conversation' });
  const how = { mode: 'long-range', threshold: 0.7 };
  const { candidates } = finishExtraction(draft, await classifyDraft(draft, classifier), turns, how);
  const passages = new Map();
  return candidates.map((candidate) => {
    const { type, category, content: text, confidence } = candidate;
    const { index: turn, role, name: speaker, at } = quotedTurnOf(candidate, turns);
    const passage = type === 'episodes' ? (passages.get(turn) ?? 0) : 0;
    if (type === 'episodes') passages.set(turn, passage + 1);
    const cites = [turn, ...candidate.turns.filter((cited) => cited !== turn)].map(
      (cited) => `${session.name}/${cited}`,
    );
    const indexed = indexedText(text, speaker);
    const memory = { documentId: session.name, turn, passage, role, speaker, type, category, text, at, confidence };
    const said = [{ at, documentId: session.name, turn }];
    const attribute = attributeOf(candidate, candidates);
    return { ...memory, cites, indexed, key: statementKey(candidate, at), said, attribute };
  });
}

/** The same content twice is one memory that cites both. */
function remember(known, memory) {
  const same = known.get(memory.key);
  if (!same) known.set(memory.key, memory);
  same?.cites.push(...memory.cites);
  same?.said.push(...memory.said);
}

/** A passage that says nothing but one statement goes with it. */
function attributeOf(candidate, all) {
  if (!candidate.statesOnly) return candidate.attribute;
  const stated = all.filter(({ attribute, quote, turns }) => {
    return attribute && turns.includes(candidate.turns[0]) && candidate.content.includes(quote);
  });
  return stated.length === 1 ? stated[0].attribute : undefined;
}

/** Those that a later statement did not supersede. */
function standing(memories) {
  const statements = memories.flatMap(({ attribute, said, type }, n) =>
    attribute
      ? {
          id: String(n),
          attributeKey: `${attribute.subject}/${attribute.name}`,
          value: attribute.value,
          sense: attribute.sense,
          until: attribute.until,
          said,
          isPassage: type === 'episodes',
        }
      : [],
  );
  const tenures = attributeTimelines(statements);
  return memories.filter((_, n) => !tenures.get(String(n))?.supersededBy);
}

/** Adds words, vectors and counts; `meaningOf` gives the unit vector of a text. */
export function index(chat, meaningOf, { mix = false } = {}) {
  const documentFrequency = new Map();
  const byTurn = new Map();
  let total = 0;
  for (const [at, memory] of chat.memories.entries()) {
    const stems = stemsOf(memory.indexed);
    memory.counts = countStems(stems);
    memory.length = stems.length;
    memory.parts = { sketch: termSketchOf(hashed(memory.counts)), meaning: meaningOf(memory.indexed) };
    total += stems.length;
    for (const stem of memory.counts.keys()) documentFrequency.set(stem, (documentFrequency.get(stem) ?? 0) + 1);
    const turn = `${memory.documentId}/${memory.turn}`;
    byTurn.set(turn, [...(byTurn.get(turn) ?? []), at]);
  }
  for (const memory of chat.memories) {
    const beside = mix ? [otherOf(chat.memories, byTurn, memory, -1), otherOf(chat.memories, byTurn, memory, 1)] : [];
    const neighbours = beside.flatMap((other) => other?.parts ?? []);
    memory.vector = documentVector(memory.parts.sketch, memory.parts.meaning, memory.role, neighbours);
  }
  return { ...chat, documentFrequency, byTurn, averageLength: total / chat.memories.length };
}

/** The passage that touches the memory's turn: the last of the turn before, the first of the turn after. */
function otherOf(memories, byTurn, { documentId, turn }, step) {
  const passages = (byTurn.get(`${documentId}/${turn + step}`) ?? []).filter((at) => memories[at].type === 'episodes');
  return memories[passages.at(step < 0 ? -1 : 0)];
}

const hashes = new Map();

/** Counts under hashes, as an instance's key would make them. */
export function hashed(counts) {
  return new Map([...counts].map(([stem, count]) => [hashOf(stem), count]));
}

export function hashOf(stem) {
  if (!hashes.has(stem)) hashes.set(stem, createHash('sha256').update(stem).digest().readBigUInt64BE() >> 1n);
  return hashes.get(stem);
}

/** Meaning vectors of all texts, made once: `cache` is a file of (sha-1, 384 float32) records. */
export async function embedAll(texts, cache) {
  const vectors = readCache(cache);
  const missing = [...new Set(texts)].filter((text) => !vectors.has(digestOf(text)));
  if (missing.length) {
    const embedder = await openOnnxEmbedder();
    for (let at = 0; at < missing.length; at += 256) {
      const some = missing.slice(at, at + 256);
      for (const [n, vector] of (await embedder.embed(some)).entries()) vectors.set(digestOf(some[n]), vector);
      process.stderr.write(`\rembedded ${Math.min(at + 256, missing.length)} of ${missing.length}`);
    }
    await embedder.close();
    const records = [...vectors].map(([key, vector]) =>
      Buffer.concat([Buffer.from(key, 'hex'), Buffer.from(new Uint8Array(Float32Array.from(vector).buffer))]),
    );
    writeFileSync(cache, Buffer.concat(records));
  }
  return (text) => vectors.get(digestOf(text));
}

const keyBytes = 20;
const digestOf = (text) => createHash('sha1').update(text).digest('hex');

function readCache(cache) {
  const vectors = new Map();
  if (!existsSync(cache)) return vectors;
  const bytes = readFileSync(cache);
  const record = keyBytes + 4 * embeddingDimensions;
  for (let at = 0; at + record <= bytes.length; at += record) {
    const vector = new Float32Array(new Uint8Array(bytes.subarray(at + keyBytes, at + record)).buffer);
    vectors.set(bytes.toString('hex', at, at + keyBytes), vector);
  }
  return vectors;
}
