import { compressionRatio, type Compaction, type CompactionFormat } from '../../domain/compaction/compaction.ts';
import { toPublicId } from '../../domain/ids.ts';
import type * as records from './compaction-records.ts';
import type { Wire } from '../http/wire.ts';

type CompactionWire = Wire<typeof records.CompactionRecord>;

/** A version in one format; in both where none is named. */
export const presentCompaction = (compaction: Compaction, format?: CompactionFormat): CompactionWire => ({
  compaction_id: compaction.id,
  conversation_id: compaction.conversationId,
  version: compaction.version,
  strategy: compaction.strategy,
  ...(format === 'full' ? {} : { system_prompt: compaction.systemPrompt }),
  ...(format === 'system_prompt'
    ? {}
    : { narrative: compaction.narrative, extractions: presentExtractions(compaction) }),
  original_tokens: compaction.originalTokens,
  compacted_tokens: compaction.compactedTokens,
  compression_ratio: compressionRatio(compaction),
  validation_score: compaction.validationScore,
  quality_warning: compaction.qualityWarning,
  through_turn: compaction.throughTurn,
  extends_previous: compaction.extendsPrevious,
  created_at: compaction.createdAt.toISOString(),
});

const presentExtractions = ({ pins, memories }: Compaction): NonNullable<CompactionWire['extractions']> => ({
  pins: pins.map(({ kind, text, turns, speaker, memoryId }) => ({
    kind,
    text,
    turns,
    speaker,
    memory_id: memoryId && toPublicId('memory', memoryId),
  })),
  memories: memories.map(({ memoryId, type, category, content, turns }) => ({
    memory_id: toPublicId('memory', memoryId),
    type,
    category,
    content,
    turns,
  })),
});
