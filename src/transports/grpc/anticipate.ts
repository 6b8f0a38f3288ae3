import { status, Metadata, type ServerDuplexStream } from '@grpc/grpc-js';
import type { App } from '../../app.ts';
import { permissionOf, type UseCase } from '../../app/permissions.ts';
import type { Signal } from '../../domain/anticipation/stream-messages.ts';
import { invalidInputError, unavailableError } from '../../domain/errors.ts';
import { untilAborted } from '../../domain/flow/until-aborted.ts';
import { correlationIdFrom } from '../../domain/ids.ts';
import type { Access } from '../../domain/tenancy/access.ts';
import { requirePermission } from '../../app/permission.ts';
import type { Signal__Output } from '../../generated/proto/presage/anticipation/v1/Signal.ts';
import type { Update } from '../../generated/proto/presage/anticipation/v1/Update.ts';
import type { Frame } from './definition.ts';
import type { ObserveCall, ObservedCall } from './observe-calls.ts';
import { toMessage } from './to-message.ts';
import { toSignal } from './to-signal.ts';
import { toStatus } from './to-status.ts';

export type AnticipateCall = ServerDuplexStream<Signal__Output, Frame>;

export interface AnticipateDependencies {
  readonly app: Pick<App, 'authenticate' | 'anticipate' | 'beginStream' | 'countCall' | 'spend'>;
  readonly encode: (update: Update) => Frame;
  readonly observe: ObserveCall;
  /** Aborted when the server stops: no signal is taken any more, what was asked is still answered. */
  readonly closing: AbortSignal;
  /** How long a call may be open without a session. */
  readonly startMs: number;
}

/** The use case that each rpc stands for. */
export const useCaseOfRpc = { Anticipate: 'anticipate' } as const satisfies Readonly<Record<string, UseCase>>;

const permission = permissionOf(useCaseOfRpc.Anticipate);

/** One call of Anticipate, from its metadata to its status. Never rejects. */
export async function serveAnticipate(deps: AnticipateDependencies, call: AnticipateCall): Promise<void> {
  const correlationId = correlationIdFrom(call.metadata.get('x-correlation-id')[0]?.toString());
  const observed = deps.observe({ method: call.getPath(), correlationId, metadata: call.metadata });
  await observed.run(() => serve(deps, call, { correlationId, observed }));
}

async function serve(
  deps: AnticipateDependencies,
  call: AnticipateCall,
  { correlationId, observed }: { correlationId: string; observed: ObservedCall },
): Promise<void> {
  const callSignal = createCallSignal(call);
  let access: Access | undefined;
  let leave: (() => void) | undefined;
  try {
    call.sendMetadata(withCorrelationId(correlationId));
    access = await accessOf(deps.app, call.metadata);
    if (!permission.isUnmetered) deps.app.spend(access);
    deps.app.countCall(access);
    leave = deps.app.beginStream(access);
    const signals = untilAborted(signalsOf(call, deps.startMs), deps.closing);
    const write = writerOf(call, callSignal);
    for await (const update of deps.app.anticipate(access, signals, callSignal))
      await write(deps.encode(toMessage(update)));
    callSignal.throwIfAborted();
    if (deps.closing.aborted) throw unavailableError('the server is stopping; open a new stream');
    call.end();
    observed.ended(status.OK, { instance: access.instance });
  } catch (error) {
    const end = callSignal.aborted ? stopped(call) : toStatus(error, correlationId);
    // `destroy(error)` would take the call away before its status is sent, and the client would wait forever.
    if (!call.destroyed) call.emit('error', end);
    observed.ended(end.code, { instance: access?.instance, error });
  } finally {
    leave?.();
  }
}

const stopped = (call: AnticipateCall) =>
  call.cancelled
    ? { code: status.CANCELLED, details: 'cancelled' }
    : { code: status.DEADLINE_EXCEEDED, details: 'deadline exceeded' };

/** A signal that is aborted when the client cancels the call, or its deadline passes. */
function createCallSignal(call: AnticipateCall): AbortSignal {
  const controller = new AbortController();
  const end = () => controller.abort();
  // grpc-js ends a late call too, but tells us only when the client has read all that was written before.
  const leftMs = Number(call.getDeadline()) - Date.now();
  const timer = Number.isFinite(leftMs) ? setTimeout(end, leftMs) : undefined;
  call.once('cancelled', () => {
    clearTimeout(timer);
    end(); // also comes, and does no harm, after a call has ended well
  });
  return controller.signal;
}

async function accessOf(app: AnticipateDependencies['app'], metadata: Metadata): Promise<Access> {
  const [header] = metadata.get('authorization');
  const caller = await app.authenticate(header?.toString());
  requirePermission(caller.kind === 'admin' ? caller.admin : caller.access.principal, permission);
  if (caller.kind === 'admin') throw new Error('a stream belongs to one instance, which an admin token does not name');
  return caller.access;
}

/**
 * Yields the client's signals as they are wanted. Not `for await` over the call: on an error its own iterator destroys
 * the call, and the client would wait forever for a status. A call that sends no session in time ends, so that it holds
 * no place.
 */
async function* signalsOf(call: AnticipateCall, startMs: number): AsyncGenerator<Signal, void, undefined> {
  let wake: (() => void) | undefined;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    wake?.();
  }, startMs);
  for (const event of ['readable', 'end', 'close']) call.on(event, () => wake?.());
  try {
    while (true) {
      if (isLate)
        throw invalidInputError('session_start', `must be sent within ${startMs / 1_000} s of the begin of the call`);
      const sent = call.read() as Signal__Output | null;
      if (sent) {
        const signal = toSignal(sent);
        if (signal.kind === 'session-start') clearTimeout(timer);
        yield signal;
      } else if (call.readableEnded || call.destroyed) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits until the frame has left, and not only for 'drain' once the sixteen that grpc-js allows are queued: whatever
 * is queued goes out of date, and here there is never more than one.
 */
function writerOf(call: AnticipateCall, callSignal: AbortSignal): (frame: Frame) => Promise<void> {
  let stop: (() => void) | undefined;
  callSignal.addEventListener('abort', () => stop?.(), { once: true }); // one for all frames
  return (frame) =>
    new Promise((resolve, reject) => {
      stop = () => reject(callSignal.reason);
      if (callSignal.aborted) stop();
      else call.write(frame, () => resolve());
    });
}

function withCorrelationId(correlationId: string): Metadata {
  const metadata = new Metadata();
  metadata.set('x-correlation-id', correlationId);
  return metadata;
}
