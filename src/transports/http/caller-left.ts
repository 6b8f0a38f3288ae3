import { setMaxListeners } from 'node:events';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { onResponseClosed } from './on-response-closed.ts';

/** One for all: without a reason each answer would pay for an exception with its stack. */
const nobodyWaits = new DOMException('nobody waits for the answer any more', 'AbortError');

/** Aborted once the server is to close: whoever waits is answered then, or told that the stream ends. */
export function stoppingOf(server: FastifyInstance): AbortSignal {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // each request that waits listens
  server.addHook('preClose', async () => stopping.abort(nobodyWaits));
  return stopping.signal;
}

/** Aborted once nobody waits for the answer any more: its caller has left, or the server closes. */
export function callerLeft(reply: FastifyReply, stopping: AbortSignal): AbortSignal {
  const left = new AbortController();
  const leave = () => left.abort(nobodyWaits);
  if (stopping.aborted) leave();
  stopping.addEventListener('abort', leave, { signal: left.signal });
  onResponseClosed(reply.raw, leave);
  return left.signal;
}
