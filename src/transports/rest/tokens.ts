import { z } from 'zod';
import { defaultTokenLifeSeconds } from '../../domain/administration/browser-tokens.ts';
import { callerIdField, subjectFields, toSubjectIds } from '../http/fields.ts';
import { answerSchema, isoTimeField, requestSchema } from './fields.ts';
import { defineRoute } from './route.ts';
import { limits } from '../../domain/limits.ts';

const TokenBody = requestSchema('BrowserTokenRequest', {
  ...subjectFields,
  conversation_id: callerIdField(
    'The only conversation that it may name; it brings its user and customer with it.',
  ).optional(),
  ttl_seconds: z
    .int()
    .min(1)
    .max(limits.tokenLife.max)
    .default(defaultTokenLifeSeconds)
    .meta({ description: 'How long it opens something.' }),
});

const TokenRecord = answerSchema('BrowserToken', {
  token_id: z.string(),
  token: z.string().nullable().meta({
    description: 'To be sent as `Authorization: Bearer <token>`. Returned only here: null in a repetition.',
  }),
  expires_at: isoTimeField(),
  user_id: z.string().nullable().meta({ description: 'Whom it is bound to; of a conversation, whose that is.' }),
  customer_id: z.string().nullable(),
  conversation_id: z.string().nullable().meta({
    description: 'The only conversation it may name: a UUID, your own, or one made of your id.',
  }),
  external_id: z.string().nullable().meta({ description: 'Your own id of that conversation, when it is no UUID.' }),
});

export const browserTokenRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/tokens',
    useCase: 'createBrowserToken',
    group: 'Context',
    summary: 'Make a token for a browser',
    description:
      'Bound to the user, customer or conversation that you name, at least one. It fetches their context and watches ' +
      'their conversations, and allows nothing else. It ends after its time, or with the key that made it.',
    body: TokenBody,
    answer: TokenRecord,
    statuses: [201],
    errors: ['context_not_found'],
    secrets: ['token'],
    example: { user_id: 'u-42', conversation_id: 'support-17', ttl_seconds: 900 },
    async handle(app, { access, body }) {
      const { token, record } = await app.createBrowserToken(access, {
        ...toSubjectIds(body),
        conversationId: body.conversation_id,
        ttlSeconds: body.ttl_seconds,
      });
      return {
        body: {
          token_id: record.id,
          token,
          expires_at: record.expiresAt.toISOString(),
          user_id: record.userId ?? null,
          customer_id: record.customerId ?? null,
          conversation_id: record.conversationId ?? null,
          external_id: record.externalId,
        },
      };
    },
  }),
];
