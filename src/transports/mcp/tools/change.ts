import { z } from 'zod';
import { DomainError } from '../../../domain/errors.ts';
import type { SubjectIds } from '../../../domain/tenancy/access.ts';
import { correctionFields, toCorrection } from '../../http/fields.ts';
import { scopeOfInstance, type ToolCall } from '../connection.ts';
import { DeletionRecord, MemoryRecord, presentDeletion, presentMemory, ScopeRecord } from '../records.ts';
import { defineTool } from '../tool.ts';

const memoryId = z.string().meta({ description: '`mem_…`, as recall and list_memories tell it.' });

/**
 * Requires that a memory belongs to the subject that the address or the credential fixes: the model of one user has no
 * say in memories that others read too. Throws `forbidden` and `not_found`.
 */
async function requireOwn({ app, access, fixed }: ToolCall, id: string, about: SubjectIds): Promise<void> {
  if (fixed.userId === undefined && fixed.customerId === undefined) return;
  const { scope } = await app.memory(access, id, about);
  if (scope === 'USER' || (scope === 'CUSTOMER' && fixed.userId === undefined)) return;
  throw new DomainError(
    'forbidden',
    'this memory is shared with others and cannot be changed through a connection that is fixed to one user or customer: ' +
      'use `remember` for what is true for them, or a connection without user_id and customer_id',
  );
}

export const correctTool = defineTool({
  name: 'correct',
  title: 'Correct a memory',
  description:
    'Gives a memory other words, another type or other times, when the user says that it is wrong or has changed; it ' +
    'keeps its id. What new words state counts as said now.',
  useCase: 'correctMemory',
  effect: 'replaces',
  input: z.strictObject({ memory_id: memoryId, ...correctionFields }),
  output: z.object({ memory: MemoryRecord, scope: ScopeRecord }),
  async run(call, { memory_id: id, ...sent }, about) {
    await requireOwn(call, id, about);
    const memory = await call.app.correctMemory(call.access, id, { ...toCorrection(sent), ...about });
    return { memory: presentMemory(memory), scope: scopeOfInstance(call, about) };
  },
});

export const undoSupersedeTool = defineTool({
  name: 'undo_supersede',
  title: 'Bring back a replaced memory',
  description:
    'Takes back that a memory was replaced by something said later: it holds again, and so does what had replaced it.',
  useCase: 'undoSupersede',
  effect: 'replaces',
  input: z.strictObject({ memory_id: memoryId.meta({ description: 'The memory that was replaced.' }) }),
  output: z.object({ memory: MemoryRecord, scope: ScopeRecord }),
  async run(call, { memory_id: id }, about) {
    await requireOwn(call, id, about);
    const memory = await call.app.undoSupersede(call.access, id, about);
    return { memory: presentMemory(memory), scope: scopeOfInstance(call, about) };
  },
});

export const forgetTool = defineTool({
  name: 'forget',
  title: 'Forget a memory',
  description:
    'Removes one memory from every store, for good. Only when the user asks for it: it cannot be undone. To replace what ' +
    'is wrong, use correct.',
  useCase: 'forgetMemory',
  effect: 'removes',
  input: z.strictObject({
    memory_id: memoryId,
    everything_that_says_it: z
      .boolean()
      .default(false)
      .meta({ description: 'Also the other memories of the turns that say it, and those turns themselves.' }),
  }),
  output: z.object({ ...DeletionRecord.shape, scope: ScopeRecord }),
  async run(call, { memory_id: id, everything_that_says_it: cascade }, about) {
    await requireOwn(call, id, about);
    const receipt = await call.app.forgetMemory(call.access, id, { ...about, cascade });
    return { ...presentDeletion(receipt), scope: scopeOfInstance(call, about) };
  },
});
