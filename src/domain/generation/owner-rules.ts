import type { Configuration, DocumentType } from '../configurations/configuration.ts';
import type { Isolation } from '../tenancy/access.ts';
import { choicesFor, findingOf, joinWords, noFinding, type RuleFinding } from './rule-finding.ts';
import { affirms, firstByPolarity } from './polarity.ts';
import type { UseCaseStatement } from './read-use-case.ts';

const organisation = '(?:account|organi[sz]ation|compan(?:y|ie)|customer|client|tenant|workspace|business(?:es)?)s?';

/** Kinds of users: people for themselves, or people of organisations that are to be kept apart. */
const served: readonly { isolation: Isolation; points: number; words: RegExp }[] = [
  {
    isolation: 'b2b',
    points: 3,
    words: new RegExp(
      [
        'b2b',
        'business[- ]to[- ]business',
        'multi-?tenan\\w*',
        'business customers?',
        'corporate (?:clients?|customers?)',
        '(?:client|customer|member|business|corporate|partner) (?:organi[sz]ations?|compan(?:y|ies)|accounts?|tenants?|workspaces?)',
        `(?:customers|clients) are (?:\\w+ ){0,3}(?:organi[sz]ations|companies|businesses|firms|teams)`,
        `(?:each|every|per) (?:account|organi[sz]ation|company|tenant|workspace)`,
        'companies (?:that|who|which) (?:use|buy|subscribe|pay|run)',
      ].join('|'),
    ),
  },
  {
    isolation: 'b2b',
    points: 1,
    words:
      /(?<!(?:bank|user|users|social|personal|own|savings|checking|email|twitter|their|your|my) )accounts?(?! (?:number|balance|details|settings|password))|tenants|organi[sz]ations|companies|workspaces|enterprises?|colleagues/,
  },
  {
    isolation: 'b2c',
    points: 3,
    words:
      /b2c|consumers?|private (?:individuals|persons|people)|individual (?:users|people|customers|shoppers|patients)|members of the public|end users are (?:people|persons|individuals)/,
  },
  { isolation: 'b2c', points: 2, words: /patients?|shoppers?|players?|one person|a single person|for one user/ },
];

const stated = /\bisolation\W{1,4}(b2[bc])\b/iu;
const enough = 2;

export function findIsolation(statements: readonly UseCaseStatement[]): RuleFinding {
  const said = statements.find(({ text }) => stated.test(text));
  if (said) {
    const isolation = stated.exec(said.text)![1]!.toLowerCase() as Isolation;
    return findingOf({ isolation }, 'the file says so', [said]);
  }
  const points = { b2b: 0, b2c: 0 };
  const from: Record<Isolation, UseCaseStatement[]> = { b2b: [], b2c: [] };
  for (const statement of statements) {
    for (const rule of served) {
      const { affirmed, negated } = firstByPolarity(statement, new RegExp(`\\b(?:${rule.words.source})\\b`));
      const isolation = affirmed ? rule.isolation : opposite(rule.isolation);
      if (!affirmed && !(negated && /^b2[bc]$/i.test(negated[0]))) continue;
      points[isolation] += rule.points;
      from[isolation].push(statement);
    }
  }
  const isolation: Isolation = points.b2b > points.b2c ? 'b2b' : 'b2c';
  if (points[isolation] < enough) return noFinding;
  const because =
    isolation === 'b2b'
      ? 'it serves organisations, and what one of them says is nobody else’s'
      : 'it serves people, each for themselves';
  return findingOf({ isolation }, because, from[isolation]);
}

const opposite = (isolation: Isolation): Isolation => (isolation === 'b2b' ? 'b2c' : 'b2b');

const statedScope = /\b(?:primary )?scope\W{1,4}(user|customer|client)\b/iu;
const ofCustomer = new RegExp(
  [
    `\\bshar\\w+ (?:\\w+ ){0,3}?(?:across|within|by|with|between|among|in)\\b[^.;]{0,40}\\b${organisation}\\b`,
    `\\b(?:colleagues?|anyone|anybody|everyone|everybody|any agent|any of our agents|whoever)\\b[^.;]{0,40}\\b(?:same )?${organisation}\\b`,
    `\\bper[- ](?:account|customer|company|organi[sz]ation|tenant)\\b`,
    `\\b(?:account|customer|company|organi[sz]ation|tenant)[- ](?:level|wide)\\b`,
    `\\bbelongs? to the ${organisation}\\b`,
    `\\b(?:account|customer) history\\b`,
    `\\b(?:not|rather than|instead of|more than) (?:to |of |the )?(?:a |an |the |one )?(?:single |individual )?(?:user|person|contact)s?\\b`,
  ].join('|'),
);
const ofAll =
  /\bshared (?:\w+ )?(?:by|with|across|among) (?:everyone|everybody|all (?:users|developers|employees|staff|members|agents)|the (?:whole|entire) \w+)|\b(?:company|team|project|organi[sz]ation|department)-?wide\b|\bthe (?:whole|entire) (?:team|company|department|project|organi[sz]ation) (?:shares?|uses?|sees?|knows?|works?)|\binternal knowledge ?base\b|\bone (?:common|shared) memory\b|\bcommon to (?:everyone|all)\b/;

const documents: readonly (readonly [DocumentType, RegExp])[] = [
  ['support-ticket', /\b(?:tickets?|support cases?|support requests?|issues? raised|incidents?)\b/],
  ['meeting-transcript', /\b(?:meetings?|calls?|transcripts?)\b/],
  ['email', /\be-?mails?\b/],
  ['note', /\b(?:account|customer|crm|handover|visit) notes?\b/],
];

/** Derives the default scope of memories; needs to know whether customers are kept apart. */
export function findScope(statements: readonly UseCaseStatement[], isolation: Isolation | undefined): RuleFinding {
  const said = statements.find(({ text }) => statedScope.test(text));
  if (said) {
    const primary_scope = statedScope.exec(said.text)![1]!.toUpperCase() as Configuration['primary_scope'];
    if (primary_scope === 'CUSTOMER') return customersFrom(statements, [said]);
    return findingOf({ primary_scope }, 'the file says so', [said]);
  }
  const customers = statements.filter(
    (each) => affirms(each, ofCustomer) || /\bnot (?:of )?(?:a|one) (?:single )?person\b/i.test(each.text),
  );
  if (isolation === 'b2b' && customers.length > 0) return customersFrom(statements, customers);
  const everybody = statements.filter((each) => affirms(each, ofAll));
  if (isolation !== 'b2b' && everybody.length > 0) {
    const because = 'some of it is shared by everybody; what names a user stays that user’s';
    return findingOf({ primary_scope: 'CLIENT' }, because, everybody);
  }
  return noFinding;
}

function customersFrom(statements: readonly UseCaseStatement[], from: readonly UseCaseStatement[]): RuleFinding {
  const found = documents.flatMap(([type, words]) => {
    const naming = statements.filter((each) => affirms(each, words));
    return naming.length > 0 ? [{ type, naming }] : [];
  });
  const settings = {
    primary_scope: 'CUSTOMER' as const,
    customer_documents: found.map(({ type }) => type),
  };
  return {
    settings,
    choices: [
      ...choicesFor({ primary_scope: 'CUSTOMER' }, 'what one contact says is to be known of the whole customer', from),
      ...(found.length > 0
        ? choicesFor(
            { customer_documents: settings.customer_documents },
            `these documents are the customer’s: ${joinWords(settings.customer_documents)}`,
            found.flatMap(({ naming }) => naming.slice(0, 2)),
          )
        : []),
    ],
    warnings:
      found.length > 0
        ? []
        : ['the file names no document that belongs to the customer: list their types in customer_documents'],
  };
}
