import type { Attribute } from '../candidate.ts';
import type { Clause } from '../clauses.ts';
import { endOfPeriod, type SaidAt } from '../../dates/calendar.ts';
import { dayMs } from '../../time.ts';
import { findDates } from '../../dates/find-dates.ts';
import { plainRole } from '../../language/person-words.ts';
import { stemToken } from '../../language/stems.ts';
import { wordSet } from '../../language/word-set.ts';
import { attributePatterns } from './attribute-patterns.ts';
import type { AttributePattern } from './attribute-pattern.ts';

/** An attribute that a clause states. */
export interface StatedAttribute {
  attribute: Attribute;
  /** Worth keeping for the attribute alone; else the attribute only says what the statement is about. */
  isMemory: boolean;
  isEvent: boolean;
}

/**
 * The attribute that a clause states about its speaker, as of now. Undefined when in any doubt, since a wrong attribute
 * would retire what is still true: each pattern has to match the whole clause, which one with a condition, a wish or
 * somebody else's statement in it does not.
 */
export function findStatedAttribute(clause: Clause, subject: string, when: SaidAt): StatedAttribute | undefined {
  if (
    clause.isQuestion ||
    /\b(?:imagine|suppose|story|character|novel|role-?play|for example|joking|dreamt|dreamed)\b/u.test(
      clause.sentence.toLowerCase(),
    )
  )
    return undefined;
  if (!hangsFree(clause)) return undefined;
  for (const form of attributePatterns) {
    const read = readBy(form, clause, when);
    if (!read) continue;
    if (isLongAgo(clause.normalized, when)) return undefined;
    return { attribute: { subject, ...read }, isMemory: !form.needsRule, isEvent: form.isEvent ?? false };
  }
  return undefined;
}

export const statedAttributeOf = (clause: Clause, subject: string, when: SaidAt): Attribute | undefined =>
  findStatedAttribute(clause, subject, when)?.attribute;

function readBy(
  form: AttributePattern,
  { normalized, text }: Clause,
  when: SaidAt,
): Omit<Attribute, 'subject'> | undefined {
  const match = form.pattern.exec(normalized);
  if (!match) return undefined;
  const { value: given, of = '' } = match.groups ?? {};
  const said = form.value ?? given;
  if (!said || form.except?.test(given ?? of) || (form.said && !form.said.test(text))) return undefined;
  const what = form.isStemmed ? stemmed(of) : of;
  if (form.isStemmed && !what) return undefined;
  const name = attributeName(form.name, what);
  const value = form.isTime ? timeIn(said, when) : valueOf(said, name, form);
  if (!value) return undefined;
  const ahead = form.isAhead ? findDates(normalized, when, 'future')[0] : undefined;
  return {
    name,
    value,
    ...(form.sense ? { sense: form.sense } : {}),
    ...(ahead ? { until: ahead.end ?? endOfPeriod(ahead.start, ahead.precision) } : {}),
  };
}

/** The time that the words name and nothing else; "in the office" names none. */
function timeIn(text: string, when: SaidAt): string | undefined {
  const dates = findDates(text, when, 'future');
  const rest = dates.reduce((left, { words }) => left.replace(text.slice(words.start, words.end), ' '), text);
  return dates.length && /^(?:[\s,.]|\b(?:on|at|the|of|from|to|in)\b)*$/u.test(rest)
    ? dates.map(({ start }) => start.toISOString()).join('/')
    : undefined;
}

const determiners = wordSet('a an the any some my our your me');

function stemmed(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}'’+#-]+/gu) ?? [];
  return words
    .filter((word) => !determiners.has(word))
    .map(stemToken)
    .join(' ');
}

/** A clause cut off from "if ...", or followed by "but ... before", does not stand by itself. */
function hangsFree({ isWhole, sentence, text }: Clause): boolean {
  if (isWhole) return !/^(?:if|when|once|unless|before)\b/iu.test(sentence);
  const rest = sentence.replace(text, ' ');
  return !/\b(?:if|would|might|used to|not any ?more|no longer|but (?:I|we) (?:moved|left|sold|quit|returned)|before that|until|wish)\b/iu.test(
    rest,
  );
}

/** "I moved to York in 1998" tells of a life, not of today. */
function isLongAgo(text: string, when: SaidAt): boolean {
  return findDates(text, when, 'past').some(({ start }) => when.at.getTime() - start.getTime() > 400 * dayMs);
}

/** An attribute's name as it is stored: `$` takes `of`. */
export function attributeName(name: string, of = ''): string {
  const lower = name
    .replace('$', of)
    .toLowerCase()
    .replace(/^day of (?:my|our|the) /u, 'day of ')
    .replace(/\s+/gu, ' ')
    .trim();
  return plainRole(lower);
}

function valueOf(value: string, name: string, { values = {} }: AttributePattern): string {
  const existing = Object.entries(values).find(([, words]) => words.test(value));
  if (existing) return existing[0];
  const lower = value
    .toLowerCase()
    .replace(/^the /u, '')
    .replace(/[.,]+$/u, '')
    .trim();
  if (name.endsWith('phone')) return lower.replace(/[^\d+]/gu, '');
  if (name.startsWith('day of')) return lower.replace(/s$/u, '');
  return name === 'residence' ? (lower.split(',')[0] ?? lower) : lower;
}
