import { z } from 'zod';
import type { App } from '../../app.ts';
import type { NewMessage } from '../../domain/conversations/conversation.ts';
import { invalidInputError, unavailableError, hasErrorCode } from '../../domain/errors.ts';
import type { DocumentPart } from '../../domain/extraction/documents/document-part.ts';
import { formatLimit, isLonger, limits, refuseLongTexts } from '../../domain/limits.ts';
import type { Access, SubjectIds } from '../../domain/tenancy/access.ts';
import { plainText } from '../../domain/plain-text.ts';
import { validate } from '../http/validate.ts';
import { latestCompaction } from './compactions.ts';
import {
  withoutIdPrefix,
  optionalCallerId,
  metadataField,
  subjectFields,
  requireCustomer,
  requiredCallerId,
  roleField,
  textField,
  timeField,
  toSubjectIds,
} from './fields.ts';
import { optionalField, type CompatRoute } from './route.ts';

const Turn = z.object({
  role: roleField,
  content: textField(limits.message.max),
  timestamp: timeField,
  speaker: optionalField(plainText(z.string().max(limits.speaker.max))),
  metadata: metadataField,
});
const Transcript = z.object({
  conversation_id: requiredCallerId,
  ...subjectFields,
  transcript: z.union([textField(limits.document.max), z.array(Turn).min(1).max(limits.turns.max)]),
  conversation_type: optionalCallerId,
  analysis: metadataField,
  metadata: metadataField,
  started_at: timeField,
  ended_at: timeField,
});

/** The library takes a 409 for this one by its `code`, which stands within the detail. */
export class TranscriptConflict extends Error {
  readonly body = {
    detail: {
      code: 'transcript_conflict',
      message: 'this conversation was told already, and otherwise: give another conversation_id',
    },
    error: 'this conversation was told already, and otherwise',
    code: 'TRANSCRIPT_CONFLICT',
  };
}

/** Parses a text that names its speakers into turns; null for a text that names none. */
export type ParseTranscript = (text: string, startedAt: Date) => Promise<DocumentPart[] | null>;

export const transcriptRoutes = (parseTranscript: ParseTranscript): readonly CompatRoute[] => [
  {
    method: 'POST',
    url: '/v1/conversations/ingest',
    useCase: 'addMessages',
    isRepeatable: true,
    bodyLimit: limits.textBody.max,
    async handle(app, { access, body }) {
      const sent = validate(Transcript, body, 'the body');
      const subject = toSubjectIds(sent);
      if (!subject.userId) throw invalidInputError('user_id', 'is required');
      await requireCustomer(app, access, subject);
      const turns = await turnsOf(parseTranscript, sent);
      const { recorded, conversation } = await tell(app, access, sent, turns);
      const conversationId = conversation.id;
      const ingestionId = await ingestionOf(app, access, conversationId, subject);
      // Asked of the compaction, as the process that kept these turns may have died before it asked for one.
      const compaction = await latestCompaction(app, access, conversationId);
      const isCompacted = compaction !== null && compaction.throughTurn + 1 >= conversation.messageCount;
      if (!isCompacted) await app.compactions.enqueue(access, { conversationId, ...subject });
      return {
        conversation_id: conversationId,
        external_conversation_id: sent.conversation_id,
        ingestion_id: withoutIdPrefix('ingestion', ingestionId),
        status: recorded > 0 ? 'queued' : 'duplicate',
        turns_recorded: recorded,
        summary_status: isCompacted ? 'already_compacted' : 'in_progress',
        queued_at: new Date().toISOString(),
        warnings: [],
      };
    },
  },
];

type Sent = z.output<typeof Transcript>;

/** The turns of a transcript; a text is cut where it names its speakers, who all are assistants but the user. */
async function turnsOf(
  parseTranscript: ParseTranscript,
  { transcript, started_at: startedAt }: Sent,
): Promise<NewMessage[]> {
  if (typeof transcript !== 'string') {
    refuseLongTexts('transcript', transcript, limits.messageTexts);
    return transcript.map(({ speaker, ...turn }) => ({ ...turn, name: speaker }));
  }
  const pieces = (await parseTranscript(transcript, startedAt ?? new Date())) ?? [{ content: transcript }];
  if (pieces.some(({ content }) => isLonger(content, limits.message)))
    throw invalidInputError(
      'transcript',
      `has a turn of more than ${formatLimit(limits.message)}: send it as a document`,
    );
  return pieces.map(({ content, ...piece }) => {
    const role = ('role' in piece && piece.role) || 'user';
    return {
      role: /^(?:user|human|customer|caller)$/i.test(role) ? 'user' : 'assistant',
      content,
      timestamp: startedAt,
    };
  });
}

/** Keeps those of the turns that came by no API before. Throws `TranscriptConflict` where something else was said. */
async function tell(app: App, access: Access, sent: Sent, turns: readonly NewMessage[]) {
  const subject = toSubjectIds(sent);
  const { conversation_type: type, analysis, conversation_id: conversationId } = sent;
  const noted = { ...sent.metadata, ...(type ? { conversation_type: type } : {}), ...(analysis ? { analysis } : {}) };
  const kept = Object.keys(noted).length ? noted : undefined;
  try {
    const told = { conversationId, ...subject, turns, metadata: kept };
    return await app.recordTranscript(access, told);
  } catch (error) {
    throw hasErrorCode(error, 'conflict') ? new TranscriptConflict() : error;
  }
}

/** The first ingestion of a conversation's turns, begun now where there is none. */
async function ingestionOf(app: App, access: Access, conversationId: string, subject: SubjectIds): Promise<string> {
  const first = await app.firstIngestion(access, { conversationId, ...subject });
  if (first) return first;
  const { ingestionIds } = await app.endConversation(access, { conversationId, ...subject });
  const id = ingestionIds[0] ?? (await app.firstIngestion(access, { conversationId, ...subject }));
  if (!id) throw unavailableError('the transcript is not remembered yet; try again');
  return id;
}
