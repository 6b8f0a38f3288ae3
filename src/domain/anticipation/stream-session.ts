import { setTimeout as delay } from 'node:timers/promises';
import { isHumanRole } from '../language/speaker.ts';
import { DomainError, invalidInputError } from '../errors.ts';
import { latestOnly } from '../flow/latest-only.ts';
import { instanceOwnerNo } from '../invalidation/invalidation.ts';
import { readVersionsOf, readableOwnerNumbers, type Access, type NarrowedAccess } from '../tenancy/access.ts';
import type { AnticipationDependencies } from './dependencies.ts';
import type { AnticipatedMemory, Bundle, StreamSettings, Signal, Update } from './stream-messages.ts';
import type { CoalescingSendBuffer } from './send-buffer.ts';
import type { RetainedVersion } from './session-history.ts';
import type { ResumableSession } from './resumable-sessions.ts';
import type { SubscribedStream } from './subscription-registry.ts';
import { createThrottle } from './throttle.ts';

export class StreamSession implements SubscribedStream {
  readonly #deps: AnticipationDependencies;
  readonly #sendBuffer: CoalescingSendBuffer;
  readonly #throttle = createThrottle(() => performance.now());
  readonly #answers = latestOnly((isInitial: boolean) => this.#answer(isInitial));
  #access: Access;
  #session: StreamSettings | undefined;
  #resumable: ResumableSession | undefined;
  /** Counts the signals that the reader sent itself. */
  #signalsHeard = 0;
  /** The bundle that was put into the send buffer last. */
  #newestBundleId: string | undefined;
  #isOver = false;
  #isClosed = false;
  /** The owners whose changes are heard of, and what ends that. */
  readonly #watched = new Set<number>();
  readonly #unwatch: (() => void)[] = [];
  readonly #release = () => this.fail(new DomainError('conflict', 'another stream resumed this session'));

  constructor(deps: AnticipationDependencies, access: Access, sendBuffer: CoalescingSendBuffer) {
    this.#deps = deps;
    this.#access = access;
    this.#sendBuffer = sendBuffer;
  }

  async run(signals: AsyncIterable<Signal>, callSignal: AbortSignal): Promise<void> {
    await this.#watch([instanceOwnerNo]);
    await this.updateAccess(await this.#deps.reauthenticate()); // of what changed before, nobody told this stream
    for await (const signal of signals) {
      const isAdmitted = await this.#admit(signal, callSignal);
      await this.#authorize(); // before anything is done for it
      if (!('isRelayed' in signal)) this.#signalsHeard += 1;
      if (!isAdmitted) continue;
      if (signal.kind === 'session-end') {
        this.#isOver = true;
        break;
      }
      await this.#take(signal);
    }
    await this.#answers.settled();
  }

  /** Waits until the signal may be taken. False: never, as of a partial message the next one says it all again. */
  async #admit({ kind }: Signal, callSignal: AbortSignal): Promise<boolean> {
    let waitMs = this.#throttle.take();
    if (waitMs === 0) return true;
    this.#sendBuffer.put({ kind: 'throttle', retryAfterMs: waitMs });
    if (kind === 'partial-message') return false;
    while (waitMs > 0 && !callSignal.aborted) {
      await delay(waitMs, undefined, { signal: callSignal }).catch(() => undefined);
      waitMs = this.#throttle.take(); // what was waited for is taken too
    }
    return waitMs === 0;
  }

  async #take(signal: Exclude<Signal, { kind: 'session-end' }>): Promise<void> {
    if (signal.kind === 'ping') return this.#sendBuffer.put({ kind: 'pong' });
    if (signal.kind === 'session-start') return this.#start(signal.session);
    const { session, window } = this.#begun(signal.kind);
    switch (signal.kind) {
      case 'message':
        window.hear(isHumanRole(signal) ? 'people' : 'agent', signal.content);
        break;
      case 'partial-message':
        if (!isHumanRole(signal)) return; // an agent's words are heard when they are complete
        window.speaking(signal.content);
        break;
      case 'tool-call':
        window.hear('agent', `${signal.name} ${signal.arguments}`);
        break;
      case 'context-used':
        return this.#deps.learn(this.#access, { session, window, memoryIds: signal.memoryIds });
    }
    this.#deps.sessions.keep(this.#access.instance, session, this.#resumable!);
    this.#answers.push(false);
  }

  #start(session: StreamSettings): void {
    if (this.#session) throw invalidInputError('session_start', 'this stream has its session already');
    this.#session = session;
    this.#resumable = this.#deps.sessions.open(this.#access.instance, session);
    this.#resumable.release = this.#release;
    const { history } = this.#resumable;
    const missed = history.resume(session.lastSequence ?? 0);
    if (missed?.length) this.withdraw(missed);
    this.#deps.sessions.keep(this.#access.instance, session, this.#resumable);
    this.#answers.push(true);
  }

  #begun(kind: Signal['kind']): { session: StreamSettings } & ResumableSession {
    if (this.#session && this.#resumable) return { session: this.#session, ...this.#resumable };
    throw invalidInputError(kind.replace('-', '_'), 'session_start must come first');
  }

  /** The initial bundle comes only if there is something to say. */
  async #answer(isInitial: boolean): Promise<void> {
    try {
      await this.#authorize();
      const { session, window, history } = this.#begun('message');
      const signalsHeard = this.#signalsHeard;
      const held = history.ids;
      const watch = (reader: NarrowedAccess) => this.#watch(readableOwnerNumbers(reader));
      const found = await this.#deps.predict(this.#access, { session, window, held, watch });
      const { gone, ...prediction } = found;
      if (gone.length) this.withdraw(gone);
      if (isInitial) await this.#tellSummary(session);
      if (isInitial && !prediction.memories.length && !held.length) return;
      this.#put({ bundleId: this.#deps.newBundleId(), signalsHeard, ...prediction });
    } catch (error) {
      this.fail(error);
    }
  }

  /** Sends the summary of a conversation. Call it once the reader is known to be allowed to read that. */
  async #tellSummary({ conversationId }: StreamSettings): Promise<void> {
    const summary = conversationId ? await this.#deps.summaryOf(this.#access, conversationId) : null;
    if (summary) this.#sendBuffer.put({ kind: 'summary', ...summary });
  }

  #put(bundle: Omit<Bundle, 'kind' | 'sequence' | 'isSnapshot'>): void {
    const sequence = this.#resumable!.history.next();
    this.#newestBundleId = bundle.bundleId;
    this.#sendBuffer.put({ kind: 'bundle', isSnapshot: false, ...bundle, sequence });
  }

  /** Reads the credential anew if anything of the instance changed; no statement is needed to know that nothing did. */
  async #authorize(): Promise<void> {
    const { invalidation } = this.#deps;
    if (invalidation.isCurrent(readVersionsOf(this.#access))) return;
    await invalidation.ready();
    await this.updateAccess(await this.#deps.reauthenticate());
  }

  /** True when one of these was not heard of before. */
  async #watch(ownerNos: readonly number[]): Promise<boolean> {
    const added = ownerNos.filter((ownerNo) => !this.#watched.has(ownerNo));
    if (!added.length) return false;
    const unwatch = await this.#deps.invalidation.watch(this.#access.instanceNumber, added);
    if (this.#isClosed) {
      unwatch();
      return false;
    }
    this.#unwatch.push(unwatch);
    for (const ownerNo of added) this.#watched.add(ownerNo);
    this.#deps.subscriptions.add(this, added);
    return true;
  }

  /** Whether an update holds no memory whose end was acknowledged. */
  maySend(update: Update): boolean {
    return update.kind !== 'bundle' || this.#deps.invalidation.isCurrent(update.asOf);
  }

  /** Puts another bundle in the place of an overtaken one, unless a newer one was put meanwhile. Never rejects. */
  async replaceStale(update: Update): Promise<void> {
    if (update.kind !== 'bundle') return;
    try {
      await this.#deps.invalidation.ready();
      const { asOf: before, totalTokens, bundleId, signalsHeard } = update;
      const memories = update.memories.filter((memory): memory is AnticipatedMemory => 'uuid' in memory);
      const remaining = await this.#deps.recheck(this.#access, { memories, totalTokens, asOf: before });
      if (this.#isClosed || this.#newestBundleId !== bundleId) return;
      if (remaining) return this.#put({ bundleId, signalsHeard, ...remaining });
      this.#answers.push(false);
      await this.#answers.settled(); // or a session that ends would end without it
    } catch (error) {
      this.fail(error);
    }
  }

  /** The update as it goes out, which the reader holds from now on. */
  recordSent(update: Update): Update {
    if (!this.#session || !this.#resumable) return update;
    if (update.kind === 'bundle') return this.#resumable.history.recordSent(update, this.#session.keepsBundle === true);
    return update.kind === 'withdrawal' ? this.#resumable.history.withdraw(update) : update;
  }

  get access(): Access {
    return this.#access;
  }

  held(ownerNos: ReadonlySet<number>): readonly RetainedVersion[] {
    return this.#resumable?.history.heldByOwners(ownerNos) ?? [];
  }

  withdraw(memoryIds: readonly string[]): void {
    const { history } = this.#resumable!;
    this.#sendBuffer.withdraw(memoryIds, () => history.next());
  }

  fail(error: unknown): void {
    this.#sendBuffer.fail(error);
  }

  reauthenticate(): Promise<Access> {
    return this.#deps.reauthenticate();
  }

  /**
   * Takes an access that was read anew. Under another isolation its reader may read other owners: what was sent is
   * withdrawn, and sent again only if it is found again.
   */
  async updateAccess(access: Access): Promise<void> {
    const before = this.#access;
    if (access.instanceRevision < before.instanceRevision) return;
    this.#access = access;
    if (!this.#resumable || access.configurationVersion === before.configurationVersion) return;
    const [was, is] = await Promise.all([this.#deps.isolationOf(before), this.#deps.isolationOf(access)]);
    if (was === is) return;
    const held = this.#resumable.history.ids;
    if (held.length) this.withdraw(held);
    this.#answers.push(false);
  }

  close(): void {
    this.#isClosed = true;
    this.#deps.subscriptions.remove(this, this.#watched);
    for (const unwatch of this.#unwatch) unwatch();
    if (!this.#session || !this.#resumable) return;
    if (this.#resumable.release !== this.#release) return; // another stream has it now
    this.#resumable.release = undefined;
    if (this.#isOver) this.#deps.sessions.forget(this.#access.instance, this.#session);
    else this.#deps.sessions.keep(this.#access.instance, this.#session, this.#resumable);
  }
}
