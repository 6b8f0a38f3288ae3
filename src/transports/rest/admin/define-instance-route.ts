import { z } from 'zod';
import { parseInstanceId } from '../../../domain/ids.ts';
import type { Access } from '../../../domain/tenancy/access.ts';
import { presageIdField } from '../fields.ts';
import { defineAdminRoute, type Declaration, type Nothing, type Route } from '../route.ts';

/** The path of what belongs to one instance. */
export const instancePathParameters = z.object({ instance_id: presageIdField('`inst_…`') });
type InstancePathParameters = typeof instancePathParameters;

/** A route of administrators about the instance in its path; the handler is given their access to it. */
export const defineInstanceRoute = <
  R extends z.ZodType,
  P extends InstancePathParameters = InstancePathParameters,
  Q extends z.ZodObject = Nothing,
  B extends z.ZodType = z.ZodUndefined,
>({
  handle,
  ...declared
}: Declaration<R, P, Q, B, { readonly access: Access }>): Route =>
  defineAdminRoute<R, P, Q, B>({
    params: instancePathParameters as P,
    errors: ['not_found'],
    ...declared,
    async handle(app, { admin, ...call }) {
      const access = await app.accessAsAdmin(admin, parseInstanceId(call.params.instance_id));
      return handle(app, { ...call, access });
    },
  });
