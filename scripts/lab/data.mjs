// Loads LoCoMo and BEAM into chats of sessions and questions, as shared/eval/datasets.py does: same names, same gold.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const categories = { 1: 'multi-hop', 2: 'temporal', 3: 'inference', 4: 'single-hop', 5: 'adversarial' };
const minutes = (date, count) => new Date(date.getTime() + count * 60_000);
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** @returns chats: {set, name, sessions: [{name, turns: [{role, name?, content, at}]}], questions: [{text, category, gold: ["session/turn"]}]} */
export const loadAll = (folder) => [
  ...loadLocomo(join(folder, 'locomo-dev.json')),
  ...loadBeam(join(folder, 'beam-dev')),
];

export const loadLocomo = (path) => readJson(path).map(locomoChat);

function locomoChat(raw) {
  const conversation = raw.conversation;
  const numbers = Object.keys(conversation)
    .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
    .map(Number);
  const place = new Map();
  const sessions = numbers
    .toSorted((a, b) => a - b)
    .map((number) => {
      const began = locomoDate(conversation[`session_${number}_date_time`]);
      const turns = conversation[`session_${number}`].map((turn, index) => {
        place.set(turn.dia_id, `session-${number}/${index}`);
        const content = `${turn.text} ${turn.blip_caption ?? ''}`.trim();
        return { role: 'user', name: turn.speaker, content, at: minutes(began, index) };
      });
      return { name: `session-${number}`, turns };
    });
  const questions = raw.qa.flatMap((item) => {
    const cited = (item.evidence ?? []).flatMap((entry) => entry.match(/D\d+:\d+/g) ?? []);
    const gold = [...new Set(cited.flatMap((id) => place.get(id) ?? []))];
    return gold.length ? [{ text: item.question, category: categories[item.category], gold }] : [];
  });
  return { set: 'locomo', name: raw.sample_id, sessions, questions };
}

/** "1:56 pm on 8 May, 2023", in UTC. */
function locomoDate(text) {
  const [, hour, minute, half, day] = /^(\d+):(\d+) (am|pm) on (.*)$/i.exec(text);
  const date = new Date(`${day} UTC`);
  date.setUTCHours((Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0), Number(minute));
  return date;
}

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
