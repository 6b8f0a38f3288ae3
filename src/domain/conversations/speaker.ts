import type { Sql } from '../../db/database.ts';
import { currentConfiguration } from '../configurations/store.ts';
import { invalid } from '../errors.ts';
import type { Access, Named, Owner } from '../tenancy/access.ts';
import { registerOwner } from '../tenancy/store.ts';

/**
 * Whose a new conversation is, whatever becomes of what is said in it. Throws `invalid_input` when nobody is named,
 * unless what is remembered is the whole client's.
 */
export async function speakerOf(sql: Sql, access: Access, { userId, customerId }: Named): Promise<Owner> {
  const ids = { userId: userId ?? '', customerId: customerId ?? '' };
  if (userId) return registerOwner(sql, access.i, { level: 'USER', ...ids });
  if (customerId) return registerOwner(sql, access.i, { level: 'CUSTOMER', ...ids });
  const configuration = await currentConfiguration(sql, access);
  if (configuration.primary_scope === 'CLIENT') return registerOwner(sql, access.i, { level: 'CLIENT', ...ids });
  throw invalid('user_id', 'name a user_id or a customer_id: whose conversation is this?');
}
