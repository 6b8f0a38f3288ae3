// Held: of the turns that a question about an instruction, a preference or an updated value needs, the sentence that is
// nearest to the question's own words stands in a line of the text, with four fifths of its stems.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stemsOf } from '../../../dist/domain/language/stems.js';
import { splitSentences } from '../../../dist/domain/language/sentences.js';
import { loadBeam } from '../../../scripts/lab/data.mjs';
import { compact, measureStrategies, replacedIn, sayAll } from './conversation.mjs';

const asked = {
  instruction_following: ({ instruction_being_tested: words, source_chat_ids: ids }) => ({ words, ids }),
  preference_following: ({ preference_being_tested: words, source_chat_ids: ids }) => ({ words, ids }),
  knowledge_update: ({ question, answer, source_chat_ids: ids }) => ({
    words: `${question} ${answer}`,
    ids: ids.updated_info ?? ids,
  }),
};

/** Turns said between the two compactions whose texts are compared. */
const saidBetween = 20;

export const loadBeamChats = (folder) =>
  loadBeam(folder).map(({ name }) => {
    const batches = JSON.parse(readFileSync(join(folder, name, 'chat.json'), 'utf8'));
    const messages = batches.flatMap(({ turns }) => turns.flat());
    const questions = JSON.parse(readFileSync(join(folder, name, 'probing_questions/probing_questions.json'), 'utf8'));
    return { name, messages, questions };
  });

const contentOf = ({ content }) => (content ?? '').replace(/->->[^\n]*$/u, '').trim();

/** The sentences that have to be held, each once. */
function goldOf({ messages, questions }) {
  const byId = new Map(messages.map((message) => [message.id, contentOf(message)]));
  const gold = new Map();
  for (const [category, read] of Object.entries(asked)) {
    for (const question of questions[category] ?? []) {
      const { words, ids } = read(question);
      const wanted = new Set(stemsOf(words));
      for (const id of [ids].flat(3).filter((each) => byId.has(each))) {
        const sentences = splitSentences(byId.get(id)).map(({ text }) => new Set(stemsOf(text)));
        const near = (stems) => [...stems].filter((stem) => wanted.has(stem)).length / Math.sqrt(stems.size + 1);
        const [nearest] = sentences.toSorted((one, other) => near(other) - near(one));
        if (nearest?.size) gold.set(`${category}/${[...nearest].join(' ')}`, { category, stems: nearest });
      }
    }
  }
  return [...gold.values()];
}

const heldShare = 0.8;

function heldIn(text, gold) {
  const lines = text.split('\n').map((line) => new Set(stemsOf(line)));
  const isHeld = ({ stems }) =>
    lines.some((line) => [...stems].filter((stem) => line.has(stem)).length >= heldShare * stems.size);
  return gold.filter(isHeld).length;
}

/**
 * Counts of one chat, by the percentage that its compaction aims at, and what a second compaction left of the first: all
 * of it, unless it tells what was replaced since.
 */
export async function measureChat(client, chat) {
  const [conversationId, userId] = [`beam-${chat.name}`, `beam-${chat.name}`];
  const turns = chat.messages
    .map((message) => ({ role: message.role, content: contentOf(message) }))
    .filter(({ content }) => content);
  await sayAll(client, { conversationId, userId, turns: turns.slice(0, -saidBetween) });
  const first = await compact(client, conversationId, 'balanced');
  await sayAll(client, { conversationId, userId, turns: turns.slice(-saidBetween) });
  const second = await compact(client, conversationId, 'balanced');
  const isOutdated = (await replacedIn(client, userId, first.system_prompt)) > 0;
  const gold = goldOf(chat);
  const labelled = gold.filter(({ category }) => category === 'instruction_following');
  const measured = await measureStrategies(client, { conversationId, userId, turns, things: gold, labelled, heldIn });
  return { ...measured, isOutdated, isPrefix: second.system_prompt.startsWith(first.system_prompt) };
}
