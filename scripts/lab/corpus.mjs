// What the product would hold after ingesting a chat, in memory: its extraction, its index texts, its vectors.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { openOnnxEmbedder } from '../../dist/adapters/onnx-embedder/onnx-embedder.js';
import { statementKey } from '../../dist/domain/extraction/content-key.js';
import { extract } from '../../dist/domain/extraction/extract.js';
import { normalise, sketchOf } from '../../dist/domain/language/sketch.js';
import { countStems, stemsOf } from '../../dist/domain/language/stems.js';
import { documentVector, indexedText, recipe } from '../../dist/domain/language/vector-recipe.js';

/** @returns the chat with `memories`, and the counts a scope keeps: df of each stem, average length, memories by turn */
export function ingest(chat) {
  const memories = [];
  const known = new Map();
  for (const session of chat.sessions) {
    const passages = new Map();
    for (const found of candidatesOf(session)) {
      const cites = found.turns.map((turn) => `${session.name}/${turn}`);
      const key = statementKey(found, session.turns[found.turns[0]].at);
      if (known.has(key)) known.get(key).cites.push(...cites);
      if (known.has(key)) continue;
      const [turn] = found.turns;
      const passage = passages.get(turn) ?? 0;
      if (found.type === 'episodes') passages.set(turn, passage + 1);
      const { role, name: speaker, at } = session.turns[turn];
      const { type, category, content: text, confidence } = found;
      const indexed = indexedText(text, speaker);
      const memory = { documentId: session.name, turn, passage, role, speaker, type, category, text, at, confidence };
      memories.push({ ...memory, entityHop: false, cites, indexed });
      known.set(key, memories.at(-1));
    }
  }
  return { ...chat, memories };
}

function candidatesOf(session) {
  const turns = session.turns.map(({ role, name, content, at }, place) => ({
    index: place,
    role,
    ...(name && { name }),
    content,
    at,
  }));
  return extract(turns, { mode: 'fast', documentType: 'conversation', threshold: 0.7 }).candidates;
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
    memory.parts = { sketch: sketchOf(hashed(memory.counts)), meaning: meaningOf(memory.indexed) };
    total += stems.length;
    for (const stem of memory.counts.keys()) documentFrequency.set(stem, (documentFrequency.get(stem) ?? 0) + 1);
    const turn = `${memory.documentId}/${memory.turn}`;
    byTurn.set(turn, [...(byTurn.get(turn) ?? []), at]);
  }
  for (const memory of chat.memories) {
    const beside = mix ? [besideOf(chat.memories, byTurn, memory, -1), besideOf(chat.memories, byTurn, memory, 1)] : [];
    const neighbours = beside.flatMap((other) => other?.parts ?? []);
    memory.vector = documentVector(memory.parts.sketch, memory.parts.meaning, memory.role, neighbours);
    // As the database does: the parts of the stored vector, brought to length 1.
    memory.sketchPart = normalise(memory.vector.slice(0, recipe.sketchDimensions));
    memory.meaningPart = normalise(memory.vector.slice(recipe.sketchDimensions));
  }
  return { ...chat, documentFrequency, byTurn, averageLength: total / chat.memories.length };
}

/** The passage that touches the memory's turn: the last of the turn before, the first of the turn after. */
function besideOf(memories, byTurn, { documentId, turn }, step) {
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
  const missing = [...new Set(texts)].filter((text) => !vectors.has(keyOf(text)));
  if (missing.length) {
    const embedder = await openOnnxEmbedder({ threads: 2 });
    for (let at = 0; at < missing.length; at += 256) {
      const some = missing.slice(at, at + 256);
      for (const [n, vector] of (await embedder.embed(some)).entries()) vectors.set(keyOf(some[n]), vector);
      process.stderr.write(`\rembedded ${Math.min(at + 256, missing.length)} of ${missing.length}`);
    }
    await embedder.close();
    const records = [...vectors].map(([key, vector]) =>
      Buffer.concat([Buffer.from(key, 'hex'), Buffer.from(new Uint8Array(Float32Array.from(vector).buffer))]),
    );
    writeFileSync(cache, Buffer.concat(records));
  }
  return (text) => vectors.get(keyOf(text));
}

const KEY_BYTES = 20;
const keyOf = (text) => createHash('sha1').update(text).digest('hex');

function readCache(cache) {
  const vectors = new Map();
  if (!existsSync(cache)) return vectors;
  const bytes = readFileSync(cache);
  const record = KEY_BYTES + 4 * recipe.meaningDimensions;
  for (let at = 0; at + record <= bytes.length; at += record) {
    const vector = new Float32Array(new Uint8Array(bytes.subarray(at + KEY_BYTES, at + record)).buffer);
    vectors.set(bytes.toString('hex', at, at + KEY_BYTES), vector);
  }
  return vectors;
}
