import { isOfPeople } from '../language/speaker.ts';
import { pinKinds, type CompactionTurn, type Pin, type PinKind, type SpanMemory } from './compaction.ts';
import { speakerOf } from './compose.ts';
import { holdsExactValue, kindOfMachines, kindOfPeoples } from './pin-patterns.ts';
import { normalised } from './verbatim.ts';
import { overlaps, type TurnSentence } from './turn-sentences.ts';

/** A stretch of a turn that states a memory. */
export interface StatedRange {
  readonly memory: SpanMemory;
  readonly n: number;
  readonly start: number;
  readonly end: number;
}

/** What is to be kept of a span, and what must not be told as if it held. */
export interface Keepsakes {
  readonly pins: readonly Pin[];
  /** Sentences that state something extracted. */
  readonly extracted: ReadonlySet<TurnSentence>;
  /** Sentences that state what was replaced or corrected since. */
  readonly outdated: ReadonlySet<TurnSentence>;
}

/** A machine's reply of more tokens explains; a shorter one tells of the case at hand. */
const shortReplyTokens = 60;
/** A longer sentence is cut to the clause that holds the value it is kept for. */
const longSentenceTokens = 40;

/** Finds what every compaction of these turns keeps word for word. */
export function findPins(
  turns: readonly CompactionTurn[],
  sentences: readonly TurnSentence[],
  memories: readonly SpanMemory[],
): Keepsakes {
  const byTurn = sentencesByTurn(sentences);
  const ranges = statedRanges(turns, memories);
  const covered = (range: StatedRange) => (byTurn.get(range.n) ?? []).filter((sentence) => overlaps(sentence, range));
  const outdated = new Set(
    ranges.filter(({ memory }) => memory.status === 'superseded' || isCorrected(memory)).flatMap(covered),
  );
  const replacing = new Set(memories.flatMap(({ supersededBy }) => supersededBy ?? []));
  const active = ranges.filter(({ memory }) => isCurrent(memory) && !isCorrected(memory));
  const found = new Map<TurnSentence | StatedRange, Pin>();
  for (const range of active) {
    const kind = kindOfMemory(range.memory, replacing);
    if (!kind) continue;
    for (const pin of pinsOfRange(range, { kind, sentences: covered(range), outdated, turns }))
      if (!found.has(pin.of) || rank(pin.kind) < rank(found.get(pin.of)!.kind)) found.set(pin.of, pin);
  }
  for (const [sentence, kind] of patterned(turns, byTurn)) {
    const known = found.get(sentence);
    if (outdated.has(sentence) || (known && rank(known.kind) <= rank(kind))) continue;
    found.set(sentence, { ...pinOf(sentence, kind), memoryId: known?.memoryId ?? null });
  }
  const corrections = memories.filter((memory) => isCurrent(memory) && isCorrected(memory));
  const pins = [...found.values(), ...corrections.map((memory) => pinOfCorrection(memory, { replacing, turns }))];
  return { pins: together(pins), extracted: new Set(active.flatMap(covered)), outdated };
}

const isCurrent = ({ status, type }: SpanMemory) => status === 'active' && type !== 'episodes';
const isCorrected = ({ edition }: SpanMemory) => edition > 0;

/** What a memory says since it was corrected, in the place of the words that were said. */
function pinOfCorrection(
  memory: SpanMemory,
  { replacing, turns }: { replacing: ReadonlySet<string>; turns: readonly CompactionTurn[] },
): Pin {
  const said = [...new Set(memory.quotes.flatMap((quote) => quote.turns))].toSorted((one, other) => one - other);
  const first = turns.find(({ n }) => n === said[0]);
  return {
    kind: kindOfMemory(memory, replacing) ?? 'current_value',
    text: memory.content,
    turns: said,
    speaker: first ? speakerOf(first) : null,
    memoryId: memory.id,
  };
}

function sentencesByTurn(sentences: readonly TurnSentence[]): Map<number, TurnSentence[]> {
  const byTurn = new Map<number, TurnSentence[]>();
  for (const sentence of sentences) {
    const known = byTurn.get(sentence.turn.n);
    if (known) known.push(sentence);
    else byTurn.set(sentence.turn.n, [sentence]);
  }
  return byTurn;
}

const rank = (kind: PinKind) => pinKinds.indexOf(kind);

/** Where the quotes of memories stand in the turns. */
function statedRanges(turns: readonly CompactionTurn[], memories: readonly SpanMemory[]): StatedRange[] {
  const byNumber = new Map(turns.map((turn) => [turn.n, turn]));
  return memories.flatMap((memory) =>
    memory.quotes.flatMap(({ text, turns: ns }) =>
      ns.flatMap((n) => {
        const start = byNumber.get(n)?.content.indexOf(text) ?? -1;
        return start < 0 ? [] : { memory, n, start, end: start + text.length };
      }),
    ),
  );
}

function kindOfMemory(
  { id, type, category, isScheduled }: SpanMemory,
  replacing: ReadonlySet<string>,
): PinKind | undefined {
  if (category === 'instruction') return 'instruction';
  if (category === 'health') return 'constraint';
  if (type === 'temporal_events' || isScheduled) return 'event';
  return replacing.has(id) ? 'current_value' : undefined;
}

/** The whole sentences, unless they say something outdated too, or much else: then the quote alone. */
function pinsOfRange(
  range: StatedRange,
  options: {
    kind: PinKind;
    sentences: readonly TurnSentence[];
    outdated: ReadonlySet<TurnSentence>;
    turns: readonly CompactionTurn[];
  },
): (Pin & { of: TurnSentence | StatedRange })[] {
  const { kind, sentences, outdated, turns } = options;
  const memoryId = range.memory.id;
  const isWhole =
    sentences.length > 0 && sentences.every((each) => !outdated.has(each) && each.tokens <= longSentenceTokens);
  if (isWhole) return sentences.map((of) => ({ ...pinOf(of, kind), memoryId, of }));
  const turn = turns.find(({ n }) => n === range.n)!;
  const text = turn.content.slice(range.start, range.end);
  return [{ kind, text, turns: [range.n], speaker: speakerOf(turn), memoryId, of: sentences[0] ?? range }];
}

function* patterned(
  turns: readonly CompactionTurn[],
  byTurn: ReadonlyMap<number, readonly TurnSentence[]>,
): Generator<[TurnSentence, PinKind]> {
  for (const turn of turns) {
    const sentences = byTurn.get(turn.n) ?? [];
    const ofPeople = isOfPeople(turn);
    if (!ofPeople && sentences.reduce((sum, { tokens }) => sum + tokens, 0) > shortReplyTokens) continue;
    for (const sentence of sentences) {
      const kind = ofPeople ? kindOfPeoples(sentence.text) : kindOfMachines(sentence.text);
      if (kind) yield [sentence, kind];
    }
  }
}

const pinOf = (sentence: TurnSentence, kind: PinKind): Omit<Pin, 'memoryId'> => ({
  kind,
  text: kind === 'identifier' && sentence.tokens > longSentenceTokens ? clauseOf(sentence.text) : sentence.text,
  turns: [sentence.turn.n],
  speaker: speakerOf(sentence.turn),
});

/** From the first clause that holds an exact value to the last one that does. */
function clauseOf(text: string): string {
  const clauses = text.split(/(?<=[,;:–—])\s+|\s+(?=(?:and|but|so|which|because)\s)/u);
  const first = clauses.findIndex(holdsExactValue);
  if (first < 0) return text;
  const last = clauses.findLastIndex(holdsExactValue);
  const start = text.indexOf(clauses[first]!);
  const end = text.indexOf(clauses[last]!, start) + clauses[last]!.length;
  return text.slice(start, end);
}

/** Words that were said several times are kept once, with all their turns. */
function together(pins: readonly Pin[]): Pin[] {
  const byText = new Map<string, Pin>();
  for (const pin of pins.toSorted((one, other) => one.turns[0]! - other.turns[0]!)) {
    const key = normalised(pin.text).toLowerCase();
    const known = byText.get(key);
    byText.set(key, known ? { ...known, turns: [...new Set([...known.turns, ...pin.turns])] } : pin);
  }
  return [...byText.values()].map(({ kind, text, turns, speaker, memoryId }) => ({
    kind,
    text,
    turns,
    speaker,
    memoryId,
  }));
}
