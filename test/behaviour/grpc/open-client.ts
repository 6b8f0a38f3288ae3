import { fileURLToPath } from 'node:url';
import {
  credentials,
  loadPackageDefinition,
  Metadata,
  type ChannelCredentials,
  type StatusObject,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { ProtoGrpcType } from '../../../src/generated/proto/anticipation.ts';
import type { AnticipationClient } from '../../../src/generated/proto/presage/anticipation/v1/Anticipation.ts';
import type { Signal } from '../../../src/generated/proto/presage/anticipation/v1/Signal.ts';
import type { Update__Output } from '../../../src/generated/proto/presage/anticipation/v1/Update.ts';

const proto = fileURLToPath(new URL('../../../proto/presage/anticipation/v1/anticipation.proto', import.meta.url));
const definition = loadSync(proto, { longs: Number, enums: String, defaults: true, arrays: true, oneofs: true });
// The types are generated from the same file.
const { presage } = loadPackageDefinition(definition) as unknown as ProtoGrpcType;

export interface CallOptions {
  readonly key?: string;
  /** Sent as it is, instead of the key. */
  readonly authorization?: string;
  readonly correlationId?: string;
  readonly traceparent?: string;
  readonly deadline?: Date;
}

/** A client as its user would write it: the proto file and a gRPC library. */
export function openClient(address: string, channel: ChannelCredentials = credentials.createInsecure()) {
  const client: AnticipationClient = new presage.anticipation.v1.Anticipation(address, channel);
  return {
    client,
    anticipate: (options: CallOptions = {}) => openStream(client, options),
    [Symbol.dispose]: () => client.close(),
  };
}

export type Stream = ReturnType<typeof openStream>;

function openStream(client: AnticipationClient, options: CallOptions) {
  const { key, correlationId, traceparent, deadline, authorization = key && `Bearer ${key}` } = options;
  const metadata = new Metadata();
  if (authorization !== undefined) metadata.set('authorization', authorization);
  if (correlationId !== undefined) metadata.set('x-correlation-id', correlationId);
  if (traceparent !== undefined) metadata.set('traceparent', traceparent);
  const call = client.anticipate(metadata, deadline ? { deadline } : {});
  const updates: Update__Output[] = [];
  let wake: (() => void) | undefined;
  const initial = new Promise<Metadata>((resolve) => call.once('metadata', resolve));
  const ended = new Promise<StatusObject>((resolve) => call.once('status', resolve));
  call.on('error', () => {}); // told by the status too
  call.on('data', (update: Update__Output) => {
    updates.push(update);
    wake?.();
  });
  let isOver = false;
  call.once('status', () => {
    isOver = true;
    wake?.();
  });
  return {
    call,
    initial,
    /** The status that the call ends with. */
    ended,
    send: (...signals: readonly Signal[]) => signals.forEach((signal) => void call.write(signal)),
    hangUp: () => call.end(),
    /** The next update, or undefined when the call has ended. */
    async next(): Promise<Update__Output | undefined> {
      while (true) {
        if (updates.length > 0 || isOver) return updates.shift();
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

export const start = (userId = 'ada'): Signal => ({ sessionStart: { userId } });
export const says = (content: string): Signal => ({ message: { role: 'user', content } });
export const ping: Signal = { ping: {} };
export const end: Signal = { sessionEnd: {} };

/** The stream once the server has taken its session. */
export async function begun(stream: Stream): Promise<Stream> {
  stream.send(start(), ping);
  await stream.next();
  return stream;
}
