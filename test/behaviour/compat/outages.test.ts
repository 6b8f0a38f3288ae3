import { expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { DomainError } from '../../../src/domain/errors.ts';
import { conversationRoutes } from '../../../src/transports/compat/conversations.ts';
import { memoryRoutes } from '../../../src/transports/compat/memories.ts';
import { TurnDeduplicator } from '../../../src/transports/compat/turn-deduplicator.ts';
import { openWorld } from '../../support/world.ts';

const world = openWorld();
const routes = [...memoryRoutes, ...conversationRoutes(new TurnDeduplicator())];
const batches = {
  '/api/v1/memories/batch': {
    documents: ['one', 'two', 'three', 'four'].map((document) => ({ document, user_id: 'ada' })),
  },
  '/v1/conversations/messages/batch': {
    messages: ['one', 'two', 'three', 'four'].map((content) => ({
      conversation_id: 'c-1',
      role: 'user',
      user_id: 'ada',
      content,
    })),
  },
};
const urls = Object.keys(batches) as (keyof typeof batches)[];

/** Sends a batch while the database answers so many writes; how many were asked of it. */
async function send(url: keyof typeof batches, answered: number) {
  const { access } = await world.instance();
  let asked = 0;
  const failing =
    <Args extends unknown[], Made>(work: (...args: Args) => Promise<Made>) =>
    (...args: Args): Promise<Made> =>
      ++asked > answered ? Promise.reject(new DomainError('unavailable', 'away')) : work(...args);
  const app: App = {
    ...world.app,
    submit: failing(world.app.submit),
    addMessages: failing(world.app.addMessages),
  };
  const route = routes.find((each) => each.url === url)!;
  const call = { access, params: {}, query: {}, body: batches[url], left: new AbortController().signal };
  const answer = await (route.handle(app, call) as Promise<object>).catch((error: unknown) => error);
  return { answer, asked };
}

test.each(urls)('%s: after an outage the rest is not tried, and told alike', async (url) => {
  const { answer, asked } = await send(url, 1);
  expect(asked).toBe(2);
  expect(answer).toMatchObject({ total: 4, succeeded: 1, failed: 3 });
  expect(JSON.stringify(answer).match(/failed before it was stored; send it again/gu)).toHaveLength(3);
});

test.each(urls)('%s: where nothing was taken, the whole batch is to be sent again', async (url) => {
  expect(await send(url, 0)).toMatchObject({ answer: { code: 'unavailable' }, asked: 1 });
});
