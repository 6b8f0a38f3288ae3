import { z } from 'zod';
import { ingestionStatuses } from '../../../domain/ingestion/ingestion.ts';
import { formatLimit, limits } from '../../../domain/limits.ts';
import { callerIdField, textField, timeField } from '../../http/fields.ts';
import { searchedScopeOf } from '../connection.ts';
import { MemoryRecord, presentMemory, ScopeRecord } from '../records.ts';
import { defineTool } from '../tool.ts';

/** Most notes are remembered within a second; a model that waits longer has lost its user. */
const timeoutMs = 10_000;

export const rememberTool = defineTool({
  name: 'remember',
  title: 'Remember something',
  description:
    'Keeps one statement for later conversations, word for word, and answers with its memory, which can be recalled at ' +
    'once. Write it so that it can be read alone: "Ada moved to York in May 2026." To change what is known, use correct.',
  useCase: 'submitAndWait',
  effect: 'adds',
  input: z.strictObject({
    text: textField(limits.message.max).meta({
      description: `What to remember; at most ${formatLimit(limits.message)}.`,
    }),
    said_at: timeField('When it was said; without it, now.').optional(),
    conversation_id: callerIdField('The conversation it was said in.').optional(),
  }),
  output: z.object({
    ingestion_id: z.string(),
    status: z.enum(ingestionStatuses).meta({ description: 'Until `completed`, the memories cannot be recalled yet.' }),
    memories: z.array(MemoryRecord),
    warnings: z.array(z.string()),
    scope: ScopeRecord,
  }),
  async run(call, input, about) {
    const { app, access, left } = call;
    const submission = {
      document: input.text,
      documentType: 'note',
      mode: 'verbatim',
      provenance: 'assistant', // whatever the user said, it is the model that chose these words
      documentCreatedAt: input.said_at,
      conversationId: input.conversation_id,
      ...about,
    } as const;
    const ingestion = await app.submitAndWait(access, submission, { ms: timeoutMs, signal: left });
    const memories = await app.memoriesByIds(access, ingestion.memoryIds);
    return {
      ingestion_id: ingestion.id,
      status: ingestion.status,
      memories: memories.flatMap((memory) => (memory ? [presentMemory(memory)] : [])),
      warnings: ingestion.warnings,
      scope: searchedScopeOf(call, about),
    };
  },
});
