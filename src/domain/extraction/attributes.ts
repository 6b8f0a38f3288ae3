import type { Attribute } from './candidate.ts';
import type { Clause } from './clauses.ts';
import { findDates } from '../language/dates.ts';
import { forms } from './attribute-forms.ts';

const dayMs = 86_400_000;

/**
 * The single-valued attribute a clause states about its speaker, as of now; undefined when in any doubt, since a
 * wrong one would retire what is still true. Patterns cover the whole clause: a condition, a wish, a denial, a past
 * or another person's statement leaves words over and is none.
 */
export function attributeOf(clause: Clause, subject: string, at: Date): Attribute | undefined {
  if (
    clause.isQuestion ||
    /\b(?:imagine|suppose|story|character|novel|role-?play|for example|joking|dreamt|dreamed)\b/u.test(
      clause.sentence.toLowerCase(),
    )
  )
    return undefined;
  if (!hangsFree(clause)) return undefined;
  for (const { name, pattern, except } of forms) {
    const match = pattern.exec(clause.plain);
    const value = match?.groups?.['value'];
    if (!match || !value || except?.test(value)) continue;
    if (isLongAgo(clause.plain, at)) return undefined;
    return { subject, name: attributeNamed(name, match.groups?.['of']), value: valueOf(value, name) };
  }
  return undefined;
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
function isLongAgo(text: string, at: Date): boolean {
  return findDates(text, at, 'past').some(({ start }) => at.getTime() - start.getTime() > 400 * dayMs);
}

const sameAs: Record<string, string> = {
  boss: 'manager',
  supervisor: 'manager',
  'line manager': 'manager',
  landlady: 'landlord',
  doctor: 'gp',
};

/** An attribute's name as it is stored: `$` takes `of`. */
export function attributeNamed(name: string, of = ''): string {
  const lower = name
    .replace('$', of)
    .toLowerCase()
    .replace(/^day of (?:my|our|the) /u, 'day of ')
    .replace(/\s+/gu, ' ')
    .trim();
  return sameAs[lower] ?? lower;
}

function valueOf(value: string, name: string): string {
  const lower = value
    .toLowerCase()
    .replace(/^the /u, '')
    .replace(/[.,]+$/u, '')
    .trim();
  if (name.endsWith('phone')) return lower.replace(/[^\d+]/gu, '');
  if (name.startsWith('day of')) return lower.replace(/s$/u, '');
  return name === 'residence' ? (lower.split(',')[0] ?? lower) : lower;
}
