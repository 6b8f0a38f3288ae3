import { z } from 'zod';
import type { App } from '../../../app.ts';
import { parseInstanceId } from '../../../domain/ids.ts';
import type { Admin } from '../../../domain/tenancy/access.ts';
import { presageIdField } from '../fields.ts';

/** The path of what belongs to one instance. */
export const instancePathParameters = z.object({ instance_id: presageIdField('`inst_…`') });

/** The administrator's access to the instance in the path. Throws `not_found`. */
export const accessAsAdminTo = (app: App, admin: Admin, { instance_id: id }: z.infer<typeof instancePathParameters>) =>
  app.accessAsAdmin(admin, parseInstanceId(id));
