import { z } from 'zod';
import type { Memory } from '../../../domain/memories/memory.ts';
import { limits } from '../../../domain/limits.ts';
import { textField } from '../../http/fields.ts';
import { searchedScopeOf, scopeOfInstance, type ToolCall } from '../connection.ts';
import { MemoryRecord, presentMemory, ScopeRecord } from '../records.ts';
import { defineTool } from '../tool.ts';

/** The characters of each memory that a list of search results shows. */
const titleLength = 80;

/** The two tools that ChatGPT and other document clients call: `search` answers ids, `fetch` one document by its id. */
export const searchTool = defineTool({
  name: 'search',
  title: 'Search memories',
  description:
    'Searches by one query and answers ids, titles and links, for clients that then fetch each by its id. recall does ' +
    'both in one call.',
  useCase: 'fetchContext',
  effect: 'reads',
  input: z.strictObject({ query: textField(limits.query.max).meta({ description: 'What to find.' }) }),
  output: z.object({
    results: z.array(z.object({ id: z.string(), title: z.string(), url: z.string() })),
    scope: ScopeRecord,
  }),
  async run(call, { query }, about) {
    const { memories, named } = await call.app.fetchContext(call.access, {
      searchQueries: [query],
      ...about,
      explain: false,
    });
    const results = memories.map((memory) => ({ id: memory.id, title: titleOf(memory), url: urlOf(call, memory) }));
    return { results, scope: searchedScopeOf(call, named) };
  },
});

export const fetchTool = defineTool({
  name: 'fetch',
  title: 'Fetch a memory',
  description: 'Reads one memory by its id: what it says, where it was said, and what replaced it since.',
  useCase: 'memory',
  effect: 'reads',
  input: z.strictObject({ id: z.string().meta({ description: '`mem_…`' }) }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string(),
    metadata: MemoryRecord.extend({ quotes: z.array(z.string()) }),
    scope: ScopeRecord,
  }),
  async run(call, { id }, about) {
    const memory = await call.app.memory(call.access, id, about);
    return {
      id: memory.id,
      title: titleOf(memory),
      text: memory.content,
      url: urlOf(call, memory),
      metadata: { ...presentMemory(memory), quotes: memory.evidence.map(({ quote }) => quote) },
      scope: scopeOfInstance(call, about),
    };
  },
});

const urlOf = ({ baseUrl }: ToolCall, { id }: Memory) => `${baseUrl}/v1/memories/${id}`;

const titleOf = ({ content }: Memory) =>
  content.length <= titleLength ? content : `${content.slice(0, titleLength - 1).trimEnd()}…`;
