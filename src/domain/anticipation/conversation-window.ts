import type { RecallResult } from '../retrieval/recall.ts';
import type { StandingMemory } from '../memories/standing-memories.ts';
import { keepNewest } from './keep-newest.ts';

/** A turn or a tool call, with the memories that match it once they were looked up. */
export interface ConversationCue {
  readonly text: string;
  /** The agent's own words and calls tell less of what people will ask for. */
  readonly by: 'people' | 'agent';
  recall?: RecallResult;
  /** `presentationAges` counts these matches already. */
  isPresentationRecorded?: boolean;
}

/**
 * Human turns that are kept, with all that was said since: an agent is assumed to have that much in its context window.
 */
const turnsKept = 6;
const charsKept = 20_000;
/** The number of latest turns whose memories still count as present. */
const matchedTurns = 4;
/** Memories whose recalls are remembered. */
const presentedAtMost = 500;
/** The number of best matches of each cue that count as presented. */
const presentedOfCue = 10;

/** The bytes that a found memory takes, and one whose presentations are remembered. */
const [foundBytes, presentedBytes] = [500, 300];

/**
 * The window of one conversation that bundles are predicted from: its last turns, the words that are being said now,
 * and the memories that matched them so far.
 */
export class ConversationWindow {
  /** Standing memories, with the owners and revisions (`versionVectorOf`) that they were read under, and when. */
  standing?: { readonly of: string; readonly at: Date; readonly chosen: readonly StandingMemory[] };
  #heard: ConversationCue[] = [];
  #speaking: ConversationCue | undefined;
  #presented = new Map<string, number[]>();
  #cues = 0;

  /** Takes in what is said or done now. */
  hear(by: ConversationCue['by'], text: string): void {
    const kept = text.slice(-charsKept);
    const wasSpoken = by === 'people' && this.#speaking?.text === kept;
    const heard = [...this.#heard, wasSpoken ? this.#speaking! : { text: kept, by }];
    if (by === 'people') this.#speaking = undefined;
    const places = heard.flatMap((cue, at) => (cue.by === 'people' ? at : []));
    const first = places.at(-turnsKept) ?? 0;
    // An agent that works alone is cut off too.
    this.#heard = heard.slice(Math.max(first, heard.length - 4 * turnsKept));
    const matched = new Set([this.asked, this.reply, ...this.before]);
    for (const cue of this.#heard) if (!matched.has(cue)) delete cue.recall; // of no use any more, and much
  }

  /** A turn so far; blank: taken back. */
  speaking(text: string): void {
    this.#speaking = text.trim() ? { text: text.slice(-charsKept), by: 'people' } : undefined;
  }

  /** The memory that it takes, in bytes, about. */
  get weight(): number {
    const cues = this.#speaking ? [...this.#heard, this.#speaking] : this.#heard;
    const ofCues = cues.reduce(
      (sum, { text, recall }) => sum + text.length + (recall?.found.length ?? 0) * foundBytes,
      0,
    );
    return ofCues + this.#presented.size * presentedBytes;
  }

  get heard(): readonly ConversationCue[] {
    return this.#heard;
  }

  /** The turn in which people are asking now, in whole or in part; undefined once the agent has answered. */
  get asked(): ConversationCue | undefined {
    const last = this.#heard.at(-1);
    return this.#speaking ?? (last?.by === 'people' ? last : undefined);
  }

  /** The last turns of people before what is asked now, newest first. */
  get before(): ConversationCue[] {
    const { asked } = this;
    const turns = this.#heard.filter((cue) => cue.by === 'people' && cue !== asked);
    return turns.slice(-matchedTurns).toReversed();
  }

  /** The agent's last words or call. */
  get reply(): ConversationCue | undefined {
    return this.#heard.findLast((cue) => cue.by === 'agent');
  }

  /**
   * Counts the memories that match a message of people for `presentationAges`, once; words being typed do not count.
   */
  recordPresentation(cue: ConversationCue): void {
    // A bundle and what was of use may look it up at the same time.
    if (!cue.recall || cue.isPresentationRecorded) return;
    cue.isPresentationRecorded = true;
    this.#cues += 1;
    for (const { id } of cue.recall.found.slice(0, presentedOfCue)) {
      const cues = this.#presented.get(id) ?? [];
      this.#presented.delete(id); // to the end: the longest forgotten goes first
      this.#presented.set(id, [...cues.slice(-19), this.#cues]);
    }
    keepNewest(this.#presented, presentedAtMost);
  }

  /** How many turns of people ago a memory was among the best matches of a turn, for each time that it was. */
  presentationAges(id: string): number[] {
    return (this.#presented.get(id) ?? []).map((cue) => this.#cues - cue + 1);
  }
}
