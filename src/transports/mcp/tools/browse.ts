import { z } from 'zod';
import { memoryTypes } from '../../../domain/memory-types.ts';
import { provenances } from '../../../domain/extraction/provenance.ts';
import { limits } from '../../../domain/limits.ts';
import { memoryStatuses } from '../../../domain/memories/memory.ts';
import { shortTextField } from '../../http/fields.ts';
import { scopeOfInstance } from '../connection.ts';
import { EntityRecord, MemoryRecord, presentEntity, presentMemory, ScopeRecord } from '../records.ts';
import { defineTool } from '../tool.ts';

/** A page that a model can read; REST answers more at once. */
const usualPage = 20;
const paging = {
  limit: z.int().min(1).max(limits.page.max).default(usualPage).meta({ description: 'How many to answer.' }),
  cursor: shortTextField(limits.cursor, 'The `next_cursor` of the page before.').optional(),
};
const nextCursor = z.string().nullable().meta({ description: 'Null: this is the last page.' });

export const listMemoriesTool = defineTool({
  name: 'list_memories',
  title: 'List memories',
  description: 'Lists what is remembered, newest first, by filters that must all fit. To find by meaning, use recall.',
  useCase: 'memories',
  effect: 'reads',
  input: z.strictObject({
    q: shortTextField(limits.search, 'Words that a memory must all have, in any form.').optional(),
    type: z.enum(memoryTypes).optional(),
    category: shortTextField(limits.category, 'Such as `work` or `likes`.').optional(),
    status: z.enum(memoryStatuses).default('active').meta({ description: '`superseded`: what was replaced.' }),
    provenance: z.enum(provenances).optional().meta({ description: 'What this one said.' }),
    entity_id: shortTextField(limits.id, 'Memories that mention this entity.').optional(),
    ...paging,
  }),
  output: z.object({ memories: z.array(MemoryRecord), next_cursor: nextCursor, scope: ScopeRecord }),
  async run(call, { limit, cursor, entity_id: entityId, ...filters }, about) {
    const filter = { ...about, ...filters, entityId };
    const page = await call.app.memories(call.access, filter, { limit, cursor });
    return {
      memories: page.data.map(presentMemory),
      next_cursor: page.nextCursor,
      scope: scopeOfInstance(call, about),
    };
  },
});

export const listEntitiesTool = defineTool({
  name: 'list_entities',
  title: 'List people, places and things',
  description: 'Lists the people, places and things that memories mention. list_memories takes their ids.',
  useCase: 'entities',
  effect: 'reads',
  input: z.strictObject({
    q: shortTextField(limits.search, 'A name, in any case.').optional(),
    kind: shortTextField(limits.kind, 'Such as `person` or `place`.').optional(),
    ...paging,
  }),
  output: z.object({ entities: z.array(EntityRecord), next_cursor: nextCursor, scope: ScopeRecord }),
  async run(call, { limit, cursor, q, kind }, about) {
    const page = await call.app.entities(call.access, { ...about, q, kind }, { limit, cursor });
    return {
      entities: page.data.map(presentEntity),
      next_cursor: page.nextCursor,
      scope: scopeOfInstance(call, about),
    };
  },
});
