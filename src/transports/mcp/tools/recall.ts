import { z } from 'zod';
import { memoryTypes } from '../../../domain/memory-types.ts';
import { limits } from '../../../domain/limits.ts';
import { relevanceOf } from '../../../domain/memories/scored-memory.ts';
import { callerIdField, provenanceFilter, someOf, textField, timeField } from '../../http/fields.ts';
import { searchedScopeOf } from '../connection.ts';
import { MemoryRecord, presentMemory, ScopeRecord } from '../records.ts';
import { defineTool } from '../tool.ts';

export const recallTool = defineTool({
  name: 'recall',
  title: 'Recall memories',
  description:
    'Finds what is remembered that bears on one or several questions, best first. Use it before answering whatever may ' +
    'depend on earlier conversations. Nothing found is an empty list, not an error.',
  useCase: 'fetchContext',
  effect: 'reads',
  input: z.strictObject({
    queries: z
      .array(textField(limits.query.max))
      .min(1)
      .max(limits.queries.max)
      .meta({ description: 'What to find, in full sentences: ["Where does the user live?"].' }),
    types: someOf(memoryTypes).optional().meta({ description: 'Only memories of these types.' }),
    provenance: provenanceFilter,
    max_results: z
      .int()
      .min(1)
      .max(limits.results.max)
      .optional()
      .meta({ description: 'Default: what the configuration says, 10 unless it was changed.' }),
    as_of: timeField('What held at this time, instead of what holds now.').optional(),
    conversation_id: callerIdField(
      'The conversation it is for; it brings its user, customer and summary with it.',
    ).optional(),
  }),
  output: z.object({
    memories: z.array(
      MemoryRecord.extend({
        relevance: z.number().meta({ description: '0 to 1: how likely it bears on the question.' }),
      }),
    ),
    summary: z.string().nullable().meta({ description: 'What the conversation was condensed to; null without one.' }),
    warnings: z.array(z.string()),
    scope: ScopeRecord,
  }),
  async run(call, input, about) {
    const found = await call.app.fetchContext(call.access, {
      searchQueries: input.queries,
      types: input.types,
      provenance: input.provenance,
      maxResults: input.max_results,
      asOf: input.as_of,
      conversationId: input.conversation_id,
      ...about,
      explain: false,
    });
    return {
      memories: found.memories.map((memory) => ({ ...presentMemory(memory), relevance: relevanceOf(memory.score) })),
      summary: found.summary?.text ?? null,
      warnings: found.warnings,
      scope: searchedScopeOf(call, found.named),
    };
  },
});
