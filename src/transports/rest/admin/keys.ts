import { z } from 'zod';
import { limits } from '../../../domain/limits.ts';
import { shortTextField } from '../../http/fields.ts';
import { presageIdField, pageParameters, requestSchema, toPageRequest } from '../fields.ts';
import { presentPage } from '../present.ts';
import { defineInstanceRoute, instancePathParameters } from './define-instance-route.ts';
import { presentKey } from './present.ts';
import { KeyPage, KeyRecord, NewKeyRecord } from './records.ts';

const group = 'Keys';
const path = '/v1/admin/instances/{instance_id}/keys';

const NewKey = requestSchema('NewKeyBody', {
  label: shortTextField(limits.label, 'What it is for; kept sealed.').optional(),
});

export const keyRoutes = [
  defineInstanceRoute({
    method: 'POST',
    path,
    useCase: 'createKey',
    group,
    summary: 'Make a key',
    body: NewKey,
    answer: NewKeyRecord,
    statuses: [201],
    secrets: ['api_key'],
    example: { label: 'the agent in production' },
    async handle(app, { access, body }) {
      const { key, record } = await app.createKey(access, { label: body.label ?? null });
      return { body: { ...presentKey(record), api_key: key } };
    },
  }),
  defineInstanceRoute({
    method: 'GET',
    path,
    useCase: 'keys',
    group,
    summary: 'List keys',
    description: 'The newest first, revoked ones too; never the keys themselves.',
    query: z.strictObject(pageParameters),
    answer: KeyPage,
    async handle(app, { access, query }) {
      return { body: presentPage(await app.keys(access, toPageRequest(query)), presentKey) };
    },
  }),
  defineInstanceRoute({
    method: 'DELETE',
    path: `${path}/{key_id}`,
    useCase: 'revokeKey',
    group,
    summary: 'Revoke a key',
    description:
      'The key is invalid from its next call on, and its open streams end. To revoke it again answers the same.',
    params: instancePathParameters.extend({ key_id: presageIdField('`key_…`') }),
    answer: KeyRecord,
    async handle(app, { access, params }) {
      return { body: presentKey(await app.revokeKey(access, params.key_id)) };
    },
  }),
];
