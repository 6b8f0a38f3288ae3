import { conversationUuid } from '../ids.ts';
import { isHumanRole } from '../language/speaker.ts';
import type { Access } from '../tenancy/access.ts';
import type { HeldMemories } from './held-memories.ts';
import type { StreamObserver } from './observe-stream.ts';
import type { Bundle, MessageSignal, Signal, Update } from './stream-messages.ts';
import type { TurnRecord, TurnAnticipationBuffer } from './turn-anticipation-buffer.ts';

export interface TurnAnticipationDependencies {
  readonly turnAnticipations: Pick<TurnAnticipationBuffer, 'note'>;
  readonly now: () => Date;
}

/** A turn of people; `n` is not known before its message is kept. */
type RecordedTurn = { -readonly [K in keyof Omit<TurnRecord, 'n'>]: TurnRecord[K] } & {
  n: number | undefined;
  readonly atMs: number;
};

/** The most that an integer column holds. */
const mostMs = 2 ** 31 - 1;

/**
 * Records what one stream pushes for each human message: the bundle current when it was complete, and every bundle
 * until the agent answers or a human speaks again. A message that is not stored is no turn, and nothing is recorded
 * for it.
 */
export class TurnAnticipationRecorder implements StreamObserver {
  readonly #deps: TurnAnticipationDependencies;
  readonly #access: Pick<Access, 'instanceNumber' | 'instance'>;
  readonly #held: HeldMemories;
  #conversationId: string | undefined;
  /** The last human turn: the use of memories is reported for it. */
  #last: RecordedTurn | undefined;
  /** Bundles still belong to the last turn. */
  #isOpen = false;

  constructor(
    deps: TurnAnticipationDependencies,
    access: Pick<Access, 'instanceNumber' | 'instance'>,
    held: HeldMemories,
  ) {
    this.#deps = deps;
    this.#access = access;
    this.#held = held;
  }

  heard(signal: Signal): void {
    if (signal.kind === 'session-start') this.#begin(signal.session.conversationId);
    else if (signal.kind === 'message') this.#said(signal);
    else if (signal.kind === 'partial-message' && isHumanRole(signal)) this.#isOpen = false;
  }

  sending(update: Update): void {
    if (update.kind === 'bundle' && this.#isOpen && this.#last) this.#push(this.#last, update);
  }

  /** Memories, by their public ids, were of use for what people said last. */
  used(memoryIds: readonly string[]): void {
    const turn = this.#last;
    if (!turn) return;
    const used = new Set(memoryIds);
    turn.pushed = new Map([...turn.pushed].map(([id, each]) => [id, used.has(id) ? { ...each, isUsed: true } : each]));
    this.#note(turn);
  }

  #begin(conversationId: string | undefined): void {
    if (conversationId) this.#conversationId = conversationUuid(this.#access.instance, conversationId).id;
  }

  #said(message: MessageSignal): void {
    this.#isOpen = isHumanRole(message);
    if (!this.#isOpen) return;
    this.#last = undefined;
    if (this.#conversationId === undefined || message.number === undefined) return;
    const atMs = performance.now();
    const { instanceNumber } = this.#access;
    const turn: RecordedTurn = {
      instanceNumber,
      conversationId: this.#conversationId,
      n: undefined,
      receivedAt: this.#deps.now(),
      atMs,
      pushed: new Map(
        [...this.#held.since].map(([id, pushedMs]) => [id, { leadTimeMs: leadOf(atMs, pushedMs), isUsed: false }]),
      ),
    };
    this.#last = turn;
    void this.#numbered(turn, message.number);
  }

  async #numbered(turn: RecordedTurn, number: MessageSignal['number']): Promise<void> {
    turn.n = await number;
    this.#note(turn);
  }

  #push(turn: RecordedTurn, { memories }: Bundle): void {
    const leadTimeMs = leadOf(turn.atMs, performance.now());
    const best = memories.map(({ id }) => [id, turn.pushed.get(id) ?? { leadTimeMs, isUsed: false }] as const);
    turn.pushed = new Map([...best, ...turn.pushed]); // what stands twice keeps its first place
    this.#note(turn);
  }

  #note(turn: RecordedTurn): void {
    if (turn.n !== undefined) this.#deps.turnAnticipations.note(turn as TurnRecord);
  }
}

/** Rounded down, so that what came after the message never counts as if it had been there. */
const leadOf = (atMs: number, pushedMs: number) => Math.max(-mostMs, Math.min(mostMs, Math.floor(atMs - pushedMs)));
