import type { Resolvers } from '../../../generated/graphql.ts';
import { scalars } from '../scalars.ts';
import { administration } from './administration.ts';
import { anticipated } from './anticipated.ts';
import { browserTokens } from './browser-tokens.ts';
import { compactions } from './compactions.ts';
import { configurations } from './configurations.ts';
import { context } from './context.ts';
import { conversations } from './conversations.ts';
import { documents } from './documents.ts';
import { entities } from './entities.ts';
import { enums } from './enums.ts';
import { ingestions } from './ingestions.ts';
import { instances } from './instances.ts';
import { keys } from './keys.ts';
import { members } from './members.ts';
import { memories } from './memories.ts';
import { onboarding } from './onboarding.ts';
import { reviewQueue } from './review-queue.ts';
import { users } from './users.ts';
import { webhooks } from './webhooks.ts';

/** Every resolver, by the group of types that it answers for; merged by type. */
export const resolvers: (Resolvers | typeof enums)[] = [
  scalars,
  enums,
  administration,
  instances,
  memories,
  entities,
  reviewQueue,
  configurations,
  onboarding,
  ingestions,
  context,
  anticipated,
  browserTokens,
  conversations,
  compactions,
  documents,
  users,
  keys,
  members,
  webhooks,
];
