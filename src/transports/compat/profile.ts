import type { App } from '../../app.ts';
import { notFoundError, nullIfNotFound } from '../../domain/errors.ts';
import type { Memory } from '../../domain/memories/memory.ts';
import type { Access, SubjectIds } from '../../domain/tenancy/access.ts';
import { optionalCallerId, requireCustomer, requiredCallerId, toSubjectIds } from './fields.ts';
import { validate } from '../http/validate.ts';
import { z } from 'zod';
import type { CompatRoute } from './route.ts';

const About = z.object({ user_id: requiredCallerId, customer_id: optionalCallerId });

export const profileRoutes: readonly CompatRoute[] = [
  {
    method: 'GET',
    url: '/v1/users/:user_id/profile',
    useCase: 'userProfile',
    async handle(app, { access, params, query }) {
      const subject = toSubjectIds(validate(About, { ...(query as object), ...params }, 'the query'));
      await requireCustomer(app, access, subject);
      const profile = await profileOf(app, access, subject);
      if (!profile) throw notFoundError('profile');
      return { profile };
    },
  },
];

/** The profile of a user: the newest memory of each category as an attribute; null when nothing is known. */
export async function profileOf(app: App, access: Access, { userId, customerId }: SubjectIds): Promise<object | null> {
  const profile = await nullIfNotFound(app.userProfile(access, { userId: userId!, customerId }));
  if (!profile) return null;
  const { identity, standing, preferences, recent } = profile;
  const memories = [...standing, ...identity, ...preferences, ...recent.filter(({ type }) => type === 'facts')];
  return {
    attributes: Object.fromEntries(memories.toReversed().map((memory) => [memory.category, attributeOf(memory)])),
    overview: memories.map(({ content }) => content).join('\n'),
    extras: { standing: contentsOf(standing), recent: contentsOf(recent) },
    _meta: { memory_count: memories.length },
  };
}

const contentsOf = (memories: readonly Memory[]): string[] => memories.map(({ content }) => content);

const attributeOf = ({ content, confidence, createdAt, conversationId }: Memory) => ({
  value: content,
  confidence,
  updated_at: createdAt.toISOString(),
  ...(conversationId ? { source_conversation_id: conversationId } : {}),
});
