import type { App } from '../../app.ts';
import { notFound } from '../../domain/errors.ts';
import type { Memory } from '../../domain/memories/memory.ts';
import type { Access, Named } from '../../domain/tenancy/access.ts';
import { foreignId, iso, requireCustomer, requiredId, toNamed } from './fields.ts';
import { validate } from '../http/validate.ts';
import { z } from 'zod';
import type { CompatRoute } from './route.ts';

const About = z.object({ user_id: requiredId, customer_id: foreignId });

export const profiles: readonly CompatRoute[] = [
  {
    method: 'GET',
    url: '/v1/users/:user_id/profile',
    useCase: 'memories',
    async handle(app, { access, params, query }) {
      const whose = toNamed(validate(About, { ...(query as object), ...params }, 'the query'));
      await requireCustomer(app, access, whose);
      const profile = await profileOf(app, access, whose);
      if (!profile) throw notFound('profile');
      return { profile };
    },
  },
];

const told = { facts: 20, preferences: 20 } as const;

/** What is known of a user: facts and preferences that hold, the newest of each category as an attribute. */
export async function profileOf(app: App, access: Access, whose: Named): Promise<object | null> {
  const lists = await Promise.all(
    (['facts', 'preferences'] as const).map((type) =>
      app.memories(access, { ...whose, type, status: 'active' }, { limit: told[type] }),
    ),
  );
  const memories = lists.flatMap(({ data }) => data);
  if (!memories.length) return null;
  return {
    attributes: Object.fromEntries(memories.toReversed().map((memory) => [memory.category, attributeOf(memory)])),
    overview: memories.map(({ content }) => content).join('\n'),
    extras: {},
    _meta: { memory_count: memories.length },
  };
}

const attributeOf = ({ content, confidence, createdAt, conversationId }: Memory) => ({
  value: content,
  confidence,
  updated_at: iso(createdAt),
  ...(conversationId ? { source_conversation_id: conversationId } : {}),
});
