import { setTimeout as pause } from 'node:timers/promises';
import { tell } from '../command.mjs';
import { baselines } from './baselines.mjs';

/** The strategies by the percentage of tokens that each aims at. */
const strategies = { 10: 'aggressive', 25: 'balanced', 50: 'conservative' };

const sentAtOnce = 50;

/** Says turns in a conversation of a user, in their order, and waits until all of them are remembered. */
export async function sayAll(client, { conversationId, userId, turns }) {
  const ingestionIds = [];
  for (let at = 0; at < turns.length; at += sentAtOnce) {
    const messages = turns.slice(at, at + sentAtOnce);
    const told = await client.post(`/v1/conversations/${conversationId}/messages`, { user_id: userId, messages });
    ingestionIds.push(...told.ingestion_ids);
  }
  ingestionIds.push(...(await client.post(`/v1/conversations/${conversationId}/end`)).ingestion_ids);
  for (const id of ingestionIds) await completed(client, id);
}

/** Resolves when an ingestion is completed. Throws when it failed. */
export async function completed(client, ingestionId) {
  for (;;) {
    const { status } = await client.get(`/v1/memories/${ingestionId}/status`);
    if (status === 'completed') return;
    if (status === 'failed') throw new Error(`${ingestionId} failed`);
    await pause(100);
  }
}

/** The compaction as a block for a prompt. */
export const compact = (client, conversationId, strategy) =>
  client.post('/v1/context/compact', { conversation_id: conversationId, strategy, output_format: 'system_prompt' });

/** Every memory of a user of one status, without the passages themselves. */
async function memoriesOf(client, userId, status) {
  const found = [];
  for (let cursor = ''; ;) {
    const page = await client.get(`/v1/memories?user_id=${userId}&status=${status}&limit=100${cursor}`);
    found.push(...page.data.filter(({ type }) => type !== 'episodes'));
    if (!page.next_cursor) return found;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

const normalised = (text) => text.replaceAll(/\s+/g, ' ').trim();

/** The memories that a text holds by a quote. */
const quotedIn = (text, memories) => {
  const all = normalised(text);
  return memories.filter(({ evidence }) => evidence.some(({ quote }) => all.includes(normalised(quote))));
};

/** The memories that a text holds word for word: by a quote, or by the part of it that they state. */
const heldWordForWord = (text, memories) => {
  const [all, quoted] = [normalised(text), new Set(quotedIn(text, memories))];
  return memories.filter((memory) => quoted.has(memory) || all.includes(normalised(memory.content)));
};

/** How many memories that were replaced since a text holds. */
export const replacedIn = async (client, userId, text) =>
  quotedIn(text, await memoriesOf(client, userId, 'superseded')).length;

/** What the service extracted that binds an agent. */
const isBinding = ({ category }) => category === 'instruction' || category === 'health';

/**
 * What a compaction of a conversation holds by each strategy, in counts, beside baselines of equal length. `things`: what is
 * to be held, `labelled` those that bind an agent, `heldIn` counts those that a text holds.
 */
export async function measureStrategies(client, { conversationId, userId, turns, things, labelled, heldIn }) {
  const binding = (await memoriesOf(client, userId, 'active')).filter(isBinding);
  const replaced = await memoriesOf(client, userId, 'superseded');
  const measured = {};
  for (const [percent, strategy] of Object.entries(strategies)) {
    const compaction = await compact(client, conversationId, strategy);
    const { system_prompt: text, compacted_tokens: tokens, original_tokens: of } = compaction;
    const beside = [];
    for (const [name, make] of Object.entries(baselines))
      beside.push([name, heldIn(await make(turns, tokens), things)]);
    const [bindingHeld, stale] = [heldWordForWord(text, binding), quotedIn(text, replaced)];
    for (const lost of binding.filter((memory) => !bindingHeld.includes(memory)))
      tell(`  ${strategy} lost an instruction: ${lost.content}`);
    for (const { content } of stale) tell(`  ${strategy} tells what was replaced: ${content}`);
    measured[percent] = {
      things: things.length,
      held: heldIn(text, things),
      ...Object.fromEntries(beside),
      share: tokens / of,
      binding: binding.length,
      bindingHeld: bindingHeld.length,
      labelled: labelled.length,
      labelledHeld: heldIn(text, labelled),
      stale: stale.length,
    };
  }
  return measured;
}
