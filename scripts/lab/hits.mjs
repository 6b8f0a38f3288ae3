// What the rules find in the development data, whatever their confidence, and what its labels say of the same turn.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentOf } from '../../dist/domain/extraction/echoes.js';
import { extract } from '../../dist/domain/extraction/extract.js';
import { loadAll } from './data.mjs';
import { keyOf } from './judge.mjs';

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const readLines = (path) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** @returns hits: {rule, type, content, place, key, isLabelled: what it says is a label's; undefined where none is} */
export function hitsIn(folder) {
  const labels = labelsIn(folder);
  return documentsIn(folder).flatMap(({ place, turns }) =>
    extract(turns, { mode: 'fast', documentType: 'ai-chat-conversation', threshold: 0 })
      .candidates.filter(({ rule }) => rule)
      .map(({ rule, type, content, turns: [turn] }) => {
        const hit = { rule, type, content, place: place(turn) };
        const said = labels.get(hit.place);
        return { ...hit, key: keyOf(hit), isLabelled: said?.some((label) => saysSame(content, label)) };
      }),
  );
}

function documentsIn(folder) {
  const chats = loadAll(folder).flatMap((chat) =>
    chat.sessions.map(({ name, turns }) => ({
      place: (turn) => `${chat.name}/${name}/${turn}`,
      turns: turns.map((turn, index) => ({ ...turn, index })),
    })),
  );
  const texts = readLines(join(folder, 'extraction-dev/memory_extraction/dataset.jsonl')).map(({ id, text }) => ({
    place: () => id,
    turns: [{ index: 0, role: 'user', content: text, at: new Date('2026-01-05') }],
  }));
  return [...chats, ...texts];
}

function labelsIn(folder) {
  const labels = new Map();
  const add = (place, text) => labels.set(place, [...(labels.get(place) ?? []), text]);
  for (const { id, memories } of readLines(join(folder, 'extraction-dev/memory_extraction/labels.jsonl')))
    for (const { content } of memories) add(id, content);
  for (const { sample_id: chat, observation } of readJson(join(folder, 'locomo-dev.json')))
    for (const [text, ids] of Object.values(observation).flatMap((said) => Object.values(said).flat()))
      for (const id of [ids].flat()) {
        const [, session, turn] = /^D(\d+):(\d+)/.exec(id) ?? [];
        if (turn) add(`${chat}/session-${session}/${turn - 1}`, text);
      }
  return labels;
}

/** At least half of the words of either are the other's. */
function saysSame(one, other) {
  const [words, others] = [contentOf(one), contentOf(other)];
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared >= 0.5 * Math.min(words.size, others.size);
}
