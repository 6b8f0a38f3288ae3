import type { Classification } from '../extraction/statement-classifier.ts';
import { isOfPeople } from '../language/speaker.ts';
import type { CompactionTurn, PinKind } from './compaction.ts';
import type { Judgements } from './judge-sentences.ts';
import { fewWords, rank, type Piece, type StatedStretch } from './memory-pins.ts';
import { kindOfMachines, kindOfPeoples } from './pin-patterns.ts';
import { byTurn, clausesOf, overlap, wordsOf, type Stretch } from './stretch.ts';
import type { TurnSentence } from './turn-sentences.ts';

/** A machine's reply of more tokens explains; a shorter one tells of the case at hand. */
const shortReplyTokens = 60;
/** A longer sentence is cut to the clauses that hold what it is kept for. */
const longSentenceTokens = 40;
/** Finds pins by patterns, in sentences of which nothing of that kind is pinned yet. */
export function patterned(
  sentences: readonly TurnSentence[],
  {
    pieces,
    outdated,
    judgements,
  }: { pieces: readonly Piece[]; outdated: readonly StatedStretch[]; judgements: Judgements },
): Piece[] {
  const found: Piece[] = [];
  const [keptIn, outdatedIn] = [byTurn(pieces), byTurn(outdated)];
  const spoken = new Map<CompactionTurn, number>();
  for (const { turn, tokens } of sentences) spoken.set(turn, (spoken.get(turn) ?? 0) + tokens);
  for (const sentence of sentences) {
    const { turn, start, text, tokens } = sentence;
    const ofPeople = isOfPeople(turn);
    if (!ofPeople && spoken.get(turn)! > shortReplyTokens) continue;
    const kindOf = ofPeople ? kindOfPeoples : kindOfMachines;
    const judged = judgements(sentence);
    if (judged && judged.borrowed >= borrowedLeast) continue;
    const kind: PinKind | undefined = kindOf(text) ?? (judged && kindOfJudged(judged, text));
    const whole = { turn, start, end: start + text.length };
    const isHere = (other: Stretch) => overlap(whole, other);
    if (!kind || outdatedIn.get(turn.n)?.some(isHere)) continue;
    const same = keptIn.get(turn.n)?.find((piece) => isHere(piece) && kindOf(wordsOf(piece)) === kind);
    if (same) found.push({ ...same, kind: rank(same.kind) < rank(kind) ? same.kind : kind });
    else found.push({ ...narrowed(whole, { kind, tokens, kindOf }), kind, memoryId: null, asked: null });
  }
  return found;
}

/**
 * The pin kind of a sentence that the model takes for an instruction or preference, but was not sure enough of to
 * store.
 */
function kindOfJudged({ worth, kinds }: Classification, text: string): PinKind | undefined {
  if (worth < unsure.worth || text.endsWith('?') || text.split(/\s+/u).length <= fewWords) return undefined;
  if (kinds.instruction >= unsure.kind) return 'instruction';
  return kinds.preference >= unsure.kind ? 'preference' : undefined;
}
const unsure = { worth: 0.5, kind: 0.3 };
/** From this probability on, words are quoted, played, supposed or somebody else's. */
const borrowedLeast = 0.5;

/** Instructions and limits need their sentence; an exact value only its clause. */
function narrowed(
  sentence: Stretch,
  { kind, tokens, kindOf }: { kind: PinKind; tokens: number; kindOf: (text: string) => PinKind | undefined },
): Stretch {
  if (tokens <= longSentenceTokens && kind !== 'identifier') return sentence;
  const clauses = clausesOf(sentence);
  const holding = clauses.filter((clause) => kindOf(wordsOf(clause)) === kind);
  if (!holding.length) return sentence;
  return { ...sentence, start: holding[0]!.start, end: holding.at(-1)!.end };
}
