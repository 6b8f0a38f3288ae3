import type { TenseHint } from './calendar.ts';
import { foreignTenseAt } from './foreign-tense.ts';
import { languageOf } from '../language/sentence-language.ts';
import { wordSet } from '../language/word-set.ts';

/** Past forms that are no present of their verb: "read" and "put" may be either. */
const pastForms = wordSet(`
  was were had did went got took saw met made gave found bought sold came left began won lost ran flew drove wrote built
  broke fell felt spent sent told said thought knew kept stood held brought taught caught ate drank slept swam sang spoke
  chose woke grew threw paid heard rode wore forgot understood became dealt led lent hung dug sat shook shot stole stuck
`);
/** Irregular participles. With "have" they tell of the past, as those in "ed" do. */
const participles = wordSet(`
  been gone done seen taken given come become begun run flown driven written broken fallen known eaten drunk swum sung
  spoken chosen woken grown thrown gotten read put set cut quit forgotten ridden worn shown had met made found bought
  sold left won lost built felt spent sent told said thought kept held brought taught caught slept paid heard understood
`);
const pastOrPresent = wordSet('read put set cut hit let quit hurt cost bet shut split spread');
/** Words in "ed" that are no past of a verb. */
const noPast = wordSet('need feed speed seed weed indeed exceed proceed succeed bed red wed shed hundred sacred naked');
const be = wordSet("am is are be being 's");
const modals = wordSet('will shall should must may might can could would ought');
const adverbs = wordSet('not never always often also both all already ever only soon usually sometimes n’t still');
const subjects = wordSet('i we they you who he she it');
/**
 * Words that a noun or an adjective follows, so that "a fixed date" and "with excited children" are not taken for the
 * past.
 */
const beforeNouns = wordSet(
  'a an the this that these those my our your his her its their some any no very so too more most of with by in for to at on till until',
);
/** Verbs whose present looks back: "I remember the talk on Monday". */
const lookingBack = wordSet('remember recall regret miss appreciate');
/** Matches feelings about the past, "I am sorry about Monday". Nervous, excited or worried people look ahead. */
const feltAfterwards =
  /^(?:\s(?:feeling|not|so|very|really|a bit|quite|pretty|too|just|still))*\s(?:happy|glad|sad|sorry|proud|grateful|thankful|disappointed|upset|angry|mad|relieved|shocked|hungover|exhausted|tired|sore|ashamed|embarrassed|surprised|impressed|pleased)\b(?!\sto\b)/u;
/** Matches words behind an "'s" that is a verb, as in "The meeting's on Monday". Other ones are possessive. */
const contracted =
  /^\s(?:on|in|at|due|not|now|been|going|moved|moving|booked|until|till|back|off|away|gone|this|next|tomorrow|today|tonight|(?:the )?\d{1,2}(?:st|nd|rd|th)?)(?=\s|$)/u;
/** Things that are still to come for whoever has "got" them: "Got one on the 2nd". */
const stillToCome =
  /^ (?:one|another|to|(?:my|an?) (?:\p{L}+ ){0,2}(?:appointment|interview|exam|test|meeting|class|lesson|scan|wedding|party|check-?up))\b/u;
/** Verbs of timetables, whose present is about the future when a thing is their subject. */
const timetabled = wordSet(
  'starts begins ends opens closes departs arrives expires lands leaves finishes launches resumes returns comes',
);
/** Verbs before "to", whose date is that of the second verb: "I promised to call". */
const promising = wordSet('promised committed agreed decided planned arranged');
const order =
  /^(?:please )?(?:remind|remember|call|book|send|buy|pay|submit|finish|check|email|meet|bring|pick|order|return|renew|ask|tell)\b/iu;

interface TenseCue {
  readonly index: number;
  readonly tense: TenseHint;
}

interface Word {
  readonly text: string;
  readonly lower: string;
  readonly index: number;
}

/** The verbs of a clause that tell a time, with the side of today they speak of; a present tense looks ahead. */
function verbsOf(text: string): TenseCue[] {
  const words: Word[] = [...text.matchAll(/['’]s\b|[\p{L}][\p{L}-]*/gu)].map((match) => ({
    text: match[0],
    lower: match[0].toLowerCase().replace('’', "'"),
    index: match.index,
  }));
  const told: TenseCue[] = order.test(text) ? [{ index: 0, tense: 'future' }] : [];
  let isOwned = false; // "I have a table reserved": what follows is a state of the thing
  for (let n = 0; n < words.length; n += 1) {
    const tense = tenseOfWord(words, n, { text, isOwned });
    const { index, lower } = words[n]!;
    if (/^(?:get|gets|getting|having)$/u.test(lower)) isOwned = true; // "getting a charger fitted"
    if (!tense) continue;
    if (!/^(?:get|getting)$/u.test(lower)) isOwned = tense === 'future' && (lower === 'have' || lower === 'has');
    told.push({ index, tense });
    if (lower !== 'have' && lower !== 'has' && !modals.has(lower) && !be.has(lower)) continue;
    n = groupEnd(words, n);
  }
  return told;
}

const isEd = (lower: string) => /\p{L}{2}ed$/u.test(lower) && !noPast.has(lower);
const isParticiple = ({ lower }: Word) => isEd(lower) || participles.has(lower);
const isAdverb = ({ lower }: Word) => adverbs.has(lower) || (/\p{L}{3}ly$/u.test(lower) && lower !== 'family');

/** The place of the next word that is no adverb. */
function nextOf(words: readonly Word[], n: number): number {
  let next = n + 1;
  while (words[next] && isAdverb(words[next]!)) next += 1;
  return next;
}

function previousOf(words: readonly Word[], n: number): Word | undefined {
  let before = n - 1;
  while (words[before] && isAdverb(words[before]!)) before -= 1;
  return words[before];
}

/** The last word of a group such as "will have been", "have had" or "is moved", whose parts tell nothing alone. */
function groupEnd(words: readonly Word[], n: number): number {
  let end = n;
  for (let next = nextOf(words, end); words[next]; next = nextOf(words, end)) {
    const { lower } = words[next]!;
    if (!be.has(lower) && lower !== 'have' && !isParticiple(words[next]!)) break;
    end = next;
  }
  return end;
}

function tenseOfWord(
  words: readonly Word[],
  n: number,
  { text, isOwned }: { text: string; isOwned: boolean },
): TenseHint | undefined {
  const word = words[n]!;
  const { lower } = word;
  const next = words[nextOf(words, n)];
  if (lower === 'after') return next?.lower.endsWith('ing') ? 'past' : undefined; // "after trying it on Monday"
  const rest = text.slice(word.index + word.text.length);
  const before = previousOf(words, n);
  if (before?.lower === 'to') return undefined;
  if (modals.has(lower) && !/^\p{Lu}/u.test(word.text)) {
    const isPerfect = next?.lower === 'have' && words.slice(n + 2, n + 5).some(isParticiple);
    return isPerfect || (lower === 'could' && words[n + 1]?.lower === 'not') ? 'past' : 'future';
  }
  if (lower === "'s" && !contracted.test(rest)) return undefined;
  if (lower === 'am' || lower === 'is' || lower === 'are' || lower === "'s" || lower === 'theres') {
    const isPast = next?.lower === 'been' || next?.lower === 'had' || next?.lower === 'from';
    return isPast || feltAfterwards.test(rest) ? 'past' : 'future';
  }
  if (lower === 'have' || lower === 'has') return next && isParticiple(next) ? 'past' : 'future';
  if (lower === 'had' && next?.lower === 'better') return 'future';
  if (lower === 'got' && !before && stillToCome.test(rest)) return undefined;
  if (promising.has(lower) && next?.lower === 'to') return 'future';
  if (pastForms.has(lower) || isEd(lower)) return isFinite(word, before, isOwned) ? 'past' : undefined;
  if (lower === 'do' || lower === 'does') return 'future';
  if (timetabled.has(lower)) return 'future';
  if (before && /\p{Ll}{2}s$/u.test(before.lower) && timetabled.has(`${lower}s`)) return 'future'; // "the results come"
  if (!before || /^\p{Lu}/u.test(word.text)) return undefined;
  if (/^(?:he|she|it)$/u.test(before.lower) || (/^\p{Lu}\p{Ll}/u.test(before.text) && !subjects.has(before.lower)))
    return /[^s]s$/u.test(lower) && !be.has(lower) ? 'future' : undefined;
  if (!subjects.has(before.lower) || isAdverb(word) || beforeNouns.has(lower)) return undefined;
  return pastOrPresent.has(lower) || lookingBack.has(lower) || feltAfterwards.test(rest) ? 'past' : 'future';
}

/** Whether a past form is the verb of its clause, and no part of another ("is moved", "a table reserved"). */
function isFinite({ lower }: Word, before: Word | undefined, isOwned: boolean): boolean {
  if (!before) return true;
  if (be.has(before.lower) || /^(?:get|gets|getting|have|having|has)$/u.test(before.lower)) return false;
  if (/^(?:was|were|had|did)$/u.test(lower)) return true;
  if (beforeNouns.has(before.lower)) return before.lower === 'that' || before.lower === 'this';
  return !(isOwned && isEd(lower) && !subjects.has(before.lower) && !/^\p{Lu}/u.test(before.text));
}

/** Past verbs of arranging something for a later date: "I booked a table for Friday", "it was moved to Monday". */
const arranged =
  /\b(?:(?:re)?schedul|plann|book|arrang|reserv|invit|regist|sign|set|got|bought|made|fix|mov|bump|put|postpon|push|delay|shift|extend|prolong|brought)\p{L}*\b.*\b(?:for|to|until|till|by)(?: the)? $/u;
/** Verbs of which the day is the object, and not the time: "We said 20 March", "they offered me the 3rd". */
const named = /\b(?:said|agreed|offered|suggested|proposed|picked|chose)(?: (?:me|us|him|her|them))?(?: the)? $/u;
/** Verbs behind which the day is of the event or of signing up: "I signed up for a race on 27 September". */
const enrolled = /\b(?:signed up|registered|entered|enrolled)\b.*\bfor\b/u;
/** Words before a day to which something is moved, "It slipped to the 20th", which is not the end of a span. */
const movedTo = /^(?!.*\b(?:from|between|up) ).*\bto(?: the)? $/u;
const setAhead = /\b(?:(?:re)?scheduled|planned|booked|reserved|arranged|promised|committed|agreed)\b/u;
const thisSeason = /^this (?:spring|summer|autumn|fall|winter)\b/iu;
const appointment =
  /\b(?:appointment|reservation|interview|deadline|due|exam|upcoming|plan|planning|birthday|anniversary|reminder|looking forward)\b/iu;
/** A judgement without a verb is of something past: "Great dinner on Monday". */
const verdict =
  /^(?:(?:what an? |such an? |a |really |very |so )*)(?:great|good|lovely|nice|amazing|awesome|brilliant|fantastic|wonderful|fun|awful|terrible|horrible|bad|rough|busy|long|quiet|weird)\b/iu;
const fromPast = /\bsince (?:the )?$/iu;
/** Words before a date at which something was made: "The picture from Monday". */
const madeThen = /\b(?:the|this|that|these|those|my|your|our|his|her|their|an?)\s(?:\S+\s){1,3}from (?:the )?$/iu;

/** Words before a date at which something begins: "the contract runs from 1 December". */
const beginsThen =
  /\b(?:runs?|starts?|begins?|valid|effective|available|open|applies|apply|counts?|(?:let|rented|leased|hired) (?:out )?to\b.*)\s(?:as )?from (?:the )?$/iu;

/** Words by which a clause looks ahead, whatever a thing in it is from. */
const planned = /\b(?:will|shall|going to|won['’]t)\b|^\p{L}+ing\b|['’]ll\b/iu;
const lasting = /^\S+(?: \S+){0,4}? (?:until|till|to|through|-|–) |^(?:the )?first of\b/iu;

const until = /\b(?:by|before|until|for|no later than)(?: the)? $/u;

/**
 * Whether the date at this place of a clause is to come or has passed, by the verb before it, or else the one behind:
 * "I have a review on Monday", "we met on Monday". Where no verb tells it is a plan if it speaks of what is waited for,
 * a report if it judges, and else either.
 */
export function tenseHintAt(text: string): (index: number) => TenseHint {
  const language = languageOf(text);
  if (language !== 'en') return foreignTenseAt(text, language);
  const verbs = verbsOf(text);
  return (index) => {
    const before = text.slice(0, index);
    if (fromPast.test(before)) return 'past';
    if (beginsThen.test(before)) return 'future';
    if (madeThen.test(before) && !planned.test(text) && !lasting.test(text.slice(index))) return 'past';
    const verb = verbs.findLast((each) => each.index < index);
    if (!verb && until.test(before)) return 'future';
    const tense = (verb ?? verbs[0])?.tense;
    if (tense === 'future') return 'future';
    if (arranged.test(before) || movedTo.test(before)) return 'future';
    if (named.test(before) && !/^on\b/iu.test(text.slice(index))) return 'future';
    if (enrolled.test(before)) return 'either';
    // "I booked a trip this summer": the trip or the booking.
    if (tense === 'past' && setAhead.test(before) && thisSeason.test(text.slice(index))) return 'either';
    if (tense === 'past') return setAhead.test(before) && appointment.test(text) ? 'future' : 'past';
    if (until.test(before)) return 'future';
    if (appointment.test(text) || /^\p{L}+ing\b/u.test(text)) return 'future';
    return verdict.test(text) ? 'past' : 'either';
  };
}
