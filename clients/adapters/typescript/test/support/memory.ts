import { Presage } from '@presage-memory/client';
import { inject } from 'vitest';

const { key, url } = inject('service');
export const memory = new Presage({ apiKey: key, baseUrl: url });

/** A service that nobody serves, asked again without pauses. */
export const away = new Presage({
  apiKey: key,
  baseUrl: 'http://127.0.0.1:9',
  clock: { random: Math.random, pause: async () => {} },
});

export const somebody = () => `user-${crypto.randomUUID()}`;

/** What a conversation is known to hold. */
export const said = async (id: string) =>
  (await memory.conversations.get(id)).recent_messages.map(({ role, content }) => `${role}: ${content}`);
