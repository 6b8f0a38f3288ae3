import { createWriter } from '../writing.mjs';
import { completed } from './completed.mjs';

const standing = 'Always answer me in metric units.';
const turnsOfDocument = 40;

/**
 * Users with so many turns each, and an instruction that always holds, so that each session begins with a bundle; of one
 * customer, if any.
 */
export async function startChatting(client, { users, turns, customer, tell }) {
  const writer = createWriter(11);
  const names = Array.from({ length: users }, (_, n) => `person-${n}`);
  for (const [n, userId] of names.entries()) {
    const said = [standing, ...Array.from({ length: turns }, () => writer.turn())];
    const documents = [];
    while (said.length) {
      const document = said.splice(0, turnsOfDocument).map((content) => ({ role: 'user', content }));
      documents.push({ document, document_type: 'ai-chat-conversation', user_id: userId, customer_id: customer });
    }
    const { batch_id: batch } = await client.post('/v1/memories/batch', { documents });
    await completed(client, batch);
    tell(`${n + 1} of ${users} users have their memories`);
  }
  return names;
}
