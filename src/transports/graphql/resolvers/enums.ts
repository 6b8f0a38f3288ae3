import { clientEvents } from '../../../domain/administration/state-machines.ts';
import { anticipationReasons } from '../../../domain/anticipation/stream-messages.ts';
import { pinKinds } from '../../../domain/compaction/compaction.ts';
import {
  compactionFormats,
  compactionStrategies,
  documentTypes,
  expiryActions,
  primaryScopes,
  retentionPolicies,
  retrievalModes,
} from '../../../domain/configurations/configuration.ts';
import { memoryTypes } from '../../../domain/memory-types.ts';
import { configurationStates, configurationSteps } from '../../../domain/configurations/lifecycle.ts';
import { contextFormats, contextSources } from '../../../domain/context/context.ts';
import { conversationStates } from '../../../domain/conversations/conversation.ts';
import { mergeReasons, reviewStatuses } from '../../../domain/entities/entity.ts';
import { provenances } from '../../../domain/extraction/provenance.ts';
import { ifExistsChoices, ingestionModes, ingestionStatuses } from '../../../domain/ingestion/ingestion.ts';
import { memoryStatuses } from '../../../domain/memories/memory.ts';
import { timeBucketNames, operationNames } from '../../../domain/metering/operations.ts';
import { tokenPurposeNames } from '../../../domain/metering/purposes.ts';
import { adminRoles, isolations } from '../../../domain/tenancy/access.ts';
import { clientStates } from '../../../domain/tenancy/client.ts';
import { instanceStates } from '../../../domain/tenancy/instance.ts';
import { deliveryFailures, deliveryStates } from '../../../domain/webhooks/delivery.ts';
import { eventTypes, testEventType } from '../../../domain/webhooks/event.ts';
import { disabledReasons, webhookStates } from '../../../domain/webhooks/webhook.ts';

type Spelt<W extends string> = W extends `${infer Head}${'-' | '.'}${infer Tail}` ? `${Head}_${Spelt<Tail>}` : W;

/** The values of an enum: each of the domain's words, in capitals. `long-range` is `LONG_RANGE`. */
const spell = <const W extends string>(words: readonly W[]) =>
  Object.fromEntries(words.map((word) => [word.toUpperCase().replaceAll(/[-.]/g, '_'), word])) as {
    readonly [K in W as Uppercase<Spelt<K>>]: K;
  };

/**
 * Internal values of the schema's enums, for resolvers; codegen types them so. Scopes are spelt alike on both sides.
 */
export const enumResolvers = {
  AdminRole: spell(adminRoles),
  AnticipationReason: spell(anticipationReasons),
  TimeBucket: spell(timeBucketNames),
  ClientEvent: spell(clientEvents),
  ClientState: spell(clientStates),
  CompactionFormat: spell(compactionFormats),
  CompactionStrategy: spell(compactionStrategies),
  InstanceEvent: spell(['suspend', 'resume', 'archive']),
  ConfigurationState: spell(configurationStates),
  ConfigurationStep: spell(configurationSteps),
  ConversationState: spell(conversationStates),
  ContextFormat: spell(contextFormats),
  ContextSource: spell(contextSources),
  DeliveredEventType: spell([...eventTypes, testEventType]),
  DocumentType: spell(documentTypes),
  IfExists: spell(ifExistsChoices),
  EventType: spell(eventTypes),
  IngestionMode: spell(ingestionModes),
  IngestionStatus: spell(ingestionStatuses),
  InstanceState: spell(instanceStates),
  Isolation: spell(isolations),
  MemoryStatus: spell(memoryStatuses),
  MemoryType: spell(memoryTypes),
  MergeReason: spell(mergeReasons),
  OnExpiry: spell(expiryActions),
  MeasuredOperation: spell(operationNames),
  PinKind: spell(pinKinds),
  Provenance: spell(provenances),
  PrimaryScope: spell(primaryScopes),
  RetentionPolicy: spell(retentionPolicies),
  IdOrder: { ASCENDING: 'asc', DESCENDING: 'desc' },
  ConfigurationReviewDecision: spell(['approve', 'reject']),
  EntityMatchReviewStatus: spell(reviewStatuses),
  RetrievalMode: spell(retrievalModes),
  TokenPurpose: spell(tokenPurposeNames),
  WebhookDeliveryFailure: spell(deliveryFailures),
  WebhookDeliveryState: spell(deliveryStates),
  WebhookDisabledReason: spell(disabledReasons),
  WebhookState: spell(webhookStates),
  TimeOrder: { NEWEST_FIRST: 'desc', OLDEST_FIRST: 'asc' },
};
