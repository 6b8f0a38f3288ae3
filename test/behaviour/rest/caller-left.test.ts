import { EventEmitter } from 'node:events';
import type { FastifyReply } from 'fastify';
import { expect, test } from 'vitest';
import { callerLeft } from '../../../src/transports/http/caller-left.ts';

const replyOf = (raw: object) => ({ raw }) as FastifyReply;

test.each([
  { case: 'the connection has ended', raw: { destroyed: true }, stopping: new AbortController().signal },
  { case: 'the server stops already', raw: new EventEmitter(), stopping: AbortSignal.abort() },
])('nobody waits for an answer: $case', ({ raw, stopping }) => {
  expect(callerLeft(replyOf(raw), stopping).aborted).toBe(true);
});

test('somebody waits until the connection ends, or the server stops', () => {
  const [stopping, raw] = [new AbortController(), new EventEmitter()];
  const [left, cutOff] = [
    callerLeft(replyOf(raw), stopping.signal),
    callerLeft(replyOf(new EventEmitter()), stopping.signal),
  ];
  expect([left.aborted, cutOff.aborted]).toEqual([false, false]);
  raw.emit('close');
  expect([left.aborted, cutOff.aborted]).toEqual([true, false]);
  stopping.abort();
  expect(cutOff.aborted).toBe(true);
});
