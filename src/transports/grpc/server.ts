import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { logVerbosity, Server, ServerCredentials, setLogVerbosity } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';
import { limits } from '../../domain/limits.ts';
import type { Telemetry } from '../../telemetry.ts';
import type { Certificate } from '../certificate.ts';
import type { GrpcService } from '../grpc-service.ts';
import { addErrorCodes } from './add-error-codes.ts';
import { serveAnticipate, type AnticipateCall, type AnticipateDependencies } from './anticipate.ts';
import { anticipationService, loadDefinitions } from './definition.ts';
import { observeCalls } from './observe-calls.ts';
import { TlsCredentials } from './tls-credentials.ts';

export interface GrpcServerOptions {
  readonly app: AnticipateDependencies['app'];
  readonly telemetry: Pick<Telemetry, 'log' | 'registry'>;
  /** `host:port`; port 0 takes a free one, IPv6 hosts stand in brackets. */
  readonly address: string;
  /** The certificate for TLS; without one, the server speaks plain text. */
  readonly tls?: Certificate | undefined;
  readonly timeouts?: Partial<KeepaliveTimeouts> | undefined;
  readonly additionalServices?: readonly GrpcService[] | undefined;
}

/** How long a peer may take, in milliseconds. */
export interface KeepaliveTimeouts {
  /** Milliseconds of silence after which a peer is pinged. */
  readonly silentMs: number;
  /** From a ping to its answer. */
  readonly answerMs: number;
  /** From the begin of a call to its `session_start`. */
  readonly startMs: number;
}

/** A server that listens. */
export interface GrpcServer {
  readonly port: number;
  /** Answers what was asked, ends every stream with UNAVAILABLE, and after `graceMs` whatever is still open. */
  close(graceMs: number): Promise<void>;
}

const options = {
  'grpc.max_receive_message_length': limits.signal.max,
  'grpc.max_concurrent_streams': 1_000, // of one connection
  'grpc.enable_channelz': 1, // without it, grpc-js's forceShutdown finds no connection to end
};

/** A peer that vanished without a word, or never said one, is found out after 40 s; its streams end as cancelled. */
const defaultTimeouts: KeepaliveTimeouts = { silentMs: 30_000, answerMs: 10_000, startMs: 30_000 };

/** Streams have ended and their last frames need this long to leave; health watchers, which never end, get it too. */
const lingerMs = 200;

/** Starts to listen. Rejects when the address cannot be had. */
export async function createGrpcServer(parts: GrpcServerOptions): Promise<GrpcServer> {
  const { app, telemetry, address, tls } = parts;
  const timeouts = { ...defaultTimeouts, ...parts.timeouts };
  setLogVerbosity(logVerbosity.NONE); // it would print malformed credentials; what matters goes to our own log
  const { described, anticipation, encode } = loadDefinitions();
  const server = new Server({
    ...options,
    interceptors: [addErrorCodes],
    'grpc.keepalive_time_ms': timeouts.silentMs,
    'grpc.keepalive_timeout_ms': timeouts.answerMs,
  });
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // each open stream listens
  const observe = observeCalls(telemetry);
  const open = new Set<Promise<void>>();
  const serving = (served: Promise<void>) => {
    open.add(served);
    void served.then(() => open.delete(served));
  };

  const handlers = {
    Anticipate: (call: AnticipateCall) => {
      const served = serveAnticipate(
        { app, encode, observe, closing: closing.signal, startMs: timeouts.startMs },
        call,
      );
      serving(served);
    },
  };
  server.addService(anticipation, handlers);
  for (const service of parts.additionalServices ?? [])
    server.addService(service.definition, service.handlers(closing.signal, serving));

  const health = new HealthImplementation();
  const tell = (status: 'SERVING' | 'NOT_SERVING') => {
    for (const service of ['', anticipationService]) health.setStatus(service, status);
  };
  health.addToServer(server);
  new ReflectionService(described).addToServer(server);

  const port = await bind(server, address, tls);
  tell('SERVING');
  return {
    port,
    async close(graceMs) {
      tell('NOT_SERVING');
      closing.abort();
      const shut = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      const drained = Promise.all(open).then(() => delay(Math.min(lingerMs, graceMs), undefined, { ref: false }));
      await Promise.race([shut, drained, delay(graceMs, undefined, { ref: false })]);
      server.forceShutdown();
      await Promise.all(open);
    },
  };
}

function bind(server: Server, address: string, tls: Certificate | undefined): Promise<number> {
  const credentials = tls ? new TlsCredentials(tls) : ServerCredentials.createInsecure();
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => {
      if (error) reject(new Error(`gRPC cannot listen on ${address}: ${error.message}`));
      else resolve(port);
    });
  });
}
