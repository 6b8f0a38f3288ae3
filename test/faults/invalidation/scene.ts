import { createApp } from '../../../src/app.ts';
import type { Db } from '../../../src/db/database.ts';
import { anticipate } from '../../../src/domain/anticipation/anticipate.ts';
import type { AnticipationDependencies } from '../../../src/domain/anticipation/dependencies.ts';
import type { AnticipatedMemory } from '../../../src/domain/anticipation/stream-messages.ts';
import { recheckPrediction } from '../../../src/domain/anticipation/recheck-prediction.ts';
import { SubscriptionRegistry } from '../../../src/domain/anticipation/subscription-registry.ts';
import { InvalidationAmongProcesses } from '../../../src/domain/invalidation/among-processes.ts';
import { writeTransaction } from '../../../src/domain/invalidation/write-transaction.ts';
import type { Invalidation } from '../../../src/domain/invalidation/invalidation.ts';
import { invalidationWithinProcess } from '../../../src/domain/invalidation/within-process.ts';
import { revokeKey } from '../../../src/domain/administration/keys.ts';
import { newUuid, parseInstanceId, toPublicId } from '../../../src/domain/ids.ts';
import { readCurrentVersions } from '../../../src/domain/memories/standing-store.ts';
import { readVersionsOf, type Access } from '../../../src/domain/tenancy/access.ts';
import { reauthenticate } from '../../../src/domain/tenancy/authenticate.ts';
import { findOwners, registerOwner, bumpOwnerRevision } from '../../../src/domain/tenancy/owner-store.ts';
import type { World } from '../../support/world.ts';
import { Reader, type Counts, type Ledger } from './reader.ts';
import { randomBy, Stage } from './stage.ts';

/** An instance with memories of two owners, and two keys to it. */
export interface Place {
  readonly deps: World['deps'];
  readonly access: readonly [Access, Access];
  readonly keyIds: readonly string[];
  readonly memories: readonly { readonly uuid: string; readonly ownerNo: number }[];
}

/** In the database of the world, or in this one. */
export async function openPlace(world: World, db = world.deps.db): Promise<Place> {
  const deps = { ...world.deps, db };
  const app = createApp(deps);
  const { id } = await app.createInstance(world.admin, { name: 'test' });
  const access = await app.accessAsAdmin(world.admin, parseInstanceId(id));
  const open = async (label: string) => {
    const { key } = await app.createKey(world.asAdmin(access), { label });
    const caller = await app.authenticate(`Bearer ${key}`);
    if (caller.kind !== 'instance') throw new Error('a key opens an instance');
    return caller.access;
  };
  const opened = [await open('first'), await open('second')] as const;
  const owners = [
    await registerOwner(db, access.instanceNumber, { scope: 'USER', userId: 'ada', customerId: '' }),
    await registerOwner(db, access.instanceNumber, { scope: 'CLIENT', userId: '', customerId: '' }),
  ];
  const memories = owners.flatMap(({ ownerNo }) => [1, 2, 3].map(() => ({ uuid: newUuid(), ownerNo })));
  const at = new Date(0);
  const bytes = new Uint8Array();
  const rest = {
    instanceNumber: access.instanceNumber,
    type: 'facts',
    category: 'general',
    status: 'active',
    content: bytes,
    confidence: 1,
  };
  const said = { documentId: newUuid(), turn: 0, passage: 0, role: 'user', provenance: 'user', ingestionId: newUuid() };
  await db.memory.createMany({
    data: memories.map(({ uuid, ownerNo }) => ({
      ...rest,
      ...said,
      id: uuid,
      ownerNo,
      contentKey: bytes,
      validFrom: at,
      createdAt: at,
      configurationVersion: 1,
    })),
  });
  const keyIds = (await app.keys(world.asAdmin(access), { limit: 100 })).data.map((key) => key.id).toReversed();
  return { deps, access: opened, keyIds, memories };
}

/** Scenes write the same rows again and again, and nobody does this for the embedded Postgres. */
export async function tidy({ deps }: Place): Promise<void> {
  await deps.db.$executeRaw`VACUUM memory`;
  await deps.db.$executeRaw`VACUUM owner`;
  await deps.db.$executeRaw`VACUUM subscription_lease`;
}

/** What is left out, to see that the test sees it. */
export type Broken = 'nothing' | 'the barrier' | 'the last check';

interface Actor {
  readonly name: string;
  readonly db: Db;
  readonly subscriptions: SubscriptionRegistry;
  /** Writers wait for it: it holds its lease, and knows that. */
  readonly isWaitedFor: () => boolean;
  readonly invalidation: Invalidation;
  readonly readers: { readonly reader: Reader; readonly key: number; readonly done: Promise<void> }[];
  /** Of the clock: what is done every so often. */
  readonly ticks: (() => void)[];
  readonly hints: (() => void)[];
  /** How far its clock was moved on. */
  ahead: number;
  isHung: boolean;
}

const says = { kind: 'message', role: 'user', content: 'what do you know of me?' } as const;

/** One random run: streams in processes, and writers, whose statements are taken in random order. */
export async function playScene(
  place: Place,
  { seed, form, broken }: { seed: number; form: 'one process' | 'several'; broken: Broken },
  counts: Counts,
): Promise<void> {
  const { db } = place.deps;
  const { instanceNumber } = place.access[0];
  await db.$executeRaw`UPDATE memory SET status = 'active' WHERE i = ${instanceNumber} AND status <> 'active'`;
  await db.$executeRaw`UPDATE api_key SET revoked_at = NULL WHERE i = ${instanceNumber} AND revoked_at IS NOT NULL`;
  const random = randomBy(seed);
  const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const stage = new Stage(random);
  const ledger: Ledger = { now: 0, ended: new Map() };
  const actors = form === 'several' ? ['left', 'right'].map(begin) : [begin('all')];
  const writing = new Set<Promise<unknown>>();
  const left = [...place.memories];

  function begin(name: string): Actor {
    const gated = stage.gate(db, name);
    const subscriptions = new SubscriptionRegistry((access, uuids) => readCurrentVersions(gated, access, uuids));
    const actor = { name, db: gated, subscriptions, readers: [], ticks: [], hints: [], ahead: 0, isHung: false };
    const invalidation = invalidationOf(actor, subscriptions);
    const isWaitedFor = () => invalidation.isCurrent({ instanceNumber, revisions: new Map() });
    return Object.assign(actor, { invalidation: weakened(invalidation, broken), isWaitedFor });
  }

  function invalidationOf(
    actor: Pick<Actor, 'name' | 'db' | 'ticks' | 'hints' | 'ahead'>,
    subscriptions: SubscriptionRegistry,
  ): Invalidation {
    if (form === 'one process') return invalidationWithinProcess(subscriptions, () => undefined);
    return new InvalidationAmongProcesses({
      db: actor.db,
      handler: subscriptions,
      committed: () => undefined,
      tellOthers: (hint) => {
        for (const other of actors) {
          if (other.name !== actor.name)
            other.hints.push(() => (other.invalidation as InvalidationAmongProcesses).heard?.(hint));
        }
      },
      warn: () => undefined, // statements of one that hangs fail
      clock: {
        now: () => performance.now() + actor.ahead,
        every: (_, work) => {
          actor.ticks.push(work);
          return () => void actor.ticks.splice(0);
        },
      },
    });
  }

  function connect(actor: Actor): void {
    const key = random() < 0.5 ? 0 : 1;
    const reader = new Reader(ledger, counts);
    const access = place.access[key];
    const deps: AnticipationDependencies = {
      sessions: place.deps.sessions, // none of these has an id, so none is kept
      subscriptions: actor.subscriptions,
      invalidation: {
        watch: (...given) => actor.invalidation.watch(...given),
        ready: () => actor.invalidation.ready(),
        isCurrent(read) {
          reader.checkedAt = ledger.now += 1;
          return actor.invalidation.isCurrent(read);
        },
      },
      reauthenticate: () => reauthenticate({ ...place.deps, db: actor.db }, access),
      summaryOf: async () => null,
      isolationOf: async () => 'b2c',
      async recheck(reading, before) {
        const rechecked = await recheckPrediction(actor.db, reading, before);
        if (rechecked) counts.prevented += before.memories.length - rechecked.memories.length;
        return rechecked;
      },
      learn: async () => undefined,
      newBundleId: () => 'bun_1',
      async predict(reading, { watch }) {
        const ownerNos = [...new Set(place.memories.map(({ ownerNo }) => ownerNo))];
        const narrowed = async () => ({
          ...reading,
          readableOwners: await findOwners(actor.db, instanceNumber, ownerNos),
        });
        let narrow = await narrowed();
        while (await watch(narrow)) narrow = await narrowed();
        const current = await readCurrentVersions(
          actor.db,
          narrow,
          place.memories.map(({ uuid }) => uuid),
        );
        const held = new Set(current.map(({ uuid }) => uuid));
        const memories = place.memories.filter(({ uuid }) => held.has(uuid)).map(shownAs);
        return { memories, totalTokens: 0, gone: [], asOf: readVersionsOf(narrow) };
      },
    };
    reader.say({ kind: 'session-start', session: { userId: 'ada' } }, says);
    const updates = anticipate(deps, access, reader.signals(), new AbortController().signal);
    actor.readers.push({ reader, key, done: reader.read(updates) });
  }

  const living = () => actors.filter(({ isHung }) => !isHung);
  const readers = () => actors.flatMap((actor) => actor.readers);
  const waitedFor = () => actors.filter((actor) => actor.isWaitedFor()).flatMap((actor) => actor.readers);

  function acknowledge(uuid: string): void {
    const id = toPublicId('memory', uuid);
    ledger.ended.set(id, (ledger.now += 1));
    counts.acknowledged += 1;
    for (const { reader } of waitedFor()) {
      if (!reader.isOver && reader.held.has(id)) reader.owed.add(id);
    }
  }

  function write(work: () => Promise<unknown>): void {
    const written = work()
      .catch(() => undefined)
      .finally(() => writing.delete(written));
    writing.add(written);
  }

  const moves: (() => void | Promise<void>)[] = [
    () => connect(any(living())),
    () => any(readers())?.reader.say(says),
    () => any(readers())?.reader.say(says),
    () => any(readers())?.reader.goAway(),
    () => any(readers())?.reader.comeBack(),
    endMemory,
    endMemory,
    endMemory,
    () => {
      if (random() < 0.3) revoke();
    },
    () => any(actors).ticks.forEach((work) => work()),
    () => {
      const { hints } = any(actors);
      const [hint] = hints.splice(0, 1);
      if (random() < 0.7) hint?.(); // or it is lost
    },
    hang,
  ];

  function endMemory(): void {
    const [memory] = left.splice(Math.floor(random() * left.length), 1);
    if (!memory) return;
    const { db: writer, invalidation } = any(living());
    write(async () => {
      await writeTransaction({ db: writer, invalidation }, async (tx) => {
        await tx.$executeRaw`UPDATE memory SET status = 'superseded' WHERE i = ${instanceNumber} AND id = ${memory.uuid}::uuid`;
        await bumpOwnerRevision(tx, instanceNumber, memory.ownerNo, { memories: 0, terms: 0 });
      });
      acknowledge(memory.uuid);
    });
  }

  function revoke(): void {
    const key = random() < 0.5 ? 0 : 1;
    const { db: writer, invalidation } = any(living());
    write(async () => {
      await revokeKey({ db: writer, invalidation, now: () => new Date() }, place.access[key], place.keyIds[key]!);
      counts.revoked += 1;
      ledger.now += 1;
      for (const { reader } of waitedFor().filter((each) => each.key === key))
        if (!reader.isOver) reader.owed.add('nothing any more');
    });
  }

  /** Stands still, or is cut off, for so long that nobody waits for it any more; and later goes on as if nothing was. */
  async function hang(): Promise<void> {
    const actor = any(actors);
    if (form === 'one process' || random() < 0.5) return;
    if (actor.isHung) return goOn(actor);
    if (living().length === 1) return;
    counts.hung += 1;
    actor.isHung = true;
    actor.ahead += 4_100; // first it says nothing any more, then its lease ends
    if (random() < 0.7) stage.frozen.add(actor.name);
    await db.$executeRaw`
      UPDATE process SET lease_until = now() - interval '1 second'
      WHERE id IN (SELECT process_id FROM subscription_lease WHERE i = ${instanceNumber}) AND id = ${idOf(actor)}::uuid`;
  }

  function goOn(actor: Actor): void {
    actor.isHung = false;
    stage.frozen.delete(actor.name);
  }

  connect(actors[0]!);
  connect(actors.at(-1)!);
  for (let moved = 0; moved < 24;) {
    if (random() < 0.88 && (await stage.step())) continue;
    await any(moves)();
    moved += 1;
  }
  // What was lost costs only time: everything comes to an end.
  for (const actor of actors) goOn(actor);
  for (const { reader } of readers()) reader.comeBack();
  const deadline = performance.now() + 20_000;
  for (let looks = 0; looks < 2 || writing.size;) {
    if (performance.now() > deadline) throw new Error(`seed ${seed}: a change is not acknowledged`);
    if (await stage.step()) continue;
    for (const { ticks } of actors) for (const work of ticks) work();
    looks += 1;
  }
  while (await stage.step());
  for (const { reader } of readers()) {
    if (reader.isOver) continue;
    const isHeld = [...reader.held].some((id) => ledger.ended.has(id));
    if (isHeld || reader.owed.size) counts.lateWithdrawals += 1;
    reader.hangUp();
  }
  const closing = [...readers().map(({ done }) => done), ...actors.map((actor) => actor.invalidation.close())];
  const open = new Set(closing);
  for (const each of closing) void each.finally(() => open.delete(each));
  while (open.size) await stage.step();
}

const idOf = ({ invalidation }: Actor) => (invalidation as InvalidationAmongProcesses).id ?? null;

/** Of a memory nothing but its place matters here. */
const shownAs = ({ uuid, ownerNo }: { uuid: string; ownerNo: number }) =>
  ({
    uuid,
    contentVersion: 0,
    ownerNo,
    id: toPublicId('memory', uuid),
    content: '',
    score: 1,
    reason: 'context',
  }) as unknown as AnticipatedMemory;

function weakened(invalidation: Invalidation, broken: Broken): Invalidation {
  if (broken === 'the barrier') {
    const beginChange = () => ({ ...invalidation.beginChange(), propagate: async () => undefined });
    return new Proxy(invalidation, {
      get: (target, name) => (name === 'beginChange' ? beginChange : bound(target, name)),
    });
  }
  if (broken === 'nothing') return invalidation;
  return new Proxy(invalidation, { get: (target, name) => (name === 'isCurrent' ? () => true : bound(target, name)) });
}

function bound(target: object, name: string | symbol): unknown {
  const part: unknown = Reflect.get(target, name, target);
  return typeof part === 'function' ? part.bind(target) : part;
}
