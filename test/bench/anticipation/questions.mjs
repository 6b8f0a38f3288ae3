import { ordersOf, placesOf } from './replay.mjs';

/** Their gold memory, a standing instruction or a preference, is not named by the question. */
const categories = { instruction_following: 'instruction', preference_following: 'preference' };

/**
 * Asks the probing questions of a chat, each in a session of its own, when all of the chat is known.
 * @returns {kind, pushed: whether a gold memory was among those pushed, before: already before the question}
 */
export async function askQuestions({ streams, chat, userId }) {
  const place = placesOf(chat);
  const orders = originalOrders(chat);
  const rows = [];
  for (const { text, category, gold } of chat.questions) {
    const kind = categories[category];
    if (!kind) continue;
    const wanted = gold.map((turn) => orders.get(turn));
    const stream = streams.open({ userId });
    const brief = await stream.brief();
    const answer = await stream.send({ message: { role: 'user', content: text } });
    await stream.end();
    const holds = (memories) => wanted.some((order) => ordersOf(memories, place).has(order));
    rows.push({ kind, before: holds(brief), pushed: holds(brief) || holds(answer) });
  }
  return rows;
}

/** Gold is named by the turns of the chat's own sessions, before they were cut into documents. */
function originalOrders(chat) {
  const orders = new Map();
  const counts = new Map();
  for (const { name, turns } of chat.sessions) {
    const session = name.slice(0, name.lastIndexOf('/'));
    for (const { order } of turns) {
      const at = counts.get(session) ?? 0;
      counts.set(session, at + 1);
      orders.set(`${session}/${at}`, order);
    }
  }
  return orders;
}
