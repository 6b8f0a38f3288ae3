import { z } from 'zod';
import { deletionRecord, presentDeletion } from './receipts.ts';
import { callerIdField, subjectFields } from '../http/fields.ts';
import { answerSchema, isoTimeField, idPageParameters, pageFieldsOf, toPageRequest } from './fields.ts';
import { presentLines } from './lines.ts';
import { ExportLine } from './conversation-records.ts';
import { presentExported } from './present-conversation.ts';
import { presentMemory, presentPage, toIsoOrNull } from './present.ts';
import { MemoryRecord } from './records.ts';
import { defineRoute } from './route.ts';

const UserDeletion = deletionRecord('UserDeletion', { user_id: z.string() });
const CustomerDeletion = deletionRecord('CustomerDeletion', { customer_id: z.string() });

const group = 'Users and customers';
const byUser = z.object({ user_id: callerIdField('The user, as you call them.') });
const ofCustomer = z.strictObject({ customer_id: subjectFields.customer_id });

const severalPeople =
  'Where customers are kept apart (`isolation: b2b`) one id may be several people, and all of them are meant: name the customer.';

const part = (description: string) => z.array(MemoryRecord).meta({ description });
const ProfileRecord = answerSchema('UserProfile', {
  user_id: z.string(),
  customer_id: z.string().nullable(),
  identity: part('Who they are: their name and age, home, work, family and health.'),
  standing: part('What they always want.'),
  preferences: part('What they like, and what they do not.'),
  recent: part('What else they said last, statements before passages.'),
  text: z.string().meta({ description: 'The whole profile as a block of text for the prompt of a model.' }),
});

const UserRecord = answerSchema('User', {
  user_id: z.string(),
  customer_id: z.string().nullable().meta({ description: 'The customer that was asked for; null: none was.' }),
  last_active_at: isoTimeField(
    'When a call last named them, in whatever customer; seconds late. Null: it is not known.',
  ).nullable(),
});
const CustomerRecord = answerSchema('Customer', { customer_id: z.string() });

export const userRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/users',
    operation: 'users',
    useCase: 'lists.users',
    group,
    summary: 'List users',
    description: 'Everybody who was heard of and not forgotten, in the order of their ids; with a customer, its users.',
    query: ofCustomer.extend({
      prefix: callerIdField('Only users whose ids begin so.').optional(),
      ...idPageParameters,
    }),
    answer: answerSchema('UserPage', pageFieldsOf(UserRecord)),
    async handle(app, { access, query }) {
      const customerId = query.customer_id;
      const request = { ...toPageRequest(query), filter: { prefix: query.prefix } };
      const page =
        customerId === undefined
          ? await app.lists.users(access, request)
          : (await app.lists.usersOf(access, [{ customerId }], request))[0]!;
      const userIds = page.data.map(({ userId }) => userId);
      const lastCalls = await app.lists.lastCalls(access, userIds);
      const users = userIds.map((userId, n) => ({ userId, lastCall: lastCalls[n]! }));
      return {
        body: presentPage({ ...page, data: users }, ({ userId, lastCall }) => ({
          user_id: userId,
          customer_id: customerId ?? null,
          last_active_at: toIsoOrNull(lastCall),
        })),
      };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/customers',
    operation: 'customers',
    useCase: 'lists.customers',
    group,
    summary: 'List customers',
    description: 'In the order of their ids, also those that are known by their users only.',
    query: z.strictObject(idPageParameters),
    answer: answerSchema('CustomerPage', pageFieldsOf(CustomerRecord)),
    async handle(app, { access, query }) {
      const page = await app.lists.customers(access, toPageRequest(query));
      return { body: presentPage(page, ({ customerId }) => ({ customer_id: customerId })) };
    },
  }),
  // Not below /v1/users, where the compatible library has a profile of another form: src/transports/compat/profile.ts.
  defineRoute({
    method: 'GET',
    path: '/v1/profiles/{user_id}',
    useCase: 'userProfile',
    group,
    summary: 'Read who a user is',
    description:
      'Made of their own memories that hold now, at most twenty a part, the newest first. 404: nothing is remembered of them.',
    params: byUser,
    query: ofCustomer,
    answer: ProfileRecord,
    errors: ['not_found'],
    async handle(app, { access, params, query }) {
      const subject = { userId: params.user_id, customerId: query.customer_id };
      const { identity, standing, preferences, recent, text } = await app.userProfile(access, subject);
      return {
        body: {
          user_id: params.user_id,
          customer_id: query.customer_id ?? null,
          identity: identity.map(presentMemory),
          standing: standing.map(presentMemory),
          preferences: preferences.map(presentMemory),
          recent: recent.map(presentMemory),
          text,
        },
      };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/users/{user_id}',
    operation: 'forgetUser',
    useCase: 'forgetOwner',
    group,
    summary: 'Forget a user',
    description:
      'Every document, conversation and memory of the user; with `customer_id`, only those within that customer. What they ' +
      'said in a document of their customer (`customer_documents` of the configuration) is the customer’s, and stays. ' +
      severalPeople,
    params: byUser,
    query: ofCustomer,
    answer: UserDeletion,
    statuses: [200, 202],
    errors: ['not_found'],
    async handle(app, { access, params, query }) {
      const receipt = await app.forgetOwner(access, { userId: params.user_id, customerId: query.customer_id });
      return presentDeletion({ user_id: params.user_id }, receipt);
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/customers/{customer_id}',
    operation: 'forgetCustomer',
    useCase: 'forgetOwner',
    group,
    summary: 'Forget a customer',
    description: 'Every document and memory of the customer and of its users within it.',
    params: z.object({ customer_id: callerIdField('The customer, as you call it.') }),
    answer: CustomerDeletion,
    statuses: [200, 202],
    errors: ['not_found'],
    async handle(app, { access, params }) {
      const receipt = await app.forgetOwner(access, { customerId: params.customer_id });
      return presentDeletion({ customer_id: params.customer_id }, receipt);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/users/{user_id}/export',
    operation: 'exportUser',
    useCase: 'exportOwner',
    group,
    summary: 'Export a user',
    description:
      'Every memory of the user, then what was said in their conversations, with the memories that streams pushed for it: ' +
      `a JSON object a line (NDJSON). ${severalPeople}`,
    params: byUser,
    query: ofCustomer,
    answer: ExportLine,
    contentType: 'application/x-ndjson',
    errors: ['not_found'],
    handle: async (app, { access, params, query }) => ({
      lines: presentLines(
        app.exportOwner(access, { userId: params.user_id, customerId: query.customer_id }),
        presentExported,
      ),
    }),
  }),
];
