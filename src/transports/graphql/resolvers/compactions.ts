import { compressionRatio } from '../../../domain/compaction/compaction.ts';
import { nullIfNotFound } from '../../../domain/errors.ts';
import { toPublicId } from '../../../domain/ids.ts';
import type { Resolvers } from '../../../generated/graphql.ts';
import { toConnection, pageRequest, recordWithReader, withReader } from '../connections.ts';
import { narrowReader } from '../context.ts';
import { parseInput, CompactInput, CompactionReadInput, TurnsReadInput, parseWholeInput } from '../inputs.ts';
import { problemsAsResult } from '../outcomes.ts';

export const compactionResolvers: Resolvers = {
  Query: {
    async compaction(_, { instanceId, ...args }, context) {
      const reader = await context.reader(instanceId);
      const input = parseInput(CompactionReadInput, args);
      return recordWithReader(reader, nullIfNotFound(context.app.compactions.version(reader.access, input)));
    },
    async compactions(_, { instanceId, ...args }, context) {
      const reader = await context.reader(instanceId);
      const input = parseInput(CompactionReadInput, args);
      return toConnection(
        withReader(reader, await context.app.compactions.versions(reader.access, input, pageRequest(args))),
        args,
      );
    },
    async conversationTurns(_, { instanceId, ...args }, context) {
      const { from, to, ...input } = parseInput(TurnsReadInput, args);
      const whole = await context.reader(instanceId);
      const turns = await context.app.conversationTurns(whole.access, { ...input, ranges: [{ from, to }] });
      const reader = await narrowReader(context, whole, input);
      return turns.map(({ turn, conversationId, ...message }) => ({
        id: message.id,
        number: turn,
        conversationId,
        message,
        reader,
      }));
    },
  },
  Mutation: {
    async compactConversation(_, { input: { wait, ...input } }, { app, own }) {
      const reader = own();
      const problems = ['invalid_input', 'context_not_found'] as const;
      if (!wait)
        return problemsAsResult('CompactionQueued', problems, async () => ({
          conversationId: await app.compactions.enqueue(reader.access, parseWholeInput(CompactInput, input)),
        }));
      return problemsAsResult('Compaction', problems, async () => ({
        ...(await app.compactions.compact(reader.access, parseWholeInput(CompactInput, input))),
        reader,
      }));
    },
  },
  ConversationTurn: {
    async anticipated({ conversationId, number, reader }) {
      const pushed = await reader.loaders.memoriesOfTurn.load(null, { conversationId, n: number });
      const memories = await Promise.all((pushed ?? []).map(({ memoryId }) => reader.loaders.memories.load(memoryId)));
      return (
        pushed?.flatMap(({ leadTimeMs, isUsed }, n) => {
          const memory = memories[n];
          return memory ? { leadTimeMs, isUsed, memory: { ...memory, reader } } : []; // not one that this reader may not read
        }) ?? null
      );
    },
  },
  Compaction: {
    compressionRatio,
    pins: ({ id, pins }) =>
      pins.map((pin) => ({ ...pin, id, memoryId: pin.memoryId && toPublicId('memory', pin.memoryId) })),
    memories: ({ memories }) =>
      memories.map((memory) => ({ ...memory, memoryId: toPublicId('memory', memory.memoryId) })),
  },
};
