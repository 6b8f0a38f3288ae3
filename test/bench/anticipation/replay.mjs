import { performance } from 'node:perf_hooks';
import { lastWordsOf } from '../../../dist/domain/anticipation/look-up-cues.js';
import { countTokens } from '../../../dist/domain/language/count-tokens.js';
import { prefixes } from '../../../scripts/lab/replay.mjs';
import { firstTurn, present, wanted } from '../../../scripts/lab/situations.mjs';

/** Memories of a bundle beside the standing ones, and of a search that is compared with it. */
const pushed = 10;
/** Enough to find three turns that are old enough. */
const fetched = 40;

/**
 * Replays a chat. *Needed* by a turn of the user, from the 13th on: the first three turns, older than the chat's last
 * six turns of the user, that an `accurate` fetch with its text returns. The fetch is made before the turn is told or
 * ingested. What of the last eight turns is not ingested yet is younger than all of that.
 *
 * Baselines are given the same: only memories older than the last six turns of the user. `previous`: the first ten that
 * an `accurate` fetch with the turn before returns; `recency`: the ten turns of the user before those six. What always
 * stands is at hand whoever chooses the ten, so it is counted for each of them; `coverageAlone` and `previousAlone` are
 * the tens without it, which calls a memory missing that stands in the bundle as an instruction.
 *
 * @returns one row a turn: {first: name -> whether the first need was found, share: name -> how many of the three,
 *   pushed, useful, heard (younger than the last six turns): memories of the bundle that stood beside those that always
 *   do (always), wasted: tokens of it, bundleMs, fetchMs}
 */
export async function replayChat({ client, streams, chat, userId }) {
  const place = placesOf(chat);
  const turns = chat.sessions.flatMap((session) => session.turns);
  const users = turns.filter(({ role }) => role === 'user');
  const documents = chat.sessions.map(({ turns: said, ...session }) => ({ ...session, said, last: said.at(-1).order }));
  const stream = streams.open({ userId });
  const rows = [];
  let standing = [];
  let previous = [];
  for (const turn of turns) {
    while (documents[0]?.last < turn.order) await ingest(client, userId, documents.shift());
    const number = users.indexOf(turn);
    if (turn.role === 'user' && number >= firstTurn - 1) {
      const horizon = users[Math.max(0, number - present)].order;
      const { memories, ms: fetchMs } = await fetchContext(client, userId, turn.content);
      const found = memories.map((memory) => turnsOf(memory, place));
      const needs = [...new Set(found.flat().filter((order) => order < horizon))].slice(0, wanted);
      const before = previous.filter((orders) => orders.some((order) => order < horizon)).slice(0, pushed);
      if (number >= firstTurn && needs.length) {
        const row = { first: {}, share: {}, bundleMs: [], fetchMs };
        const judge = (name, orders) => {
          row.first[name] = orders.has(needs[0]);
          row.share[name] = needs.filter((need) => orders.has(need)).length / needs.length;
        };
        const anticipated = standing.filter(isChosen);
        const always = ordersOf(
          standing.filter((memory) => !isChosen(memory)),
          place,
        );
        judge('coverage', ordersOf(standing, place));
        judge('previous', new Set([...before.flat(), ...always]));
        judge('coverageAlone', ordersOf(anticipated, place));
        judge('previousAlone', new Set(before.flat()));
        const old = users.filter(({ order }) => order < horizon).slice(-pushed);
        judge('recency', new Set([...old.map(({ order }) => order), ...always]));
        row.always = standing.length - anticipated.length;
        const isUseful = (memory) => turnsOf(memory, place).some((order) => needs.includes(order));
        row.pushed = anticipated.length;
        row.heard = anticipated.filter((memory) => turnsOf(memory, place).every((order) => order >= horizon)).length;
        row.useful = anticipated.filter(isUseful).length;
        row.wasted = anticipated
          .filter((memory) => !isUseful(memory))
          .reduce((sum, { content }) => sum + countTokens(content), 0);
        for (const [n, content] of prefixes(turn.content).entries()) {
          const began = performance.now();
          const bundle = await stream.send({ partialMessage: { role: 'user', content } });
          row.bundleMs.push(performance.now() - began);
          judge(`partial${n}`, ordersOf(bundle, place));
        }
        rows.push(row);
      }
      previous = found;
      standing = await stream.send({ message: { role: 'user', content: turn.content } });
      const used = standing.filter((memory) => turnsOf(memory, place).some((order) => needs.includes(order)));
      if (used.length) stream.tell({ contextUsed: { memoryIds: used.map(({ id }) => id) } });
    } else standing = await stream.send({ message: { role: turn.role, content: turn.content } });
    process.stderr.write(`\r${chat.name}: turn ${turn.order + 1} of ${turns.length}, ${soFar(rows)}  `);
  }
  for (const document of documents) await ingest(client, userId, document);
  await stream.end();
  process.stderr.write('\r');
  return rows;
}

/** One of the ten, and not of those that always stand. */
const isChosen = ({ reason }) => reason === 'REASON_CONTEXT' || reason === 'REASON_LEARNED';

const soFar = (rows) =>
  ['coverage', 'previous']
    .map((name) => `${name} ${rows.filter(({ first }) => first[name]).length} of ${rows.length}`)
    .join(', ');

/** Where each turn of a document stands in the chat. */
export const placesOf = (chat) =>
  new Map(
    chat.sessions.flatMap(({ name, turns }) => turns.map(({ order }, at) => [`${chat.name}/${name}/${at}`, order])),
  );

/** The turns of the chat that a memory cites. */
export const turnsOf = (memory, place) =>
  memory.evidence.flatMap(({ document_id: external, documentId = external, turns }) =>
    (turns ?? []).map((turn) => place.get(`${documentId}/${turn}`)),
  );

export const ordersOf = (memories, place) => new Set(memories.flatMap((memory) => turnsOf(memory, place)));

async function fetchContext(client, userId, text) {
  const began = performance.now();
  const body = { search_queries: [lastWordsOf(text)], user_id: userId, mode: 'accurate', max_results: fetched };
  const { memories } = await client.post('/v1/context/fetch', body);
  return { memories, ms: performance.now() - began };
}

/** Resolves when what the document says can be found. */
async function ingest(client, userId, { name, said }) {
  const turns = said.map(({ role, content, at }) => ({ role, content: content || '-', timestamp: at.toISOString() }));
  const { ingestion_id: id } = await client.post('/v1/memories', {
    document: turns,
    document_type: 'ai-chat-conversation',
    document_id: `${userId.slice('beam-'.length)}/${name}`,
    document_created_at: turns[0].timestamp,
    user_id: userId,
  });
  for (;;) {
    const { status } = await client.get(`/v1/memories/${id}/status?wait=10`);
    if (status === 'completed') return;
    if (status === 'failed') throw new Error(`${name} was not ingested`);
  }
}
