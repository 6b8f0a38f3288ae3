// Loads BEAM into chats of sessions and questions, as shared/eval/datasets.py does: same names, same gold.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const minutes = (date, count) => new Date(date.getTime() + count * 60_000);
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** @returns chats: {set, name, sessions: [{name, turns: [{role, content, at}]}], questions: [{text, category, gold: ["session/turn"]}]} */
export function loadBeam(folder) {
  const found = readdirSync(folder).filter((name) => existsSync(probing(join(folder, name))));
  return found
    .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .map((name) => beamChat(join(folder, name), name));
}

const probing = (folder) => join(folder, 'probing_questions', 'probing_questions.json');

function beamChat(folder, name) {
  const place = new Map();
  let anchor;
  const sessions = readJson(join(folder, 'chat.json')).map((batch) => {
    const session = `batch-${batch.batch_number}`;
    const turns = [];
    for (const message of batch.turns.flat()) {
      if (message.time_anchor) anchor = new Date(`${message.time_anchor.replaceAll('-', ' ')} 09:00 UTC`);
      place.set(message.id, `${session}/${turns.length}`);
      const content = (message.content ?? '').replace(/->->[^\n]*$/, '').trim();
      turns.push({ role: message.role, content, at: minutes(anchor, turns.length) });
    }
    return { name: session, turns };
  });
  const questions = Object.entries(readJson(probing(folder))).flatMap(([category, items]) =>
    items.flatMap((item) => {
      const gold = [...new Set(sourceIds(item.source_chat_ids).flatMap((id) => place.get(id) ?? []))];
      return gold.length ? [{ text: item.question, category, gold }] : [];
    }),
  );
  return { set: 'beam', name, sessions, questions };
}

function sourceIds(value) {
  if (Array.isArray(value)) return value.flatMap(sourceIds);
  if (value && typeof value === 'object') return sourceIds(Object.values(value));
  return /^\d+$/.test(String(value)) ? [Number(value)] : [];
}
