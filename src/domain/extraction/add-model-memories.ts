import type { Precision, TimeSpan } from '../dates/calendar.ts';
import { parseTime } from '../dates/parse-time.ts';
import { uniqueNames, type NameMention } from '../language/names.ts';
import { literalSource } from '../language/pattern-sources.ts';
import { isUnnamedMachine } from '../language/speaker.ts';
import { storableText } from '../plain-text.ts';
import { isQuotedFirstPerson } from './quoted-speech/quoted-words.ts';
import { isPartialDiscard, type Candidate, type Extraction, type Turn } from './candidate.ts';
import type { ModelMemory } from './model-answer.ts';
import { isSmallTalk } from './small-talk.ts';

/** How sure a model can be: it knows little of how often it is right. */
const surest = 0.95;

/**
 * Adds a model's memories to those of the rules. Only those are taken that rest on words of a turn they cite; the rules
 * decide which turns count, and which attribute a statement is about.
 */
export function addModelMemories(
  ruled: Extraction,
  told: readonly ModelMemory[],
  turns: readonly Turn[],
  threshold: number,
): { candidates: Candidate[]; discarded: number } {
  const gone = new Set(ruled.discarded.filter((each) => !isPartialDiscard(each)).map(({ turn }) => turn));
  const absorbed = new Set<Candidate>();
  const found = told.flatMap((memory) => {
    const candidate = foundedOn(memory, turns);
    if (!candidate || candidate.confidence < threshold || gone.has(candidate.turns[0]!)) return [];
    const same = ruled.candidates.filter((other) => isSame(other, candidate));
    const stating = same.filter(({ attribute }) => attribute);
    if (stating.length > 1) return []; // it puts several statements into one, which none could supersede
    for (const other of same) absorbed.add(other);
    return [same.reduce(mergeCandidates, candidate)];
  });
  return {
    candidates: [...ruled.candidates.filter((candidate) => !absorbed.has(candidate)), ...found],
    discarded: ruled.discarded.length + told.length - found.length,
  };
}

/** The memory as a candidate; undefined unless a person said its quote in a turn that it cites. */
function foundedOn(memory: ModelMemory, turns: readonly Turn[]): Candidate | undefined {
  const cited = memory.turns.flatMap((n) => turns[n] ?? []);
  const home = cited.find((turn) => verbatim(memory.quote, turn.content) !== undefined);
  if (!home || isUnnamedMachine(home)) return undefined;
  const quote = verbatim(memory.quote, home.content)!;
  if (isSmallTalk(quote) || isQuotedFirstPerson(quote, home.content)) return undefined;
  const event = spanOf(memory.event_start, memory.event_end);
  const dueAt = memory.due_at === null ? undefined : parseTime(memory.due_at);
  return {
    type: memory.type,
    category: memory.category,
    content: storableText(memory.content),
    confidence: Math.min(memory.confidence, surest),
    turns: [home.index, ...new Set(cited.map(({ index }) => index).filter((index) => index !== home.index))],
    quote,
    ...(event ? { event } : {}),
    ...(dueAt ? { dueAt } : {}),
    entities: namesIn(memory, cited),
  };
}

/** The words of the quote as the text has them: models straighten quotation marks and join lines. */
function verbatim(quote: string, text: string): string | undefined {
  if (text.includes(quote)) return quote;
  const words = quote
    .split(/\s+/u)
    .map((word) => literalSource(word).replaceAll(/['‘’]/gu, "['‘’]").replaceAll(/["“”]/gu, '["“”]'));
  return new RegExp(words.join(String.raw`\s+`), 'u').exec(text)?.[0];
}

/** Only names that the cited turns hold, or their speakers have. */
function namesIn({ entities }: ModelMemory, cited: readonly Turn[]): NameMention[] {
  const words = cited.map(({ name, content }) => `${name ?? ''} ${content}`.toLowerCase()).join('\n');
  return uniqueNames(entities.filter(({ name }) => words.includes(name.toLowerCase())));
}

function spanOf(start: string | null, end: string | null): TimeSpan | undefined {
  if (start === null) return undefined;
  const [from, until] = [parseTime(start), end === null ? undefined : parseTime(end)];
  return { start: from, ...(until && until > from ? { end: until } : {}), precision: precisionOf(start) };
}

const precisionOf = (date: string): Precision =>
  date.length > 10 ? 'minute' : date.length > 7 ? 'day' : date.length > 4 ? 'month' : 'year';

const isSame = (ruled: Candidate, candidate: Candidate): boolean =>
  ruled.type === candidate.type &&
  ruled.turns[0] === candidate.turns[0] &&
  (ruled.quote.includes(candidate.quote) || candidate.quote.includes(ruled.quote));

/** In the model's words, with what the rules know of the same statement. */
const mergeCandidates = (candidate: Candidate, ruled: Candidate): Candidate => ({
  ...(ruled.event ? { event: ruled.event } : {}),
  ...(ruled.dueAt ? { dueAt: ruled.dueAt } : {}),
  ...(ruled.attribute ? { attribute: ruled.attribute } : {}),
  ...candidate,
  confidence: Math.max(candidate.confidence, ruled.confidence),
  entities: uniqueNames([...candidate.entities, ...ruled.entities]),
});
