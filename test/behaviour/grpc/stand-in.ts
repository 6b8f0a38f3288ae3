import { pino } from 'pino';
import { Registry } from 'prom-client';
import { anticipate } from '../../../src/domain/anticipation/anticipate.ts';
import { DomainError } from '../../../src/domain/errors.ts';
import type { AnticipatedMemory } from '../../../src/domain/anticipation/stream-messages.ts';
import type { PredictionInput, Prediction } from '../../../src/domain/anticipation/predict-bundle.ts';
import { ResumableSessions } from '../../../src/domain/anticipation/resumable-sessions.ts';
import { InstanceKeys } from '../../../src/domain/sealing/instance-keys.ts';
import { readVersionsOf, type Access } from '../../../src/domain/tenancy/access.ts';
import { oneProcess } from '../../support/one-process.ts';
import { createGrpcServer, type GrpcServerOptions } from '../../../src/transports/grpc/server.ts';

export const memory: AnticipatedMemory = {
  uuid: '01947d1e-8ec5-7039-b14d-8b09e49b1b43',
  contentVersion: 0,
  ownerNo: 1,
  reason: 'context',
  tokens: 8,
  id: 'mem_01jgqx3v5pe0wvk2v1k2y9p6t3',
  type: 'facts',
  category: 'places',
  content: 'Ada lives in York',
  confidence: 0.93,
  provenance: 'user',
  scope: 'USER',
  userId: 'ada',
  customerId: null,
  entities: [{ id: 'ent_01jgqx3v5pe0wvk2v1k2y9p6t4', name: 'York', kind: 'place' }],
  eventStart: new Date('1969-12-31T23:59:59.250Z'),
  eventEnd: null,
  eventPrecision: 'day',
  dueAt: null,
  validFrom: new Date('2026-01-05T09:30:00Z'),
  validUntil: null,
  supersededBy: null,
  supersededReason: null,
  correctionReason: null,
  possiblyOutdatedBy: 'mem_01jgqx3v5pe0wvk2v1k2y9p6t5',
  possiblyOutdatedConfidence: 0.7,
  evidence: [{ documentId: 'chat-9', turns: [0, 2], quote: 'I moved to York' }],
  createdAt: new Date('2026-01-05T09:30:00Z'),
  lastAccessedAt: null,
  accessCount: 0,
  expiresAt: null,
  status: 'active',
  configurationVersion: 1,
  conversationId: null,
  metadata: null,
  score: 1.5,
  parts: null,
};

/** What is chosen once something was said; before that there is nothing to say. */
type Predict = (
  access: Access,
  circumstances: PredictionInput,
) => Promise<Pick<Prediction, 'memories' | 'totalTokens'>>;

/**
 * The real server and the real use case before a store that a test can hold up, break or fill: what the transport does
 * with slow readers and with errors that no real store makes on demand.
 */
export async function startStandIn(predict: Predict, more: Pick<GrpcServerOptions, 'tls' | 'timeouts'> = {}) {
  let isRevoked = false;
  const sessions = new ResumableSessions();
  const process = oneProcess();
  const lines: string[] = [];
  const running = { streams: 0, retrievals: 0 };
  const check = async () => {
    if (isRevoked) throw new DomainError('unauthenticated', 'a valid API key is needed');
  };
  const app: GrpcServerOptions['app'] = {
    async authenticate(header) {
      await check();
      if (header === 'Bearer admin')
        return {
          kind: 'admin',
          admin: { kind: 'admin', tokenId: 't', role: 'owner' },
          keys: new InstanceKeys('none', Buffer.alloc(32)),
        };
      if (header !== 'Bearer good') throw new DomainError('unauthenticated', 'a valid API key is needed');
      return { kind: 'instance', access: process.access() };
    },
    countCall: () => {},
    spend: () => {},
    beginStream: () => () => {},
    async *anticipate(access, signals, signal) {
      running.streams += 1;
      try {
        yield* anticipate(
          {
            ...process,
            sessions,
            async predict(reader, circumstances) {
              const told = { gone: [], asOf: readVersionsOf(reader) };
              if (!circumstances.window.heard.length) return { memories: [], totalTokens: 0, ...told };
              running.retrievals += 1;
              return { ...(await predict(reader, circumstances)), ...told };
            },
            learn: async () => {},
            reauthenticate: () => check().then(process.access),
            newBundleId: () => 'bun_1',
          },
          access,
          signals,
          signal,
        );
      } finally {
        running.streams -= 1;
      }
    },
  };
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const telemetry = { log, registry: new Registry() };
  const server = await createGrpcServer({ app, telemetry, address: '127.0.0.1:0', ...more });
  return {
    address: `127.0.0.1:${server.port}`,
    running,
    lines,
    registry: telemetry.registry,
    async revoke() {
      isRevoked = true;
      await process.change();
    },
    close: (graceMs: number) => server.close(graceMs),
    [Symbol.asyncDispose]: () => server.close(0),
  };
}
