import { z } from 'zod';
import type { ClientEvent } from '../../../domain/administration/state-machines.ts';
import { limits } from '../../../domain/limits.ts';
import { clientStates } from '../../../domain/tenancy/client.ts';
import { shortTextField } from '../../http/fields.ts';
import { presageIdField, pageParameters, requestSchema, toPageRequest } from '../fields.ts';
import { presentPage } from '../present.ts';
import { defineAdminRoute } from '../route.ts';
import { presentAudit, presentClient, presentUsage } from './present.ts';
import { AuditPage, ClientPage, ClientRecord, UsagePage } from './records.ts';

const group = 'Clients';
const byId = z.object({ client_id: presageIdField('`cli_…`') });
const page = z.strictObject(pageParameters);

const ClientBody = requestSchema('ClientBody', {
  name: shortTextField(limits.name, 'How administrators tell it from others.'),
});

export const clientRoutes = [
  defineAdminRoute({
    method: 'POST',
    path: '/v1/admin/clients',
    useCase: 'administration.createClient',
    group,
    summary: 'Make a client',
    description: 'An organisation that uses Presage; it owns instances.',
    body: ClientBody,
    answer: ClientRecord,
    statuses: [201],
    example: { name: 'Clinic on the Hill' },
    handle: async (app, { admin, body }) => ({
      body: presentClient(await app.administration.createClient(admin, body)),
    }),
  }),
  defineAdminRoute({
    method: 'GET',
    path: '/v1/admin/clients',
    useCase: 'administration.clients',
    group,
    summary: 'List clients',
    description: 'The newest first.',
    query: page.extend({ state: z.enum(clientStates).optional() }),
    answer: ClientPage,
    handle: async (app, { admin, query: { state, ...request } }) => ({
      body: presentPage(await app.administration.clients(admin, { state }, toPageRequest(request)), presentClient),
    }),
  }),
  defineAdminRoute({
    method: 'GET',
    path: '/v1/admin/clients/{client_id}',
    useCase: 'administration.client',
    group,
    summary: 'Read a client',
    params: byId,
    answer: ClientRecord,
    errors: ['not_found'],
    handle: async (app, { admin, params }) => ({
      body: presentClient(await app.administration.client(admin, params.client_id)),
    }),
  }),
  defineAdminRoute({
    method: 'PATCH',
    path: '/v1/admin/clients/{client_id}',
    useCase: 'administration.renameClient',
    group,
    summary: 'Rename a client',
    params: byId,
    body: ClientBody,
    answer: ClientRecord,
    errors: ['not_found', 'conflict'],
    example: { name: 'Clinic by the River' },
    handle: async (app, { admin, params, body }) => ({
      body: presentClient(await app.administration.renameClient(admin, { id: params.client_id, ...body })),
    }),
  }),
  stateChange('POST', 'activate', 'Let a client be active again', 'Its instances answer their keys again.'),
  stateChange(
    'POST',
    'deactivate',
    'Deactivate a client',
    'The keys of its instances are refused from their next call on.',
  ),
  stateChange('POST', 'archive', 'Archive a client', 'Only an inactive one; it does not become active again.'),
  stateChange('DELETE', 'purge', 'Purge a client', 'Only an archived one without instances. For owners.'),
  defineAdminRoute({
    method: 'GET',
    path: '/v1/admin/clients/{client_id}/usage',
    useCase: 'administration.clientUsage',
    group,
    summary: 'What a client used',
    description: 'By month and instance, the newest month first, since the first day.',
    params: byId,
    query: page,
    answer: UsagePage,
    errors: ['not_found'],
    handle: async (app, { admin, params, query }) => ({
      body: presentPage(
        await app.administration.clientUsage(admin, params.client_id, toPageRequest(query)),
        presentUsage,
      ),
    }),
  }),
  defineAdminRoute({
    method: 'GET',
    path: '/v1/admin/clients/{client_id}/audit',
    useCase: 'administration.clientAudit',
    group,
    summary: 'What was changed of a client',
    description:
      'Changes of the client and of its instances, the newest first: who made each, when, and what was there before ' +
      'and after.',
    params: byId,
    query: page,
    answer: AuditPage,
    errors: ['not_found'],
    handle: async (app, { admin, params, query }) => ({
      body: presentPage(
        await app.administration.clientAudit(admin, params.client_id, toPageRequest(query)),
        presentAudit,
      ),
    }),
  }),
];

/** A step of a client's life: each event is a route of its own. */
function stateChange(method: 'POST' | 'DELETE', event: ClientEvent, summary: string, description: string) {
  const isPurge = event === 'purge';
  return defineAdminRoute({
    method,
    path: isPurge ? '/v1/admin/clients/{client_id}' : `/v1/admin/clients/{client_id}/${event}`,
    operation: `${event}Client`,
    useCase: isPurge ? 'administration.purgeClient' : 'administration.changeClientState',
    group,
    summary,
    description: `${description} 409: its state does not allow it.`,
    params: byId,
    answer: ClientRecord,
    errors: ['not_found', 'conflict'],
    handle: async (app, { admin, params }) => ({
      body: presentClient(
        await (event === 'purge'
          ? app.administration.purgeClient(admin, params.client_id)
          : app.administration.changeClientState(admin, { id: params.client_id, event })),
      ),
    }),
  });
}
