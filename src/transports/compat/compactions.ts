import { z } from 'zod';
import type { App } from '../../app.ts';
import { compressionRatio, type Compaction } from '../../domain/compaction/compaction.ts';
import { notFoundError, nullIfNotFound } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { Access } from '../../domain/tenancy/access.ts';
import { validate } from '../http/validate.ts';
import { conversationOf, withoutIdPrefix, omitUndefined, requiredCallerId } from './fields.ts';
import { optionalField, type CompatRoute } from './route.ts';

const Compact = z.object({
  conversation_id: requiredCallerId,
  strategy: optionalField(z.enum(['aggressive', 'balanced', 'conservative', 'adaptive'])),
  target_tokens: optionalField(z.int().min(1).max(limits.compactionTarget.max)),
});
const Read = z.object({
  format: optionalField(z.enum(['structured', 'narrative', 'injection', 'bullet_points'])),
  version: optionalField(z.coerce.number().int().min(1).max(limits.version.max)),
});

export const compactionRoutes: readonly CompatRoute[] = [
  {
    method: 'POST',
    url: '/v1/conversations/compact',
    useCase: 'compactions.compact',
    isRepeatable: true,
    async handle(app, { access, body }) {
      const asked = validate(Compact, body, 'the body');
      const { conversation_id: conversationId, target_tokens: targetTokens } = asked;
      const { strategy } = asked;
      const { id } = await app.compactions.compact(access, { conversationId, strategy, targetTokens });
      return {
        compaction_id: withoutIdPrefix('compaction', id),
        conversation_id: conversationId,
        status: 'in_progress', // it is done, which the library asks for next
        trigger_type: 'manual_api',
        initiated_at: new Date().toISOString(),
        estimated_completion_seconds: 1,
        previous_context: null, // the library would answer by it for five minutes
      };
    },
  },
  {
    method: 'GET',
    url: '/v1/conversations/:conversation_id/compacted',
    useCase: 'compactions.version',
    async handle(app, { access, params, query }) {
      const { format = 'structured', version } = validate(Read, query, 'the query');
      const conversationId = conversationOf(params);
      const compaction = await latestCompaction(app, access, conversationId, version);
      if (!compaction) throw notFoundError('compaction');
      return presentCompacted(compaction, format);
    },
  },
  {
    method: 'GET',
    url: '/v1/conversations/:conversation_id/compaction/status',
    useCase: 'compactions.version',
    async handle(app, { access, params }) {
      const conversationId = conversationOf(params);
      const compaction = await latestCompaction(app, access, conversationId);
      if (!compaction) return { conversation_id: conversationId, status: 'none' };
      return {
        conversation_id: conversationId,
        status: 'completed',
        compaction_id: withoutIdPrefix('compaction', compaction.id),
        completed_at: compaction.createdAt.toISOString(),
        compression_ratio: compressionRatio(compaction),
        validation_score: compaction.validationScore,
        latest_version: compaction.version,
        latest_created_at: compaction.createdAt.toISOString(),
      };
    },
  },
];

/** A version of what a conversation was condensed to, the newest by default; null: it never was, or is not known. */
export const latestCompaction = (
  app: Pick<App, 'compactions'>,
  access: Access,
  conversationId: string,
  version?: number,
): Promise<Compaction | null> => nullIfNotFound(app.compactions.version(access, { conversationId, version }));

/** The latest compaction of a conversation; null also when it tells something replaced since. */
export const currentCompaction = (
  app: Pick<App, 'compactions'>,
  access: Access,
  conversationId: string,
): Promise<Compaction | null> => nullIfNotFound(app.compactions.current(access, { conversationId }));

const writers: Readonly<Record<string, (compaction: Compaction) => string>> = {
  structured: ({ systemPrompt }) => systemPrompt,
  injection: ({ systemPrompt }) => systemPrompt,
  narrative: ({ narrative, systemPrompt }) => narrative || systemPrompt,
  bullet_points: ({ narrative, systemPrompt }) => narrative.trimEnd().replaceAll(/^(?=\S)/gmu, '- ') || systemPrompt,
};

/** The text of a compaction in a style of the library. */
export const textOfCompaction = (compaction: Compaction, style: string): string =>
  (writers[style] ?? writers['structured']!)(compaction);

const presentCompacted = (compaction: Compaction, format: string) =>
  omitUndefined({
    formatted_context: textOfCompaction(compaction, format),
    original_token_count: Math.max(1, compaction.originalTokens),
    compacted_token_count: Math.max(1, compaction.compactedTokens),
    compression_ratio: compressionRatio(compaction),
    strategy_used: compaction.strategy,
    compaction_id: withoutIdPrefix('compaction', compaction.id),
    validation_score: compaction.validationScore,
    validation_passed: compaction.qualityWarning === null,
    quality_warning: compaction.qualityWarning !== null,
    facts: contents(compaction, 'facts'),
    preferences: contents(compaction, 'preferences'),
    decisions: decisionsOf(compaction),
    version: compaction.version,
    created_at: compaction.createdAt.toISOString(),
  });

/** What was decided in a conversation, as the library reads it. */
export const decisionsOf = ({ pins }: Compaction) =>
  pins.filter(({ kind }) => kind === 'decision').map(({ text }) => ({ content: text }));

const contents = ({ memories }: Compaction, type: string) =>
  memories.filter((memory) => memory.type === type).map(({ content }) => ({ content }));
