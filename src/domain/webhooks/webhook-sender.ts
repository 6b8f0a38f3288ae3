import type { DeliveryFailure } from './delivery.ts';

/** A signed request to a receiver. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answer of a receiver, or why there was none. */
export interface WebhookAnswer {
  readonly status: number | null;
  /** Null: the status is 2xx. */
  readonly failure: DeliveryFailure | null;
}

/** Sends requests to addresses that callers chose. */
export interface WebhookSender {
  /** Why nothing is sent to this URL; null when it may be. What its name resolves to is checked again at sending. */
  refusalOf(url: string): Promise<string | null>;
  /** Rejects only when `signal` is aborted. Follows no redirect. */
  send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer>;
}
