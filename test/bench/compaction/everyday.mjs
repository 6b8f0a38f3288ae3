// Held: of each group of words that a thing to remember names, one stands in the text. What was replaced later is not to
// be remembered, and counts as stale where the service knows that it was replaced and its quote stands in the text.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { measureStrategies, sayAll } from './conversation.mjs';

const secondsApart = 25;

export const loadHistories = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));

/** All turns of a history, each with its time. */
export const turnsOf = ({ sessions }) =>
  sessions.flatMap(({ date, turns }) =>
    turns.map(({ role, content, name }, n) => ({
      role,
      content,
      ...(name ? { name } : {}),
      timestamp: new Date(Date.parse(date) + n * secondsApart * 1_000).toISOString(),
    })),
  );

const holds = (text, { says }) => {
  const lowered = text.toLowerCase();
  return says.every((group) => group.some((word) => lowered.includes(word.toLowerCase())));
};
const heldIn = (text, things) => things.filter((thing) => holds(text, thing)).length;

/** Counts of one history, by the percentage that its compaction aims at. */
export async function measureHistory(client, history) {
  const [conversationId, userId] = [`everyday-${history.id}`, `everyday-${history.id}`];
  const turns = turnsOf(history);
  await sayAll(client, { conversationId, userId, turns });
  const things = history.must_remember.filter((thing) => !thing.superseded_by);
  return measureStrategies(client, {
    conversationId,
    userId,
    turns,
    things,
    labelled: things.filter(({ types }) => types[0] === 'preferences'),
    heldIn,
  });
}
