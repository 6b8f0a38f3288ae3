import { expect, test } from 'vitest';
import type { StreamSettings } from '../../../src/domain/anticipation/stream-messages.ts';
import { ResumableSessions } from '../../../src/domain/anticipation/resumable-sessions.ts';
import { newInstanceId } from '../../../src/domain/ids.ts';

const [instance, other] = [newInstanceId(), newInstanceId()];
const session = (sessionId: string, rest: Partial<StreamSettings> = {}): StreamSettings => ({
  sessionId,
  userId: 'ada',
  ...rest,
});

test('a session goes on for the people it began with, in its instance', () => {
  const sessions = new ResumableSessions();
  const first = sessions.open(instance, session('call'));
  sessions.keep(instance, session('call'), first);
  expect(sessions.open(instance, session('call'))).toBe(first);
  const strangers = [
    sessions.open(other, session('call')),
    sessions.open(instance, session('call', { userId: 'bob' })),
    sessions.open(instance, session('call', { customerId: 'acme' })),
    sessions.open(instance, session('call', { conversationId: 'c' })),
    sessions.open(instance, session('other call')),
  ];
  expect(strangers).not.toContain(first);
});

test('sessions full of long texts are forgotten, the oldest first, before they fill the memory of the process', () => {
  const sessions = new ResumableSessions();
  const text = 'x'.repeat(20_000);
  const opened = Array.from({ length: 1_000 }, (_, n) => {
    const lasting = sessions.open(instance, session(`s${n}`));
    sessions.keep(instance, session(`s${n}`), lasting); // as the stream does, once when it begins
    for (let turn = 0; turn < 30; turn++) lasting.window.hear('agent', text);
    sessions.keep(instance, session(`s${n}`), lasting);
    return lasting;
  });
  const kept = opened.filter((lasting, n) => sessions.open(instance, session(`s${n}`)) === lasting);
  expect(kept.length).toBeGreaterThan(100);
  expect(kept.reduce((sum, { window }) => sum + window.weight, 0)).toBeLessThan(300e6);
  expect(kept.at(-1)).toBe(opened.at(-1));
});
