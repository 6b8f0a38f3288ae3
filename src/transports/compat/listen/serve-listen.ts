import { setTimeout as delay } from 'node:timers/promises';
import { Metadata, status, type ServerDuplexStream } from '@grpc/grpc-js';
import { permissionOf } from '../../../app/permissions.ts';
import { DomainError, hasErrorCode } from '../../../domain/errors.ts';
import type { Access } from '../../../domain/tenancy/access.ts';
import { requirePermission } from '../../../app/permission.ts';
import type { GrpcService } from '../../grpc-service.ts';
import { EventDeduplicator } from './event-deduplicator.ts';
import { Listener, type ListenDependencies } from './listener.ts';
import { listenDefinition, type StreamEvent, type StreamResponse } from './protocol.ts';

type ListenCall = ServerDuplexStream<StreamEvent, StreamResponse>;

/** Only pongs count as signs of life, and by them the library finds out that its own half is broken. */
const pongEveryMs = 7_000;
/** A caller that is refused connects again at once, without end: it is told late, and takes itself for connected meanwhile. */
const refusedAfterMs = 7_000;

const permission = permissionOf('anticipate');

/**
 * The stream of the library `maximem-synap`: one connection for all conversations of a process. `everyMs`: how often it tells
 * that it lives, and what is new of its conversations; default: 7 s, as the library expects it.
 */
export function listenService(deps: ListenDependencies & { readonly everyMs?: number }): GrpcService {
  const events = new EventDeduplicator();
  return {
    definition: listenDefinition,
    handlers: (closing, serving) => ({
      Listen: (call: ListenCall) => serving(serveListen({ ...deps, events }, call, closing)),
    }),
  };
}

/** The dependencies of all connections of a process. */
interface ServeDependencies extends ListenDependencies {
  readonly everyMs?: number;
  readonly events: EventDeduplicator;
}

/** One call, from its metadata to its status. Never rejects. */
async function serveListen(deps: ServeDependencies, call: ListenCall, closing: AbortSignal): Promise<void> {
  const over = overWhenEnded(call, closing);
  call.sendMetadata(new Metadata());
  let leave: (() => void) | undefined;
  try {
    const access = await accessOf(deps, call.metadata);
    leave = deps.app.beginStream(access);
    deps.app.countCall(access);
    await listen(deps, call, { access, over });
    if (!call.destroyed) call.end(); // OK: after any other end the library is deaf
  } catch (error) {
    await delay(refusedAfterMs, undefined, { signal: over, ref: false }).catch(() => undefined);
    const isRefused = error instanceof DomainError && error.code !== 'unavailable';
    if (!(error instanceof DomainError)) deps.telemetry.log.error({ error }, 'failed to listen');
    const code = isRefused ? status.UNAUTHENTICATED : status.UNAVAILABLE;
    if (!call.destroyed) call.emit('error', { code, details: isRefused ? error.message : 'try again' });
  } finally {
    leave?.();
  }
}

async function listen(
  deps: ServeDependencies,
  call: ListenCall,
  { access, over }: { access: Access; over: AbortSignal },
): Promise<void> {
  // Whoever does not read what they are pushed is not read either: their answers would pile up here.
  const push = (response: StreamResponse) => {
    if (call.destroyed || over.aborted || call.write(response) || call.isPaused()) return;
    call.pause();
    call.once('drain', () => call.resume());
  };
  const pong = () => {
    if (!call.isPaused()) push({ heartbeatPong: { timestampMs: Date.now() } });
  };
  const listener = new Listener(deps, access, {
    current: () => accessOf(deps, call.metadata),
    push,
    events: deps.events,
  });
  let beating: NodeJS.Timeout | undefined;
  call.on('data', (event: StreamEvent) => {
    if (event.heartbeatPing) pong();
    if (event.conversationEvent) listener.hear(event.conversationEvent);
    if (event.sessionControl) listener.control(event.sessionControl);
    if (event.contextUsed) listener.used(event.contextUsed);
  });
  try {
    await new Promise<void>((resolve, reject) => {
      if (over.aborted) resolve();
      over.addEventListener('abort', () => resolve(), { once: true });
      beating = setInterval(() => {
        pong();
        listener.tellConversations().catch((error: unknown) => {
          if (isRefusal(error)) reject(error);
          else if (!(error instanceof DomainError))
            deps.telemetry.log.error({ error }, 'conversations could not be told');
        });
      }, deps.everyMs ?? pongEveryMs);
    });
  } finally {
    clearInterval(beating);
    listener.close();
  }
}

/** The key was revoked, or its instance is open no more. */
const isRefusal = (error: unknown): error is DomainError =>
  hasErrorCode(error, 'unauthenticated', 'forbidden', 'misdirected');

function overWhenEnded(call: ListenCall, closing: AbortSignal): AbortSignal {
  const over = new AbortController();
  const end = () => over.abort();
  for (const event of ['end', 'close', 'cancelled']) call.on(event, end);
  closing.addEventListener('abort', end, { signal: over.signal });
  return over.signal;
}

/** Throws `unauthenticated`, also for what is no key of an instance. */
async function accessOf({ app }: ListenDependencies, metadata: Metadata): Promise<Access> {
  const caller = await app.authenticate(metadata.get('authorization')[0]?.toString());
  if (caller.kind !== 'instance') throw new DomainError('unauthenticated', 'a key of an instance is needed');
  requirePermission(caller.access.principal, permission);
  return caller.access;
}
