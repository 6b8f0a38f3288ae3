import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createApp, type App } from '../../../src/app.ts';
import { openDependencies, type Dependencies } from '../../../src/dependencies.ts';
import { DomainError } from '../../../src/domain/errors.ts';
import { newUuid, parseInstanceId } from '../../../src/domain/ids.ts';
import { hashSecret, newSecret } from '../../../src/domain/tenancy/credentials.ts';
import type { Access } from '../../../src/domain/tenancy/access.ts';
import { readEnvironment } from '../../../src/environment.ts';
import { createTelemetry } from '../../../src/telemetry.ts';
import { brokenRules } from '../../support/consistency.ts';
import type { PostgresServer } from '../../support/postgres-server.ts';
import { newPlace, startService, type ServiceProcess } from '../../support/service-process.ts';

/** A document that was accepted. */
interface Accepted {
  readonly house: number;
  readonly userId: string;
  readonly ingestionId: string;
  readonly turns: readonly string[];
}

/** What came of everything that was accepted. */
export interface Outcome {
  documents: number;
  memories: number;
  lost: number;
  duplicates: number;
  visibleToStrangers: number;
}

/** What is not as usual: where vectors are, and the clock of this process. */
interface Differing {
  readonly variables?: Readonly<Record<string, string>>;
  readonly now?: () => Date;
}

const userIds = ['ada', 'bob', 'cy'];
export const customerId = 'acme';
const asked = { documentType: 'ai-chat-conversation', mode: 'fast' } as const;

/**
 * Two instances of three users on one Postgres, which sit in this process and send documents; workers and others are
 * processes of their own, and are killed.
 */
export async function openTown(server: PostgresServer, name: string, differing: Differing = {}) {
  await server.query(`CREATE DATABASE ${name}`);
  const folder = mkdtempSync(join(tmpdir(), 'presage-faults-'));
  const key = newSecret('presage');
  const variables = {
    DATABASE_URL: server.urlOf(name),
    MASTER_KEY: randomBytes(32).toString('hex'),
    PRESAGE_ADMIN_TOKEN: 'an-administrator-of-these-tests',
    PRESAGE_API_KEY: key,
    ...differing.variables,
  };
  const place = { PRESAGE_DATA_DIR: join(folder, 'here'), LOG_LEVEL: 'silent' };
  const environment = { ...readEnvironment({ ...place, ...variables }), ownFolder: join(folder, 'own') };
  const deps = await openDependencies(
    environment,
    createTelemetry({ level: 'silent', process: 'test' }),
    differing.now ? { now: differing.now } : {},
  );
  const app = createApp(deps);
  const houses = await Promise.all([newInstance(app, deps), newInstance(app, deps)]);
  const accepted: Accepted[] = [];
  let counted = 0;
  const running = new Map<ServiceProcess, 'worker' | 'stream'>();
  let places = 0;
  const start = async (kind: 'worker' | 'stream'): Promise<ServiceProcess> => {
    const service = await startService({ ...(await newPlace(join(folder, String(places++)))), kind, variables });
    running.set(service, kind);
    return service;
  };

  return {
    app,
    deps,
    houses,
    accepted,
    start,
    /** Starts a worker unless one runs that an earlier test left. */
    async aWorker(): Promise<void> {
      if (![...running.values()].includes('worker')) await start('worker');
    },
    async end(service: ServiceProcess, how: 'kill' | 'stop' = 'kill'): Promise<void> {
      running.delete(service);
      await service[how]();
    },
    /** Sends a document, again and again until it is accepted; a refusal that is none of an outage is thrown. */
    async send(): Promise<Accepted> {
      const n = accepted.length;
      const house = n % 2;
      const userId = userIds[n % 3]!;
      const turns = Array.from({ length: 3 }, (_, turn) => wordsOf(n, turn));
      const document = turns.map((content) => ({ role: 'user', content }));
      const documentId = `doc-${n}`;
      const placed = { house, userId, turns };
      const at = accepted.push({ ...placed, ingestionId: '' }) - 1;
      const submission = { ...asked, document, documentId, userId, customerId };
      const ingestionId = await untilThere(async () => {
        try {
          return (await app.submit(houses[house]!.access, submission)).id;
        } catch (error) {
          // Accepted before, and the answer was lost: its id says so.
          if (error instanceof DomainError && error.code === 'duplicate_document')
            return String(error.details['ingestion_id']);
          throw error;
        }
      });
      return (accepted[at] = { ...placed, ingestionId });
    },
    /** How many documents are under way in a process. */
    async underWay(): Promise<number> {
      return untilThere(() =>
        deps.db.job.count({ where: { queue: 'ingest-document', lockedUntil: { gt: new Date() } } }),
      );
    },
    /** As if the time of all leases had passed: a short run does not wait for it. */
    async endLeases(): Promise<void> {
      await deps.db.job.updateMany({ where: { lockedUntil: { not: null } }, data: { lockedUntil: new Date() } });
    },
    /** Waits until nothing is left to do, and counts what is there of what was ever accepted, and who reads it; the documents are those since the last time. */
    async outcome(): Promise<Outcome> {
      const outcome: Outcome = {
        documents: accepted.length - counted,
        memories: 0,
        lost: 0,
        duplicates: 0,
        visibleToStrangers: 0,
      };
      counted = accepted.length;
      for (const { house, ingestionId } of accepted) {
        const timeout = { ms: 120_000, signal: AbortSignal.timeout(120_000) };
        const { status } = await app.awaitIngestion(houses[house]!.access, ingestionId, timeout);
        if (status !== 'completed') outcome.lost += 1;
      }
      for (const [house, { access }] of houses.entries()) {
        for (const userId of userIds) {
          const stored = await episodesOf(app, access, userId);
          outcome.memories += stored.length;
          const theirs = accepted.filter((each) => each.house === house && each.userId === userId);
          const told = new Set(theirs.flatMap(({ turns }) => turns));
          outcome.lost += [...told].filter((turn) => !stored.includes(turn)).length;
          outcome.duplicates += stored.length - new Set(stored).size;
          const last = accepted.findLast((each) => each.house !== house || each.userId !== userId);
          const shown = [...stored, ...(last ? await fetched(app, access, { userId, question: last.turns[0]! }) : [])];
          outcome.visibleToStrangers += shown.filter((content) => !isOf(told, content)).length;
        }
      }
      return outcome;
    },
    /** Rows without their partners, in either instance, once nothing is left to do. */
    async brokenRules(): Promise<Record<string, number>[]> {
      await untilThere(async () => {
        if (await deps.db.job.count({ where: { queue: 'ingest-document' } })) throw new StillBusy();
      });
      return Promise.all(houses.map(({ access }) => brokenRules(deps, access)));
    },
    async close(): Promise<void> {
      await Promise.all([...running.keys()].map((service) => service.kill().catch(() => undefined)));
      await deps.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Town = Awaited<ReturnType<typeof openTown>>;

const wordsOf = (n: number, turn: number) =>
  `Crate ${turn} of harvest ${n} went to cellar ${n * 7 + turn} with Rosalind${n % 3}.`;

/** A fact may be a part of the turn it is found in. */
const isOf = (told: ReadonlySet<string>, content: string) => [...told].some((turn) => turn.includes(content));

async function newInstance(app: App, deps: Dependencies): Promise<{ access: Access; key: string; asAdmin: Access }> {
  const tokenId = newUuid();
  await deps.db.adminToken.create({ data: { id: tokenId, hash: hashSecret(newSecret('admin')), role: 'owner' } });
  const admin = { kind: 'admin', tokenId, role: 'owner' } as const;
  const { id } = await app.createInstance(admin, { name: 'town' });
  const asAdmin = await app.accessAsAdmin(admin, parseInstanceId(id));
  const { key } = await app.createKey(asAdmin, { label: null });
  const caller = await app.authenticate(`Bearer ${key}`);
  if (caller.kind !== 'instance') throw new Error('a key opens an instance');
  return { access: caller.access, key, asAdmin };
}

async function episodesOf(app: App, access: Access, userId: string): Promise<string[]> {
  const contents: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await app.memories(access, { userId, customerId, type: 'episodes' }, { limit: 100, cursor });
    contents.push(...page.data.map(({ content }) => content));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return contents;
}

async function fetched(app: App, access: Access, { userId, question }: { userId: string; question: string }) {
  const query = { searchQueries: [question], mode: 'accurate' as const, explain: false, maxResults: 100 };
  const { memories } = await untilThere(() => app.fetchContext(access, { ...query, userId, customerId }));
  return memories.map(({ content }) => content);
}

class StillBusy extends Error {}

/** Tries again while a store is away. */
export async function untilThere<T>(call: () => Promise<T>, ms = 90_000): Promise<T> {
  for (const deadline = Date.now() + ms; ; await pause(50)) {
    try {
      return await call();
    } catch (error) {
      const isAway = error instanceof StillBusy || (error instanceof DomainError && error.code === 'unavailable');
      if (!isAway || Date.now() > deadline) throw error;
    }
  }
}
