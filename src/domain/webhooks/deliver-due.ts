import { setTimeout as pause } from 'node:timers/promises';
import { writeTransaction, type WriteDependencies } from '../invalidation/write-transaction.ts';
import { instanceIdOf, toPublicId } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import { deliveryLeaseMs, judgeAttempt, type DeliveryAttempt } from './delivery.ts';
import { leaseDeliveries, releaseDelivery, saveDelivered, saveFailure, type DueDelivery } from './delivery-store.ts';
import { signedRequestOf } from './signed-request.ts';
import { disabledAfterMs, type DisabledReason } from './webhook.ts';
import type { WebhookRequest, WebhookSender } from './webhook-sender.ts';
import { lockWebhooks, readWebhook, saveDisabled } from './webhook-store.ts';

export interface DeliveryDependencies extends WriteDependencies {
  readonly webhookSender: WebhookSender;
  /** The region whose instances this process serves. */
  readonly region: string;
  readonly now: () => Date;
  /** The worker's own access to an instance. Throws when it is purged. */
  accessOf(instanceNumber: bigint): Promise<Access>;
  /** Is told of each attempt. */
  attempted(attempt: DeliveryAttempt): void;
  /** Is told of a webhook that was disabled, by its public id. */
  disabled(webhook: { instance: string; webhook: string; reason: DisabledReason }): void;
  /** Is told why a delivery could not be attempted or recorded: it stays leased, and is sent again. */
  failed(error: unknown): void;
}

/** The most deliveries that one process has under way: of all instances, of one, and of one webhook. */
const [mostUnderWay, perInstance, perWebhook] = [256, 48, 16];
/** Time until the next poll: after some were due, and after none were while others are under way. */
const [lookAgainMs, lookLaterMs] = [20, 250];
/** A stopping process gives receivers so long for answers that are under way. */
const finishWithinMs = 2_000;

/**
 * Sends what is due to the receivers, each signed, until nothing is due or under way; a slow receiver holds up no
 * other, and all those of an instance no other instance. Returns early when `signal` is aborted: what has no answer by
 * then is given back.
 */
export async function deliverDueWebhooks(deps: DeliveryDependencies, signal: AbortSignal): Promise<void> {
  const underWay = new Map<Promise<void>, DueDelivery>();
  const stopping = new AbortController();
  while (!signal.aborted) {
    const isIdle = underWay.size === 0;
    const due = await leaseMore(deps, [...underWay.values()]);
    // While others were under way there may have been no room for what was due.
    if (isIdle && !due.length) break;
    for (const delivery of due) {
      const delivering: Promise<void> = deliver(deps, delivery, stopping.signal)
        .catch((error: unknown) => deps.failed(error))
        .finally(() => underWay.delete(delivering));
      underWay.set(delivering, delivery);
    }
    if (underWay.size)
      await pause(due.length ? lookAgainMs : lookLaterMs, undefined, { signal }).catch(() => undefined);
  }
  const abort = setTimeout(() => stopping.abort(new Error('the worker stops')), finishWithinMs);
  await Promise.all(underWay.keys());
  clearTimeout(abort);
}

async function leaseMore(deps: DeliveryDependencies, underWay: readonly DueDelivery[]): Promise<DueDelivery[]> {
  const limit = mostUnderWay - underWay.length;
  if (limit <= 0) return [];
  const now = deps.now();
  return leaseDeliveries(deps.db, {
    region: deps.region,
    now,
    leaseUntil: new Date(now.getTime() + deliveryLeaseMs),
    underWay,
    perInstance,
    perWebhook,
    limit,
  });
}

async function deliver(deps: DeliveryDependencies, delivery: DueDelivery, stopping: AbortSignal): Promise<void> {
  const access = await deps.accessOf(delivery.instanceNumber);
  const attempt = await attemptAt(deps, signedRequestOf(access, delivery, deps.now()), stopping);
  if (!attempt) return releaseDelivery(deps.db, delivery);
  deps.attempted(attempt);
  const { retryInMs, isGone } = judgeAttempt(attempt, delivery.failures);
  if (attempt.failure === null) return saveDelivered(deps.db, delivery, attempt);
  const now = deps.now();
  const dueAt = retryInMs === null ? null : new Date(now.getTime() + retryInMs);
  const failingSince = await saveFailure(deps.db, delivery, { attempt, dueAt });
  if (isGone) await disable(deps, access, delivery, 'gone');
  else if (now.getTime() - failingSince.getTime() >= disabledAfterMs) await disable(deps, access, delivery, 'failing');
}

/** Null when the process stops before there is an answer. */
async function attemptAt(
  deps: DeliveryDependencies,
  request: WebhookRequest,
  stopping: AbortSignal,
): Promise<DeliveryAttempt | null> {
  const [at, began] = [deps.now(), performance.now()];
  try {
    const answer = await deps.webhookSender.send(request, stopping);
    return { ...answer, at, milliseconds: Math.round(performance.now() - began) };
  } catch (error) {
    if (stopping.aborted) return null;
    throw error;
  }
}

/** Disables a webhook whose receiver takes nothing any more, unless it is disabled already, or gone. */
async function disable(
  deps: DeliveryDependencies,
  access: Access,
  { webhookId }: DueDelivery,
  reason: DisabledReason,
): Promise<void> {
  const isDisabled = await writeTransaction(deps, async (tx) => {
    await lockWebhooks(tx, access);
    const webhook = await readWebhook(tx, access, webhookId);
    if (webhook?.state !== 'active') return false;
    await saveDisabled(tx, access, webhookId, { reason, at: deps.now() });
    return true;
  });
  if (isDisabled)
    deps.disabled({ instance: instanceIdOf(access.instanceNumber), webhook: toPublicId('webhook', webhookId), reason });
}
