import { expiryActions, retentionByPolicy, type Configuration } from '../configurations/configuration.ts';
import { choicesFor, noFinding, type RuleFinding } from './rule-finding.ts';
import { affirms, isNegatedAt } from './polarity.ts';
import type { UseCaseStatement } from './read-use-case.ts';

type Policy = 'compliance' | 'consumer';

/** Lines of business, by words that few others use; `points` is the weight of one of these words, 1 by default. */
const businesses: readonly { policy: Policy; field: string; points?: number; words: RegExp }[] = [
  {
    policy: 'compliance',
    field: 'health',
    words:
      /\b(?:patients?|clinics?|clinical|clinicians?|hospitals?|medical|medicines?|physicians?|doctors?|nurs(?:es?|ing)|therapists?|diagnos\w+|health(?:care)?(?! ?checks?\b| endpoints?\b)|pharmac\w+|dental|dentists?)\b/,
  },
  {
    policy: 'compliance',
    field: 'finance',
    words:
      /\b(?:bank(?:s|ing)?|financ\w+|invest(?:ments?|ors?|ing)|insur(?:ance|ers?|ed)|loans?|mortgages?|brokers?|wealth|accounting|accountants?|tax(?:es|ation)?|payroll|credit union)\b/,
  },
  {
    policy: 'compliance',
    field: 'legal',
    words: /\b(?:law firms?|attorneys?|lawyers?|solicitors?|paralegals?|litigation|legal|courts?|notar(?:y|ies))\b/,
  },
  {
    policy: 'compliance',
    field: 'HR',
    words:
      /\b(?:human resources|hr(?= (?:team|department|assistant|agent|records?|polic|desk|service|help))|personnel|employee records?|recruit\w+|job applicants?|payroll)\b/,
  },
  {
    policy: 'compliance',
    field: 'regulation',
    points: 2,
    words:
      /\b(?:hipaa|sox|finra|gxp|mifid|regulat(?:ed|ors?|ions?|ory)|complian(?:ce|t)(?! with (?:the |our )?(?:style|lint|coding))|(?<!\b(?:npm|code|dependency|package|security|seo) )audit(?:s|ed|ors?|able)?(?!(?: of)? (?:the |our )?(?:dependenc|code|packages?))|statutory|legal(?:ly)? (?:hold|required|obliged|obligations?)|retain(?:ed)?|record[- ]keeping)\b/,
  },
  {
    policy: 'consumer',
    field: 'companion',
    words:
      /\b(?:companions?|dating|budd(?:y|ies)|friend(?:ly)? (?:chat|bot)|chat friend|entertainment|hobb(?:y|ies)|fans?)\b/,
  },
  {
    policy: 'consumer',
    field: 'shopping',
    words:
      /\b(?:shops?|shopp(?:ing|ers?)|e-?commerce|retail(?:ers?)?|(?:online|web) ?stores?|wish ?lists?|fashion|loyalty|consumers?)\b/,
  },
  { policy: 'consumer', field: 'games', words: /\b(?:games?|gam(?:ers?|ing)|players?|quests?)\b/ },
  { policy: 'consumer', field: 'social', words: /\bsocial (?:apps?|networks?|media|feeds?|platforms?)\b/ },
];

/** A word in passing decides nothing; one in what the file says first does. */
const openingWeight = 3;
const enough = 2;

/** Finds how long memories are kept and what happens to them then: as the file says, else by its business. */
export function findRetention(statements: readonly UseCaseStatement[]): RuleFinding {
  const business = businessOf(statements);
  const stated = statedDuration(statements);
  const ending = statedEnding(statements) ?? stated?.ending;
  if (!business && !stated && !ending) return noFinding;
  const usual = retentionByPolicy[business?.policy ?? 'standard'];
  const base_days = stated?.days ?? usual.base_days;
  const on_expiry = ending?.onExpiry ?? usual.on_expiry;
  const isOverruled = business?.policy === 'compliance' && on_expiry === 'evict';
  const policy = isOverruled ? 'custom' : (business?.policy ?? 'custom');
  const retention: Configuration['retention'] = { policy, base_days, on_expiry };
  const reason = business ? `this is about ${business.field}` : 'the file says how long';
  return {
    settings: { retention },
    choices: [
      ...choicesFor({ 'retention.policy': policy }, reason, business?.statements ?? stated?.from ?? ending!.from),
      ...(stated
        ? choicesFor({ 'retention.base_days': base_days }, `the file says how long: ${stated.words}`, stated.from)
        : business
          ? choicesFor({ 'retention.base_days': base_days }, `what the policy "${policy}" keeps`, business.statements)
          : []),
      ...(ending
        ? choicesFor({ 'retention.on_expiry': on_expiry }, `the file says so: ${ending.words}`, ending.from)
        : business
          ? choicesFor({ 'retention.on_expiry': on_expiry }, `what the policy "${policy}" does`, business.statements)
          : []),
    ],
    warnings: [
      ...(isOverruled
        ? [
            `compliance-sensitive memories are removed when they expire, because the file says so; the usual is to archive them`,
          ]
        : []),
      ...(stated?.others ?? []),
    ],
  };
}

function businessOf(statements: readonly UseCaseStatement[]) {
  const found = { compliance: new RetentionVotes(), consumer: new RetentionVotes() };
  for (const statement of statements) {
    for (const { policy, field, points = 1, words } of businesses) {
      if (!affirms(statement, words)) continue;
      found[policy].add(statement, field, points * (statement.isOpening ? openingWeight : 1));
    }
  }
  const { compliance, consumer } = found;
  // When in doubt longer: what must be kept cannot be brought back.
  const policy: Policy = compliance.points >= consumer.points ? 'compliance' : 'consumer';
  const { points, field, statements: led } = found[policy];
  return points >= enough ? { policy, field: field(), statements: led } : undefined;
}

class RetentionVotes {
  points = 0;
  readonly statements: UseCaseStatement[] = [];
  readonly #fields = new Map<string, number>();

  add(statement: UseCaseStatement, field: string, points: number): void {
    this.points += points;
    this.#fields.set(field, (this.#fields.get(field) ?? 0) + points);
    if (!this.statements.includes(statement)) this.statements.push(statement);
  }

  /** The one with most points. */
  readonly field = () => [...this.#fields].toSorted(([, one], [, other]) => other - one)[0]![0];
}

const numbers: Readonly<Record<string, number>> = {
  a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, eleven: 11,
  twelve: 12, thirty: 30, sixty: 60, ninety: 90,
}; // prettier-ignore
const numberWords = Object.keys(numbers).join('|');
const daysIn: Record<string, number> = { day: 1, week: 7, month: 365 / 12, quarter: 365 / 4, year: 365 };
const span = `(\\d{1,4}|${numberWords})(?:\\s*\\([^)]*\\))?[\\s-]*(day|week|month|quarter|year)s?`;
const keeping =
  'keep|kept|keeps|keeping|retain|retains|retained|retention|store[sd]?|hold|held|remember(?:s|ed)?|preserved?|archive[sd]?|archiving|last|lasts|delete[sd]?|deletion|forgets?|forgotten|erase[sd]?|purge[sd]?|expire[sd]?|expiry|discard(?:ed)?|removed?|evict(?:ed)?|ttl';
const duration = new RegExp(
  `\\b(?:${keeping})\\b[^.;]{0,90}?\\b${span}\\b|\\b${span}[\\s-]+(?:of )?retention\\b`,
  'giu',
);
const forever =
  /\b(?:keep|kept|retain(?:ed)?|store[sd]?|remember(?:ed|s)?|hold|held)\b[^.;]{0,60}\b(?:indefinitely|for ?ever|permanently|without (?:a )?limit)\b|\bnever (?:forgets?|expires?|deletes?)\b/iu;
const foreverDays = 36_500;
const removing =
  /\b(?:deleted?|deletion|forget|forgotten|forgets|erased?|purged?|discard(?:ed)?|removed?|evict(?:ed)?)\b/iu;
/** "Not longer than 30 days" bounds a time; it does not deny it. */
const bounded = /\b(?:longer|more|beyond|later|past)\b/iu;

interface StatedValue<T> {
  readonly words: string;
  readonly from: readonly UseCaseStatement[];
  readonly value: T;
}

/** The first duration that the file gives for keeping; the longest when it gives several. */
function statedDuration(statements: readonly UseCaseStatement[]) {
  const found = statements.flatMap((statement) => [...durationsOf(statement)]);
  if (found.length === 0) return undefined;
  const longest = found.reduce((one, other) => (other.value > one.value ? other : one));
  const lengths = new Set(found.map(({ value }) => value));
  return {
    days: longest.value,
    words: longest.words,
    from: longest.from,
    ending: removing.test(longest.words) ? { onExpiry: 'evict' as const, ...longest } : undefined,
    others:
      lengths.size > 1
        ? [
            `the file gives several durations (${[...lengths].join(', ')} days); one holds for all, so the longest was taken`,
          ]
        : [],
  };
}

function* durationsOf(statement: UseCaseStatement): Generator<StatedValue<number>> {
  const always = forever.exec(statement.text);
  if (always && !isNegatedAt(statement, always.index + 6, always[0].length - 6)) {
    yield { value: foreverDays, words: always[0], from: [statement] };
  }
  for (const match of statement.text.matchAll(duration)) {
    const [words, n1, unit1, n2, unit2] = match;
    const isDeniedHere = isNegatedAt(statement, match.index, words.length) && !bounded.test(words);
    if (isDeniedHere) continue;
    const value = Math.round(numberOf((n1 ?? n2)!) * daysIn[(unit1 ?? unit2)!.toLowerCase()]!);
    if (value > 0 && value <= foreverDays) yield { value, words, from: [statement] };
  }
}

/** A number in digits, or one of the words. */
const numberOf = (text: string): number => numbers[text.toLowerCase()] ?? Number(text);

const endings: Record<(typeof expiryActions)[number], RegExp> = {
  archive:
    /\b(?:archive[sd]?|archiving)\b|\b(?:never|not|rather than|instead of)(?: be)?(?: permanently)? (?:deleted|erased|removed|purged|deleting)\b/iu,
  evict:
    /\b(?:deleted?|erased?|purged?|removed?|evict(?:ed)?|forgotten|forget(?: it)?)\b[^.;]{0,40}\b(?:on expiry|when (?:it|they) expires?|afterwards|after that|at the end|automatically|for good)\b|\b(?:expire|evict)(?:s|d|ed)? automatically\b/iu,
};

function statedEnding(statements: readonly UseCaseStatement[]) {
  for (const onExpiry of expiryActions) {
    for (const statement of statements) {
      const match = endings[onExpiry].exec(statement.text);
      const isNegated =
        match && !/never|not|than|of/i.test(match[0]) && isNegatedAt(statement, match.index, match[0].length);
      if (match && !isNegated) return { onExpiry, words: match[0], from: [statement] };
    }
  }
  return undefined;
}
