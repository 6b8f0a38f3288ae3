import type { Sql } from '../../db/database.ts';
import { currentConfiguration } from '../configurations/configuration-store.ts';
import { invalidInputError } from '../errors.ts';
import { requireCustomerOfUser, type Access, type SubjectIds, type Owner } from '../tenancy/access.ts';
import { registerOwner } from '../tenancy/owner-store.ts';
import { insertConversation } from './conversation-store.ts';
import type { ConversationReference } from './conversation.ts';

/**
 * Binds a conversation that was never seen to those the caller names, and registers their owner; a conversation that is
 * bound stays as it is. Throws `invalid_input` when nobody is named, unless memories belong to the whole client, and
 * for a user without a customer where an instance keeps customers apart.
 */
export async function bindConversation(sql: Sql, access: Access, input: ConversationReference): Promise<void> {
  const owner = await registeredOwnerOf(sql, access, input);
  await insertConversation(sql, access, input.conversationId, owner.ownerNo);
}

async function registeredOwnerOf(sql: Sql, access: Access, { userId, customerId }: SubjectIds): Promise<Owner> {
  const ids = { userId: userId ?? '', customerId: customerId ?? '' };
  const configuration = await currentConfiguration(sql, access);
  requireCustomerOfUser({ userId, customerId }, configuration.isolation);
  if (userId) return registerOwner(sql, access.instanceNumber, { scope: 'USER', ...ids });
  if (customerId) return registerOwner(sql, access.instanceNumber, { scope: 'CUSTOMER', ...ids });
  if (configuration.primary_scope === 'CLIENT')
    return registerOwner(sql, access.instanceNumber, { scope: 'CLIENT', ...ids });
  throw invalidInputError('user_id', 'name a user_id or a customer_id: whose conversation is this?');
}
