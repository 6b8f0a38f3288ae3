import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { anticipationReasons, type AnticipatedMemory, type Update } from '../../domain/anticipation/stream-messages.ts';
import { provenances, type Provenance } from '../../domain/extraction/provenance.ts';
import { invalidInputError } from '../../domain/errors.ts';
import { callerIdField, subjectFields, shortTextField, toSubjectIds } from '../http/fields.ts';
import { answerSchema, namedAnswerSchemas } from './fields.ts';
import { presentMemory } from './present.ts';
import { MemoryRecord } from './records.ts';
import { defineRoute } from './route.ts';
import type { ServerSentEvent } from './server-sent-events.ts';
import { limits } from '../../domain/limits.ts';
import type { Wire } from '../http/wire.ts';

const sequence = z.int().meta({ description: 'Rises with each bundle and withdrawal.' });

const AnticipatedMemoryRecord = answerSchema('AnticipatedMemory', {
  ...MemoryRecord.shape,
  score: z.number().meta({ description: 'How likely it is needed; comparable within a bundle only.' }),
  reason: z.enum(anticipationReasons).meta({
    description:
      'Why it is here. `standing`: it always holds. `due`: it falls due. `context`: what is said brought it to mind. ' +
      '`learned`: it was of use when the like was said before.',
  }),
});
const BundleRecord = z
  .object({
    bundle_id: z.string(),
    sequence,
    memories: z.array(AnticipatedMemoryRecord),
    total_tokens: z.int(),
    snapshot: z.boolean().meta({ description: 'Nothing before it counts.' }),
  })
  .meta({ description: 'The event `bundle`: the whole current set, which replaces the one before.' })
  .register(namedAnswerSchemas, { id: 'Bundle' });
const WithdrawalRecord = z
  .object({ sequence, memory_ids: z.array(z.string()) })
  .meta({ description: 'The event `withdrawal`: memories of the current bundle which must not be used any more.' })
  .register(namedAnswerSchemas, { id: 'Withdrawal' });
const AnticipatedEvent = z
  .union([BundleRecord, WithdrawalRecord])
  .register(namedAnswerSchemas, { id: 'AnticipatedEvent' });

const anyProvenance = `(?:${provenances.join('|')})`;
const allProvenances = provenances.join(', ');
const ProvenanceList = z
  .string()
  .regex(
    new RegExp(`^${anyProvenance}(?:,${anyProvenance}){0,${provenances.length - 1}}$`),
    `must be one or several of ${allProvenances}, with commas between`,
  )
  .transform((list) => list.split(',') as Provenance[])
  .meta({ description: `Only what one of these said, with commas between: ${allProvenances}.` });

const lastEventId = 'The `id` of the last event that you took, to go on from it; as the header `Last-Event-ID`.';

export const anticipatedRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/conversations/{conversation_id}/anticipated',
    operation: 'anticipated',
    useCase: 'watchConversation',
    group: 'Context',
    summary: 'Stream the memories likely to be needed next in a conversation',
    description:
      'Server-sent events, re-ranked after each message: `bundle` is the whole current set of memories, ' +
      '`withdrawal` names those that must not be used any more, `problem` says why the stream ends. Comments in between ' +
      'show that it lives. A browser whose connection broke goes on where it was (`Last-Event-ID`), for five minutes. ' +
      '404: the conversation was never seen.',
    params: z.object({ conversation_id: callerIdField('A UUID, or your own id.') }),
    query: z.strictObject({
      ...subjectFields,
      token_budget: z.coerce.number().int().min(1).max(limits.bundleBudget.max).default(2_000).meta({
        description: 'Tokens that the contents of one bundle may have together.',
      }),
      provenance: ProvenanceList.optional(),
      last_event_id: shortTextField(limits.eventId, lastEventId).optional(),
      access_token: shortTextField(
        limits.tokenInQuery,
        'A browser token, where no header can be sent (`EventSource`). Never a key.',
      ).optional(),
    }),
    answer: AnticipatedEvent,
    contentType: 'text/event-stream',
    errors: ['context_not_found'],
    takesTokenInQuery: true,
    async handle(app, { access, params, query, lastEventId: inHeader, untilLeft }) {
      const session = sessionOf(inHeader || query.last_event_id);
      const { updates } = await app.watchConversation(access, {
        ...toSubjectIds(query),
        ...session,
        conversationId: params.conversation_id,
        tokenBudget: query.token_budget,
        provenance: query.provenance,
      });
      return { events: eventsOf(updates(untilLeft()), session.sessionId) };
    },
  }),
];

type WatchedConversation = Awaited<ReturnType<App['watchConversation']>>;

const eventId = /^([0-9a-f]{32})[.](\d{1,15})$/;

/** The id of an event names the session too: a browser brings back nothing else. */
function sessionOf(taken: string | undefined): { sessionId: string; lastSequence: number } {
  if (!taken) return { sessionId: randomBytes(16).toString('hex'), lastSequence: 0 };
  const [, sessionId, last] = eventId.exec(taken) ?? [];
  if (!sessionId) throw invalidInputError('last_event_id', 'must be the id of an event of this stream');
  return { sessionId, lastSequence: Number(last) };
}

async function* eventsOf(
  updates: ReturnType<WatchedConversation['updates']>,
  sessionId: string,
): AsyncGenerator<ServerSentEvent> {
  for await (const update of updates) yield eventOf(update, sessionId);
}

function eventOf(update: Update, sessionId: string): ServerSentEvent {
  switch (update.kind) {
    case 'bundle': {
      const data: Wire<typeof BundleRecord> = {
        bundle_id: update.bundleId,
        sequence: update.sequence,
        // A watcher keeps no bundle, so each memory is here in full.
        memories: update.memories.flatMap((memory) => ('held' in memory ? [] : presentAnticipated(memory))),
        total_tokens: update.totalTokens,
        snapshot: update.isSnapshot,
      };
      return { name: 'bundle', id: `${sessionId}.${update.sequence}`, data };
    }
    case 'withdrawal': {
      const data: Wire<typeof WithdrawalRecord> = { sequence: update.sequence, memory_ids: update.memoryIds };
      return { name: 'withdrawal', id: `${sessionId}.${update.sequence}`, data };
    }
    default:
      return {};
  }
}

const presentAnticipated = (memory: AnticipatedMemory): Wire<typeof AnticipatedMemoryRecord> => ({
  ...presentMemory(memory),
  score: memory.score,
  reason: memory.reason,
});
