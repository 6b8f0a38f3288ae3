import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';

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

/** Does it once nobody waits for the answer any more; at once for one whose peer has left already. */
export function onResponseClosed(answer: ServerResponse, work: () => void): void {
  if (answer.destroyed) work();
  else answer.once('close', work);
}
