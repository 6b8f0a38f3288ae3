import { z } from 'zod';
import { limits } from '../../../domain/limits.ts';
import { instanceStates } from '../../../domain/tenancy/instance.ts';
import { shortTextField } from '../../http/fields.ts';
import { pageParameters, requestSchema, toPageRequest } from '../fields.ts';
import { presentPage } from '../present.ts';
import { defineAdminRoute } from '../route.ts';
import { instancePathParameters } from './define-instance-route.ts';
import { presentAdminInstance, presentPurge, presentStats } from './present.ts';
import { AdminInstancePage, AdminInstanceRecord, InstanceStatsRecord, PurgedInstanceRecord } from './records.ts';

const group = 'Instances';
const name = shortTextField(limits.name, 'How administrators tell it from others.');

const NewInstance = requestSchema('NewInstance', {
  name,
  client_id: shortTextField(limits.ownId, '`cli_…`: whose it is; without it, the first client’s.').optional(),
});
const InstanceBody = requestSchema('InstanceBody', { name });

export const adminInstanceRoutes = [
  defineAdminRoute({
    method: 'POST',
    path: '/v1/admin/instances',
    useCase: 'createInstance',
    group,
    summary: 'Make an instance',
    description: 'With version 1 of its configuration and without a key. 409: its client is not active.',
    body: NewInstance,
    answer: AdminInstanceRecord,
    statuses: [201],
    errors: ['conflict'],
    example: { name: 'support desk' },
    handle: async (app, { admin, body }) => ({
      body: presentAdminInstance(await app.createInstance(admin, { name: body.name, clientId: body.client_id })),
    }),
  }),
  defineAdminRoute({
    method: 'GET',
    path: '/v1/admin/instances',
    useCase: 'instances',
    group,
    summary: 'List instances',
    description: 'The instances that every given filter fits, the newest first.',
    query: z.strictObject({
      client_id: shortTextField(limits.ownId, '`cli_…`').optional(),
      state: z.enum(instanceStates).optional(),
      ...pageParameters,
    }),
    answer: AdminInstancePage,
    handle: async (app, { admin, query: { client_id: clientId, state, ...page } }) => ({
      body: presentPage(await app.instances(admin, toPageRequest(page), { clientId, state }), presentAdminInstance),
    }),
  }),
  defineAdminRoute({
    method: 'GET',
    path: '/v1/admin/instances/{instance_id}',
    operation: 'adminInstance',
    useCase: 'administration.instance',
    group,
    summary: 'Read an instance',
    params: instancePathParameters,
    answer: AdminInstanceRecord,
    errors: ['not_found'],
    handle: async (app, { admin, params }) => ({
      body: presentAdminInstance(await app.administration.instance(admin, params.instance_id)),
    }),
  }),
  defineAdminRoute({
    method: 'PATCH',
    path: '/v1/admin/instances/{instance_id}',
    useCase: 'administration.renameInstance',
    group,
    summary: 'Rename an instance',
    params: instancePathParameters,
    body: InstanceBody,
    answer: AdminInstanceRecord,
    errors: ['not_found'],
    example: { name: 'help desk' },
    handle: async (app, { admin, params, body }) => ({
      body: presentAdminInstance(await app.administration.renameInstance(admin, { id: params.instance_id, ...body })),
    }),
  }),
  stateChange('suspend', 'Suspend an instance', 'Its keys answer 403 from their next call, and open streams end.'),
  stateChange('resume', 'Resume an instance', 'A suspended one answers its keys again.'),
  stateChange(
    'archive',
    'Archive an instance',
    'Its keys answer 403. It can be suspended, and then resumed, or purged.',
  ),
  defineAdminRoute({
    method: 'DELETE',
    path: '/v1/admin/instances/{instance_id}',
    useCase: 'administration.purgeInstance',
    group,
    summary: 'Purge an instance',
    description:
      'Only an archived one. Its data key is destroyed at once; its rows are then removed from every table, and read back ' +
      'after some two minutes, when no call that was under way can write any more. Ask again to see how far it is. ' +
      'Nothing brings it back. For owners.',
    params: instancePathParameters,
    answer: PurgedInstanceRecord,
    statuses: [202],
    errors: ['not_found', 'conflict'],
    async handle(app, { admin, params }) {
      const { instance, receipt } = await app.administration.purgeInstance(admin, params.instance_id);
      return { body: { ...presentAdminInstance(instance), ...presentPurge(receipt) } };
    },
  }),
  defineAdminRoute({
    method: 'GET',
    path: '/v1/admin/instances/{instance_id}/stats',
    useCase: 'administration.instanceStats',
    group,
    summary: 'How much an instance holds',
    params: instancePathParameters,
    answer: InstanceStatsRecord,
    errors: ['not_found'],
    handle: async (app, { admin, params }) => ({
      body: presentStats(params.instance_id, await app.administration.instanceStats(admin, params.instance_id)),
    }),
  }),
];

/** A step of an instance's life: each event is a route of its own. */
function stateChange(event: 'suspend' | 'resume' | 'archive', summary: string, description: string) {
  return defineAdminRoute({
    method: 'POST',
    path: `/v1/admin/instances/{instance_id}/${event}`,
    operation: `${event}Instance`,
    useCase: 'administration.changeInstanceState',
    group,
    summary,
    description: `${description} 409: its state does not allow it.`,
    params: instancePathParameters,
    answer: AdminInstanceRecord,
    errors: ['not_found', 'conflict'],
    handle: async (app, { admin, params }) => ({
      body: presentAdminInstance(
        await app.administration.changeInstanceState(admin, { id: params.instance_id, event }),
      ),
    }),
  });
}
