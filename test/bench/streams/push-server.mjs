// The service's own door and use case before bundles that are ready: what a push costs once it is known what to push.
import { Registry } from 'prom-client';
import { openStreamMetrics } from '../../../dist/dependencies/open-stream-metrics.js';
import { ResumableSessions } from '../../../dist/domain/anticipation/resumable-sessions.js';
import { SubscriptionRegistry } from '../../../dist/domain/anticipation/subscription-registry.js';
import { HeldMemories } from '../../../dist/domain/anticipation/held-memories.js';
import { anticipateWithMetrics } from '../../../dist/domain/anticipation/anticipate-with-metrics.js';
import { invalidationWithinProcess } from '../../../dist/domain/invalidation/within-process.js';
import { readVersionsOf } from '../../../dist/domain/tenancy/access.js';
import { createTelemetry } from '../../../dist/telemetry.js';
import { createGrpcServer } from '../../../dist/transports/grpc/server.js';
import { answer } from './child.mjs';
import { readyMemories } from './payload.mjs';

const readableOwners = [{ ownerNo: 1, revision: 1n }];
const access = {
  instance: 'inst_0000000000000001',
  instanceNumber: 1n,
  instanceRevision: 1n,
  principal: { kind: 'key' },
  readableOwners,
};
const sessions = new ResumableSessions();
const subscriptions = new SubscriptionRegistry(async (_, ids) => ids);
const invalidation = invalidationWithinProcess(subscriptions, () => undefined);
const streamMetrics = openStreamMetrics(
  { count: () => undefined, measure: () => undefined },
  { registry: new Registry() },
);
let pushed = 0;

answer({
  async listen() {
    const prediction = { memories: readyMemories(), totalTokens: 400, gone: [], asOf: readVersionsOf(access) };
    const app = {
      authenticate: async () => ({ kind: 'instance', access }),
      spend: () => undefined,
      countCall: () => undefined,
      beginStream: () => () => undefined,
      async *anticipate(_, signals, signal) {
        const d = {
          streamMetrics,
          sessions,
          held: new HeldMemories(),
          observers: [],
          subscriptions,
          invalidation,
          recheck: async () => null,
          isolationOf: async () => 'b2c',
          summaryOf: async () => null,
          async predict(_reader, { watch }) {
            await watch(access);
            return prediction;
          },
          learn: async () => [],
          reauthenticate: async () => access,
          newBundleId: () => `bun_${pushed}`,
        };
        let taken = () => undefined;
        const wanted = (async function* () {
          for await (const told of signals) {
            yield told;
            if (told.kind === 'session-start') break;
          }
          while (!signal.aborted) {
            await new Promise((resolve) => (taken = resolve));
            yield { kind: 'partial-message', role: 'user', content: 'and then' };
          }
        })();
        for await (const update of anticipateWithMetrics(d, access, wanted, signal)) {
          yield update;
          pushed += 1;
          taken();
        }
      },
    };
    const telemetry = createTelemetry({ level: 'silent', process: 'bench' });
    const server = await createGrpcServer({ app, telemetry, address: '127.0.0.1:0' });
    return `127.0.0.1:${server.port}`;
  },
  spent: () => ({ pushed, cpuMs: Object.values(process.cpuUsage()).reduce((sum, us) => sum + us / 1_000, 0) }),
});
