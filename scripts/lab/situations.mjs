// What a stream knows before each turn of a replayed chat, and what that turn will need.
import { situationFeatures } from '../../dist/domain/anticipation/features.js';
import { ConversationWindow } from '../../dist/domain/anticipation/conversation-window.js';
import { associationLikelihoods } from '../../dist/domain/anticipation/learned-associations.js';

/** Turns of people before the first prediction; how many before it are present to the agent; needs of a turn. */
export const [firstTurn, present, wanted] = [12, 6, 3];
/** Of the window. */
const before = 4;

/**
 * @param chat as `replay` gives it
 * @returns one for each turn of a user and kind (0: not a word known; then each share of its words): {chat, kind,
 *   memories, rows: features, needs: turns, evidence: the need that each memory cites, previous: memories that a search
 *   with the turn before gives}
 */
export function situationsOf(chat) {
  const users = chat.turns.map((turn, order) => ({ ...turn, order })).filter(({ role }) => role === 'user');
  const recalledOf = (found) =>
    found.map(([at, score]) => ({ ...chat.memories[at], opening: chat.memories[at].text, score }));
  const window = new ConversationWindow();
  const uses = new Map();
  const all = [];
  for (const [n, turn] of users.entries()) {
    const horizon = users[n - present]?.order ?? 0;
    const needs = needsOf(recalledOf(turn.found), horizon);
    if (n >= firstTurn && needs.length) {
      const reply = recalledOf(chat.turns[turn.order - 1].found);
      const lists = users
        .slice(Math.max(0, n - before), n)
        .map(({ found }) => recalledOf(found))
        .toReversed();
      const isInContext = ({ order }) => order >= horizon;
      const previous = lists[0].filter((memory) => !isInContext(memory)).slice(0, 10);
      for (const [kind, asked] of [undefined, ...turn.partial.map(recalledOf)].entries()) {
        const situation = {
          asked,
          before: lists,
          reply,
          learned: learnedAfter(uses, asked ? [] : users[n - 1].terms),
          ages: (id) => window.presentationAges(id),
          accesses: () => undefined,
        };
        const read = situationFeatures(situation, [], isInContext);
        const memories = read.map(({ memory }) => memory);
        const evidence = memories.map(({ orders }) => needs.find((need) => orders.includes(need)));
        all.push({
          chat: chat.name,
          kind,
          memories,
          rows: read.map(({ features }) => features),
          needs,
          evidence,
          previous,
        });
      }
      learn(uses, users[n - 1].terms, recalledOf(turn.found), needs);
    }
    window.recordPresentation({ text: '', by: 'people', recall: { found: recalledOf(turn.found), terms: [] } });
  }
  return all;
}

/** The first turns that a search with the turn itself returns, of those that are not present any more. */
export function needsOf(found, horizon) {
  const turns = found.flatMap(({ orders }) => orders.filter((order) => order < horizon));
  return [...new Set(turns)].slice(0, wanted);
}

/** The client tells which memories were of use. */
function learn(uses, terms, found, needs) {
  for (const { id } of needs.flatMap((need) => found.find(({ orders }) => orders.includes(need)) ?? [])) {
    for (const term of terms) {
      const after = uses.get(term) ?? new Map();
      uses.set(term, after.set(id, (after.get(id) ?? 0) + 1));
    }
  }
}

function learnedAfter(uses, contexts) {
  const associations = contexts.flatMap((context) => {
    const after = [...(uses.get(context) ?? [])];
    const total = after.reduce((sum, [, used]) => sum + used, 0);
    return after.map(([memoryId, used]) => ({ ownerNo: 1, context, memoryId, used, total }));
  });
  return associationLikelihoods(associations, [1], contexts);
}
