import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { asDomainError, toProblem } from '../http/problem.ts';

/** An event of a stream; without a name it is a comment, which shows that the stream lives. */
export interface ServerSentEvent {
  readonly name?: string;
  readonly id?: string;
  readonly data?: unknown;
}

/** How long a browser waits before it comes back, in milliseconds. */
const comeBackAfterMs = 1_000;

/**
 * Answers with events (`text/event-stream`) as they come and as fast as they are read. What ends them early is reported as
 * the event `problem`, with the problem document: the head was sent by then. `failed` hears of what nobody foresaw.
 */
export function sendEvents(
  reply: FastifyReply,
  events: AsyncIterable<ServerSentEvent>,
  { correlationId, failed }: { correlationId: string; failed: (error: unknown) => void },
): FastifyReply {
  async function* frames(): AsyncGenerator<string, void, undefined> {
    yield `retry: ${comeBackAfterMs}\n\n`; // at once: the head leaves with the first frame
    try {
      for await (const event of events) yield frameOf(event);
    } catch (error) {
      if (!asDomainError(error)) failed(error);
      yield frameOf({ name: 'problem', data: toProblem(error, correlationId) });
    }
  }
  reply.header('x-accel-buffering', 'no'); // proxies would hold events back
  return reply.type('text/event-stream').send(Readable.from(frames()));
}

function frameOf({ name, id, data }: ServerSentEvent): string {
  if (!name) return ':\n\n';
  return `event: ${name}\n${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(data)}\n\n`;
}
