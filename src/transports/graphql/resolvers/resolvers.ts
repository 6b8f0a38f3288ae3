import type { Resolvers } from '../../../generated/graphql.ts';
import { scalarResolvers } from '../scalars.ts';
import { administrationResolvers } from './administration.ts';
import { anticipatedResolvers } from './anticipated.ts';
import { browserTokenResolvers } from './browser-tokens.ts';
import { compactionResolvers } from './compactions.ts';
import { configurationResolvers } from './configurations.ts';
import { contextResolvers } from './context.ts';
import { conversationResolvers } from './conversations.ts';
import { documentResolvers } from './documents.ts';
import { entityResolvers } from './entities.ts';
import { enumResolvers } from './enums.ts';
import { ingestionResolvers } from './ingestions.ts';
import { instanceResolvers } from './instances.ts';
import { keyResolvers } from './keys.ts';
import { memberResolvers } from './members.ts';
import { memoryResolvers } from './memories.ts';
import { onboardingResolvers } from './onboarding.ts';
import { reviewQueueResolvers } from './review-queue.ts';
import { userResolvers } from './users.ts';
import { webhookResolvers } from './webhooks.ts';

/** Every resolver, by the group of types that it answers for; merged by type. */
export const resolvers: (Resolvers | typeof enumResolvers)[] = [
  scalarResolvers,
  enumResolvers,
  administrationResolvers,
  instanceResolvers,
  memoryResolvers,
  entityResolvers,
  reviewQueueResolvers,
  configurationResolvers,
  onboardingResolvers,
  ingestionResolvers,
  contextResolvers,
  anticipatedResolvers,
  browserTokenResolvers,
  conversationResolvers,
  compactionResolvers,
  documentResolvers,
  userResolvers,
  keyResolvers,
  memberResolvers,
  webhookResolvers,
];
