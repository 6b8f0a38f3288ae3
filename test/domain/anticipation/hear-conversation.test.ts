import { expect, test } from 'vitest';
import type { StreamSettings, Signal } from '../../../src/domain/anticipation/stream-messages.ts';
import { mergeConversationMessages } from '../../../src/domain/anticipation/merge-conversation-messages.ts';
import { MessageFeed } from '../../../src/domain/conversations/message-feed.ts';

/** A stream in a conversation whose agent says what the test tells it to. */
function openStream(feed: MessageFeed, origin: string, session: StreamSettings = { conversationId: 'kitchen' }) {
  const waiting: Signal[] = [{ kind: 'session-start', session }];
  let wake = () => {};
  async function* given() {
    while (true) {
      const next = waiting.shift();
      if (next) yield next;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  const join = async ({ conversationId }: StreamSettings) => conversationId;
  const lastSaid = async () => [said('Where is the flour?'), { role: 'assistant', content: 'In the cupboard.' }];
  const { signals, leave } = mergeConversationMessages({ feed, instanceNumber: 1n, origin, join, lastSaid }, given());
  return {
    leave,
    says(content: string, role = 'user') {
      waiting.push({ kind: 'message', role, content });
      wake();
    },
    async next() {
      const { value, done } = await signals.next();
      if (done) return undefined;
      return value.kind === 'message' ? `${value.role}: ${value.content}` : value.kind;
    },
  };
}

const said = (content: string, origin = 'rest') => ({ role: 'user', content, origin });

test('what one stream says comes to the other between its own words, and to nobody twice', async () => {
  const feed = new MessageFeed();
  const [one, other] = [openStream(feed, 'one'), openStream(feed, 'other')];
  expect([await one.next(), await other.next()]).toEqual(['session-start', 'session-start']);
  one.says('Hello!');
  expect([await one.next(), await other.next()]).toEqual(['user: Hello!', 'user: Hello!']);
  other.says('Hello yourself.', 'assistant');
  expect([await other.next(), await one.next()]).toEqual(['assistant: Hello yourself.', 'assistant: Hello yourself.']);
  one.leave();
  other.leave();
});

test('words that an agent streams and then posts are heard once, and said again they are heard again', async () => {
  const feed = new MessageFeed();
  const stream = openStream(feed, 'one');
  await stream.next();
  stream.says('Yes.');
  expect(await stream.next()).toBe('user: Yes.');
  feed.publish(1n, 'kitchen', said('Yes.'));
  feed.publish(1n, 'kitchen', said('Yes.'));
  feed.publish(1n, 'kitchen', said('No.'));
  expect([await stream.next(), await stream.next()]).toEqual(['user: Yes.', 'user: No.']);
  stream.leave();
});

test('a stream that takes nothing keeps the last fifty, and other conversations are not heard', async () => {
  const feed = new MessageFeed();
  const stream = openStream(feed, 'one');
  await stream.next();
  for (let n = 0; n < 60; n++) feed.publish(1n, 'kitchen', said(`${n}`));
  feed.publish(1n, 'hall', said('elsewhere'));
  feed.publish(2n, 'kitchen', said('in another instance'));
  expect(await stream.next()).toBe('user: 10');
  for (let n = 11; n < 60; n++) expect(await stream.next()).toBe(`user: ${n}`);
  stream.leave();
});

test('who leaves is heard of no more, also while they wait; a session of no conversation listens to none', async () => {
  const feed = new MessageFeed();
  const stream = openStream(feed, 'one');
  await stream.next();
  const waiting = stream.next();
  expect(feed.listened()).toHaveLength(1);
  stream.leave();
  expect([await waiting, feed.listened()]).toEqual([undefined, []]);
  const alone = openStream(feed, 'two', {});
  expect([await alone.next(), feed.listened()]).toEqual(['session-start', []]);
});

test('who comes to a conversation that others hold hears what was said last, and then what is said', async () => {
  const feed = new MessageFeed();
  const watcher = openStream(feed, 'watcher', { conversationId: 'kitchen', replaysRecentMessages: true });
  expect(await watcher.next()).toBe('session-start');
  feed.publish(1n, 'kitchen', said('And the sugar?'));
  expect([await watcher.next(), await watcher.next(), await watcher.next()]).toEqual([
    'user: Where is the flour?',
    'assistant: In the cupboard.',
    'user: And the sugar?',
  ]);
});
