import { z } from 'zod';
import { invalid } from '../../../domain/errors.ts';
import { UsageRecord } from '../analytics-records.ts';
import { month } from '../analytics.ts';
import { ownId } from '../fields.ts';
import { presentUsage } from '../present-analytics.ts';
import { adminRoute } from '../route.ts';

export const usage = [
  adminRoute({
    method: 'GET',
    path: '/v1/admin/usage',
    operation: 'usageOf',
    useCase: 'analytics.usageOf',
    group: 'Clients',
    summary: 'What a client, an instance or the whole deployment used in a month',
    description:
      'Of all instances of a client together, purged ones too; of one instance; or, naming neither, of all there are, with ' +
      'the calls of administrators that are about no instance. An administrator of one client is told of that client.',
    query: z.strictObject({
      client_id: ownId('`cli_…`').optional(),
      instance_id: ownId('`inst_…`').optional(),
      month: month.optional(),
    }),
    answer: UsageRecord,
    statuses: [200],
    errors: ['not_found'],
    async handle(app, { admin, query: { client_id: clientId, instance_id: instanceId, month: named } }) {
      if (clientId !== undefined && instanceId !== undefined)
        throw invalid('instance_id', 'name a client or an instance, not both');
      return { body: presentUsage(await app.analytics.usageOf(admin, { clientId, instanceId }, named)) };
    },
  }),
];
