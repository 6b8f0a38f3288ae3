// A BEAM chat as a stream meets it: before each message the store holds what was said until then.
import { lastWordsOf } from '../../dist/domain/anticipation/look-up-cues.js';
import { rankCandidates } from '../../dist/domain/retrieval/rank.js';
import { logOddsByRank } from '../../dist/domain/retrieval/relevance.js';
import { findCandidates } from './search.mjs';

/** Turns of a document: as many as the service itself takes together when it makes memories of messages. */
const turnsOfDocument = 8;
/** Ranked memories kept of a search. */
const kept = 80;
/** The rarest words of a turn: the context that associations are learned in. */
const terms = 8;
/** What a client sends as partial messages: these shares of the words of a turn. */
export const shares = [0.1, 0.25, 0.5];

/** The same chat in documents of eight turns, numbered through. */
export function inDocuments(chat) {
  const sessions = [];
  let order = 0;
  for (const { name, turns } of chat.sessions) {
    for (let at = 0; at < turns.length; at += turnsOfDocument) {
      const some = turns.slice(at, at + turnsOfDocument).map((turn) => ({ ...turn, order: order++ }));
      sessions.push({ name: `${name}/${at / turnsOfDocument}`, turns: some });
    }
  }
  return { ...chat, sessions };
}

/** The first words of a text, in each of the shares. */
export function prefixes(text) {
  const words = text.trim().split(/\s+/);
  return shares.map((share) => words.slice(0, Math.max(1, Math.round(words.length * share))).join(' '));
}

/** All texts that a replay searches with. */
export const searchedTexts = (chat) =>
  chat.sessions.flatMap(({ turns }) =>
    turns.flatMap(({ role, content }) => [
      lastWordsOf(content),
      ...(role === 'user' ? prefixes(content).map(lastWordsOf) : []),
    ]),
  );

/**
 * Searches with every turn, and with the beginnings of every user turn, in what was said before it.
 * @param chat ingested and indexed (corpus.mjs), in documents of `inDocuments`
 * @returns {name, memories: [{id, order, orders, ...}], turns: [{role, found, terms, partial}]}, found: [[memory, score]]
 */
export function replay(chat, meaningOf) {
  const place = new Map(
    chat.sessions.flatMap(({ name, turns }) => turns.map(({ order }, at) => [`${name}/${at}`, order])),
  );
  const memories = chat.memories
    .map((memory) => ({ ...memory, order: place.get(`${memory.documentId}/${memory.turn}`) }))
    .toSorted((one, other) => one.order - other.order);
  const byTurn = new Map();
  for (const [at, { documentId, turn }] of memories.entries()) {
    const key = `${documentId}/${turn}`;
    byTurn.set(key, [...(byTurn.get(key) ?? []), at]);
  }
  const before = { documentFrequency: new Map(), total: 0, count: 0 };
  const turns = chat.sessions
    .flatMap((session) => session.turns)
    .map((turn) => {
      while (before.count < memories.length && memories[before.count].order < turn.order) {
        const { counts, length } = memories[before.count];
        for (const stem of counts.keys()) {
          before.documentFrequency.set(stem, (before.documentFrequency.get(stem) ?? 0) + 1);
        }
        before.total += length;
        before.count += 1;
      }
      const known = {
        memories: memories.slice(0, before.count),
        byTurn: { get: (key) => byTurn.get(key)?.filter((at) => at < before.count) },
        documentFrequency: before.documentFrequency,
        averageLength: before.total / Math.max(1, before.count),
      };
      const search = (text) => {
        if (!before.count) return { found: [], terms: [] };
        const { stems, candidates, lexical } = findCandidates(known, { text }, meaningOf);
        const ranked = rankCandidates(stems, candidates, lexical).slice(0, kept);
        return {
          found: ranked.map(({ candidate, ...each }) => [Number(candidate.row.id), logOddsByRank(each)]),
          terms: [...stems]
            .toSorted(([, one], [, other]) => other - one)
            .slice(0, terms)
            .map(([stem]) => stem),
        };
      };
      process.stderr.write(`\r${chat.name}: ${turn.order}   `);
      const { role, content } = turn;
      const partial = role === 'user' ? prefixes(content).map((text) => search(lastWordsOf(text)).found) : [];
      return { role, ...search(lastWordsOf(content)), partial };
    });
  const shown = memories.map((memory, at) => ({
    ...memory,
    id: String(at),
    orders: memory.cites.map((cited) => place.get(cited)),
  }));
  return { name: chat.name, memories: shown, turns };
}
