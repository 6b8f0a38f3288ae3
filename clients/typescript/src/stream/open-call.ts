import { createRequire } from 'node:module';
import type * as Grpc from '@grpc/grpc-js';
import type * as ProtoLoader from '@grpc/proto-loader';
import { ApiError, AuthenticationError, ContextNotFoundError, InvalidInputError } from '../errors.ts';
import { description } from '../generated/proto/description.ts';
import type { Signal } from '../generated/proto/presage/anticipation/v1/Signal.ts';
import type { Update__Output } from '../generated/proto/presage/anticipation/v1/Update.ts';

export type StreamCall = Grpc.ClientDuplexStream<Signal, Update__Output>;
export type Status = Grpc.StatusObject;
type Service = Grpc.Client & { anticipate(metadata: Grpc.Metadata): StreamCall };

/** A channel to the service's stream, and how to open calls on it. */
export interface StreamChannel {
  open(authorization: string): StreamCall;
  close(): void;
}

const reconnecting = { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 5_000 };

/** Both packages are peers that only the stream needs. */
function load(): { grpc: typeof Grpc; protoLoader: typeof ProtoLoader } {
  const require = createRequire(import.meta.url);
  try {
    return {
      grpc: require('@grpc/grpc-js') as typeof Grpc,
      protoLoader: require('@grpc/proto-loader') as typeof ProtoLoader,
    };
  } catch (cause) {
    throw new Error('the stream needs two packages: npm install @grpc/grpc-js @grpc/proto-loader', { cause });
  }
}

export function openChannel(
  address: string,
  { isSecure, rootCertificates }: { isSecure: boolean; rootCertificates: Uint8Array | undefined },
): StreamChannel {
  const { grpc, protoLoader } = load();
  const options = { keepCase: true, longs: Number, enums: String, defaults: true, arrays: true, oneofs: true };
  const { presage } = grpc.loadPackageDefinition(protoLoader.fromJSON(description, options)) as unknown as {
    presage: { anticipation: { v1: { Anticipation: new (...given: unknown[]) => Service } } };
  };
  const credentials = isSecure
    ? grpc.credentials.createSsl(rootCertificates ? Buffer.from(rootCertificates) : null)
    : grpc.credentials.createInsecure();
  const service = new presage.anticipation.v1.Anticipation(address, credentials, reconnecting);
  return {
    open(authorization) {
      const metadata = new grpc.Metadata();
      metadata.set('authorization', authorization);
      return service.anticipate(metadata);
    },
    close: () => service.close(),
  };
}

/** The codes of gRPC after which another try would end alike. */
const hopeless: Readonly<Record<number, new (message: string, details: object) => ApiError>> = {
  3: InvalidInputError,
  5: ContextNotFoundError,
  7: AuthenticationError,
  9: ApiError,
  12: ApiError,
  16: AuthenticationError,
};

/** The error of a call's end; undefined when to open the stream again may help. */
export function errorOfEnd({ code, details, metadata }: Status): ApiError | undefined {
  const told = metadata.get('presage-error-code')[0]?.toString();
  const isTooLarge = told === 'payload_too_large'; // RESOURCE_EXHAUSTED, as for a rate that is used up
  const kind = isTooLarge ? InvalidInputError : hopeless[code];
  if (!kind) return undefined;
  const errors = metadata
    .get('presage-error-field')
    .map(String)
    .map((field) => ({ field, message: details.replace(`${field}: `, '') }));
  const correlationId = metadata.get('x-correlation-id')[0]?.toString();
  return new kind(details, { code: told, errors, correlationId, attempts: 1 });
}

/** What a call that was refused for its rate asks for, in seconds. */
export function retryAfterOfEnd({ metadata }: Status): number | undefined {
  const seconds = Number(metadata.get('retry-after')[0]?.toString());
  return Number.isFinite(seconds) ? seconds : undefined;
}
