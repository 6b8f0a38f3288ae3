import { z } from 'zod';
import { documentTypes } from '../../../domain/configurations/configuration.ts';
import { ingestionStatuses } from '../../../domain/ingestion/ingestion.ts';
import { amountOf, limits } from '../../../domain/limits.ts';
import { foreignId, text, time } from '../../http/fields.ts';
import { scopeOf } from '../connection.ts';
import { MemoryRecord, presentMemory, ScopeRecord } from '../records.ts';
import { tool } from '../tool.ts';

/** Most notes are remembered within one; a model that waits longer has lost its user. */
const patienceMs = 10_000;

export const remember = tool({
  name: 'remember',
  title: 'Remember something',
  description:
    'Keeps what a user said for later conversations. Give it in their own words, in the first person: "I moved to York." ' +
    'Answers with the memories that were made of it. What is said twice is kept once, and a new value replaces the old.',
  useCase: 'submitAndWait',
  effect: 'adds',
  input: z.strictObject({
    text: text(limits.message.most).meta({ description: `What to remember; at most ${amountOf(limits.message)}.` }),
    document_type: z.enum(documentTypes).default('note').meta({ description: 'What kind of text it is.' }),
    said_at: time('When it was said; without it, now.').optional(),
    conversation_id: foreignId('The conversation it was said in.').optional(),
  }),
  output: z.object({
    ingestion_id: z.string(),
    status: z.enum(ingestionStatuses).meta({ description: 'Until `completed`, the memories cannot be recalled yet.' }),
    memories: z.array(MemoryRecord),
    discarded: z.number().meta({ description: 'Statements that were not worth keeping, or known already.' }),
    warnings: z.array(z.string()),
    scope: ScopeRecord,
  }),
  async run(call, input, about) {
    const { app, access, left } = call;
    const submission = {
      document: input.text,
      documentType: input.document_type,
      mode: 'long-range',
      documentCreatedAt: input.said_at,
      conversationId: input.conversation_id,
      ...about,
    } as const;
    const ingestion = await app.submitAndWait(access, submission, { ms: patienceMs, signal: left });
    const memories = await app.memoriesByIds(access, ingestion.memoryIds);
    return {
      ingestion_id: ingestion.id,
      status: ingestion.status,
      memories: memories.flatMap((memory) => (memory ? [presentMemory(memory)] : [])),
      discarded: ingestion.discarded,
      warnings: [...ingestion.warnings],
      scope: scopeOf(call, about),
    };
  },
});
