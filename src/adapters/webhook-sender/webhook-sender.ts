import { lookup as resolveName, type LookupAddress } from 'node:dns';
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { answerTimeoutMs, type DeliveryFailure } from '../../domain/webhooks/delivery.ts';
import type { WebhookAnswer, WebhookRequest, WebhookSender } from '../../domain/webhooks/webhook-sender.ts';
import { version } from '../../version.ts';
import { isPublicAddress } from './public-address.ts';

/** Resolves host names; tests have names of their own. */
export type ResolveName = (
  name: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface SenderSettings {
  /** Allows private addresses and plain HTTP: for development. */
  readonly allowPrivate: boolean;
  readonly resolve?: ResolveName;
}

/** A connection that waits so long for a next request is ended: sooner than by many a receiver, which ends it after 5 s. */
const idleMs = 4_000;
/** A receiver's answer is read up to this many bytes. */
const mostAnswerBytes = 65_536;

/**
 * Sends over HTTPS to public addresses. A name is resolved once for each connection, and the connection goes to what was
 * checked: an answer that is another a moment later has no effect. `close` ends idle connections.
 */
export function openWebhookSender({
  allowPrivate,
  resolve = resolveName,
}: SenderSettings): WebhookSender & { close(): void } {
  const lookup: LookupFunction = (name, options, done) =>
    resolve(name, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const isRefused = !allowPrivate && !addresses.every(({ address }) => isPublicAddress(address));
      if (isRefused) return done(new PrivateAddress(), []);
      if (options.all) return done(null, addresses);
      return done(null, addresses[0]!.address, addresses[0]!.family);
    });
  // `timeout` ends a connection only while none uses it. There is no limit to all of them: idle ones of other receivers
  // would count towards it, and keep a request waiting.
  const settings = { keepAlive: true, timeout: idleMs, lookup } as const;
  const agents = { 'http:': new HttpAgent(settings), 'https:': new HttpsAgent(settings) };

  return {
    async refusalOf(text) {
      const url = URL.canParse(text) ? new URL(text) : null;
      const refusal = refusalOfForm(url, allowPrivate);
      if (refusal !== null || allowPrivate) return refusal;
      const host = hostOf(url!);
      const addresses = isIP(host)
        ? [{ address: host }]
        : await promisify(resolve)(host, { all: true }).catch(() => []);
      return addresses.every(({ address }) => isPublicAddress(address)) ? null : refusedAddress;
    },

    async send(request, signal) {
      const url = new URL(request.url);
      const host = hostOf(url);
      // Whether private addresses are allowed may have changed since the webhook was made; and an IP address needs no
      // look-up.
      if (refusalOfForm(url, allowPrivate) !== null || (!allowPrivate && isIP(host) && !isPublicAddress(host)))
        return { status: null, failure: 'private_address' };
      const timeout = AbortSignal.timeout(answerTimeoutMs);
      try {
        return answerOf(await post(url, request, { agents, signal: AbortSignal.any([signal, timeout]) }));
      } catch (error) {
        if (signal.aborted) throw error;
        return { status: null, failure: timeout.aborted ? 'timeout' : failureOf(error) };
      }
    },

    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

class PrivateAddress extends Error {}

const refusedAddress =
  'must lead to a public address: a private one is refused unless the service runs with WEBHOOK_ALLOW_PRIVATE=true';

/** Why a URL is refused, as far as can be told without a look-up of its host; null: no reason. */
function refusalOfForm(url: URL | null, allowPrivate: boolean): string | null {
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be a URL such as https://example.com/hooks';
  if (url.protocol === 'http:' && !allowPrivate)
    return 'must begin with https://, unless the service runs with WEBHOOK_ALLOW_PRIVATE=true';
  if (url.username || url.password) return 'must hold no user name and no password';
  if (url.hash) return 'must have no fragment (#…), which is never sent';
  return null;
}

/** The host name of a URL, without the brackets of IPv6. */
const hostOf = ({ hostname }: URL): string => hostname.replaceAll(/^\[|\]$/g, '');

interface Posting {
  readonly agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent };
  readonly signal: AbortSignal;
}

/** Resolves with the head of the answer; the rest is thrown away, so that the connection can be used again. */
function post(url: URL, { headers, body }: WebhookRequest, { agents, signal }: Posting): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  const sent = (isSecure ? requestHttps : requestHttp)(url, {
    method: 'POST',
    headers: { ...headers, 'user-agent': `Presage/${version}`, 'content-length': String(Buffer.byteLength(body)) },
    agent: agents[isSecure ? 'https:' : 'http:'],
    signal,
  });
  return new Promise((resolve, reject) => {
    sent.on('error', reject); // also after the answer has begun, when nobody listens any more
    sent.on('response', (answer) => {
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > mostAnswerBytes) answer.destroy();
      });
      answer.on('error', () => undefined);
      resolve(answer);
    });
    sent.end(body);
  });
}

function answerOf({ statusCode: status = 0 }: IncomingMessage): WebhookAnswer {
  if (status >= 200 && status < 300) return { status, failure: null };
  return { status, failure: status >= 300 && status < 400 ? 'redirect' : 'error_status' };
}

function failureOf(error: unknown): DeliveryFailure {
  if (error instanceof PrivateAddress) return 'private_address';
  const { code = '' } = error as NodeJS.ErrnoException;
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'name_not_resolved';
  if (/^(ERR_TLS|ERR_SSL|CERT_|EPROTO|.*_CERT(?:IFICATE)?(?:_|$)|UNABLE_TO_)/.test(code)) return 'tls_failed';
  return 'connection_failed';
}
