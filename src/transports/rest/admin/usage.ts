import { z } from 'zod';
import { invalidInputError } from '../../../domain/errors.ts';
import { UsageRecord } from '../analytics-records.ts';
import { monthField } from '../analytics.ts';
import { presageIdField } from '../fields.ts';
import { presentUsage } from '../present-analytics.ts';
import { defineAdminRoute } from '../route.ts';

export const usageRoutes = [
  defineAdminRoute({
    method: 'GET',
    path: '/v1/admin/usage',
    useCase: 'analytics.usageOf',
    group: 'Clients',
    summary: 'What a client, an instance or the whole deployment used in a month',
    description:
      'For all instances of a client, purged ones too; for one instance; or, if neither is named, for all instances, with ' +
      'the calls of administrators that concern no instance. Administrators of one client see that client only.',
    query: z.strictObject({
      client_id: presageIdField('`cli_…`').optional(),
      instance_id: presageIdField('`inst_…`').optional(),
      month: monthField.optional(),
    }),
    answer: UsageRecord,
    errors: ['not_found'],
    async handle(app, { admin, query: { client_id: clientId, instance_id: instanceId, month: named } }) {
      if (clientId !== undefined && instanceId !== undefined)
        throw invalidInputError('instance_id', 'name a client or an instance, not both');
      return { body: presentUsage(await app.analytics.usageOf(admin, { clientId, instanceId }, named)) };
    },
  }),
];
