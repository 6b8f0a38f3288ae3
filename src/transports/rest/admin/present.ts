import type { AuditEntry } from '../../../domain/administration/audit-store.ts';
import type { InstanceStats } from '../../../domain/administration/stats-store.ts';
import type { RetentionPreview } from '../../../domain/memories/expired.ts';
import type { MonthlyUsage } from '../../../domain/metering/usage-store.ts';
import type { ClientRecord } from '../../../domain/tenancy/client.ts';
import type { PurgeReceipt } from '../../../domain/erasure/purge-receipt-store.ts';
import type { KeyRecord } from '../../../domain/tenancy/credential.ts';
import type { InstanceRecord } from '../../../domain/tenancy/instance.ts';
import { toIsoOrNull } from '../present.ts';
import type * as records from './records.ts';
import type { Wire } from '../../http/wire.ts';

export const presentClient = ({ id, name, state, createdAt }: ClientRecord): Wire<typeof records.ClientRecord> => ({
  client_id: id,
  name,
  state,
  created_at: createdAt.toISOString(),
});

export const presentUsage = (usage: MonthlyUsage): Wire<typeof records.UsagePage>['data'][number] => ({
  instance_id: usage.instanceId,
  month: usage.month.toISOString().slice(0, 7),
  api_calls: usage.apiCalls,
  llm_tokens_in: usage.tokensIn,
  llm_tokens_out: usage.tokensOut,
  embedding_tokens: usage.embeddingTokens,
  memories_peak: usage.memoriesPeak,
});

export const presentAudit = (entry: AuditEntry): Wire<typeof records.AuditPage>['data'][number] => ({
  audit_id: entry.id,
  at: entry.at.toISOString(),
  actor: entry.actor,
  action: entry.action,
  target: entry.target,
  before: entry.before as Record<string, unknown> | null,
  after: entry.after as Record<string, unknown> | null,
});

export const presentAdminInstance = (instance: InstanceRecord): Wire<typeof records.AdminInstanceRecord> => ({
  instance_id: instance.id,
  client_id: instance.clientId,
  name: instance.name,
  region: instance.region,
  state: instance.state,
  active_version: instance.activeVersion,
  created_at: instance.createdAt.toISOString(),
});

export const presentPurge = (
  receipt: PurgeReceipt,
): Omit<Wire<typeof records.PurgedInstanceRecord>, keyof Wire<typeof records.AdminInstanceRecord>> => ({
  receipt_id: receipt.id,
  purged_at: receipt.purgedAt.toISOString(),
  completed_at: receipt.completedAt?.toISOString() ?? null,
  removed: receipt.removed,
  remaining: receipt.remaining,
});

export const presentStats = (instanceId: string, stats: InstanceStats): Wire<typeof records.InstanceStatsRecord> => ({
  instance_id: instanceId,
  memories: stats.memories,
  documents: stats.documents,
  users: stats.users,
  customers: stats.customers,
  conversations: stats.conversations,
  entities: stats.entities,
  open_reviews: stats.openReviews,
  ingestions_under_way: stats.ingestionsUnderWay,
  ingestions_failed: stats.ingestionsFailed,
  last_received_at: toIsoOrNull(stats.lastReceivedAt),
});

export const presentRetention = (preview: RetentionPreview): Wire<typeof records.RetentionPage> => ({
  at: preview.at.toISOString(),
  base_days: preview.retention.base_days,
  on_expiry: preview.retention.on_expiry,
  data: preview.data.map((memory) => ({
    memory_id: memory.id,
    type: memory.type,
    category: memory.category,
    user_id: memory.userId || null,
    customer_id: memory.customerId || null,
    created_at: memory.createdAt.toISOString(),
    last_accessed_at: memory.lastAccess.toISOString(),
    access_count: memory.accessCount,
  })),
  next_cursor: preview.nextCursor,
});

export const presentKey = (key: KeyRecord): Wire<typeof records.KeyRecord> => ({
  key_id: key.id,
  label: key.label,
  last4: key.last4,
  created_at: key.createdAt.toISOString(),
  last_used_at: toIsoOrNull(key.lastUsedAt),
  revoked_at: toIsoOrNull(key.revokedAt),
});
