import { defaultCategorySettings, type CategorySetting } from '../configurations/configuration.ts';
import { isAboutCategory } from '../extraction/categories.ts';
import { choicesFor, noFinding, type RuleFinding } from './rule-finding.ts';
import { builtInCategoryName, splitLead, splitList, categoryNameOf } from './phrases.ts';
import { isNegatedAt, isUnderNegativeHeading } from './polarity.ts';
import type { UseCaseStatement } from './read-use-case.ts';

/** Headings under which things to remember are listed. */
const listing =
  /\b(?:categor\w+|remember\w*|memor(?:y|ies)|topics?|what (?:it|we|the \w+)? ?(?:should |must |has to |needs? to )?(?:know|learn|keep|store|track|matters)|what matters|to (?:keep|store|track|capture|know|learn)|worth (?:keeping|remembering|knowing)|facts (?:we|to)|keep in mind)\b/iu;
/** Headings that list something else. */
const other =
  /\b(?:how long|retention|retrieval|recall|scope|privacy|isolation|settings?|configuration|users?|who|customers? are)\b/iu;

const remembering =
  /\b(?:remembers?|remembered|remembering|keeps? track of|keeping track of|tracks?|stores?|storing|records?|captures?|learns?|memori[sz]es?|retains?|saves?|notes? down|hold on to|keeps?|kept|stored|saved|recorded|retained|tracked|collects?|collected|logs?|knows?)\b/giu;

interface ListedCategory {
  readonly name: string;
  readonly description: string;
  readonly examples: readonly string[];
  readonly from: UseCaseStatement;
}

const mostCategories = 40;

/** Derives the categories of memories, and those that are never remembered. */
export function findCategories(statements: readonly UseCaseStatement[]): RuleFinding {
  const excluded = excludedBy(statements);
  const own = wantedBy(statements).filter(({ name }) => !excluded.some((each) => each.name === name));
  if (own.length === 0 && excluded.length === 0) return noFinding;
  const categories = withKnown(own, excluded, statements);
  return {
    settings: { categories, excluded: excluded.map(settingOf) },
    choices: [
      ...own.flatMap(({ name, from }) =>
        choicesFor({ [`categories.${name}`]: name }, 'the file names it as something to remember', [from]),
      ),
      ...excluded.flatMap(({ name, from }) =>
        choicesFor({ [`excluded.${name}`]: name }, 'the file says not to remember it', [from]),
      ),
    ],
  };
}

const settingOf = ({ name, description, examples }: ListedCategory): CategorySetting => {
  const existing = defaultCategorySettings.find((each) => each.name === name);
  return {
    name,
    description: (description || existing?.description || '').slice(0, 400).trim(),
    examples: examples.slice(0, 20).map((each) => each.slice(0, 300).trim()),
  };
};

/** Adds categories for identity and for instructions, which every configuration has, to those of the file. */
function withKnown(
  own: readonly ListedCategory[],
  excluded: readonly ListedCategory[],
  statements: readonly UseCaseStatement[],
) {
  const settings = own.map(settingOf);
  const isOpen = (name: string) => ![...own, ...excluded].some((each) => each.name === name);
  const said = statements.filter((each) => !isUnderNegativeHeading(each));
  const neighbours = defaultCategorySettings.filter(({ name }) => {
    if (!isOpen(name)) return false;
    if (own.length === 0 || ['identity', 'instruction', 'other'].includes(name)) return true;
    return said.some(({ text }) => isAboutCategory(name as Parameters<typeof isAboutCategory>[0], text));
  });
  return [...settings, ...neighbours];
}

function wantedBy(statements: readonly UseCaseStatement[]): ListedCategory[] {
  const listed = statements.filter((each) => isListing(each) && each.kind === 'item' && !each.within);
  const items = listed.flatMap((from) => namedBy(from, statements));
  // A list says it better than a sentence that sums it up.
  const sentences = items.length > 0 ? [] : statements.filter(({ kind }) => kind !== 'heading').flatMap(toldBy);
  return onePerName([...items, ...sentences]).slice(0, mostCategories);
}

function isListing(statement: UseCaseStatement): boolean {
  const { under } = statement;
  const nearest = under.at(-1) ?? '';
  return listing.test(nearest) && !other.test(nearest) && !isUnderNegativeHeading(statement);
}

function namedBy(from: UseCaseStatement, statements: readonly UseCaseStatement[]): ListedCategory[] {
  const { lead, rest } = splitLead(from.text);
  if (isNegatedAt(from, 0, 0) || /^(?:never|no|not|do not|don['’]t)\b/iu.test(from.text)) return [];
  const words = categoryNameOf(lead);
  const name = builtInCategoryName(words);
  if (words === '' || /^\d/.test(words)) return [];
  const nested = statements.filter(
    (each) => each.within && from.text.startsWith(each.within.slice(0, from.text.length)),
  );
  const quoted = [...from.text.matchAll(/[“"]([^”"]{3,200})[”"]/gu)].map(([, text]) => text!.trim());
  const description = (rest || from.text)
    .replaceAll(/(?:,?\s*\b(?:such as|e\.g\.|for example)\s*)?[“"][^”"]*[”"]/gu, '')
    .trim();
  return [{ name, description, examples: [...nested.map(({ text }) => text), ...quoted], from }];
}

/** "Memories: sizes, favourite brands, past orders." */
const labelled =
  /^(?:memor(?:y|ies)|categories|topics|remember|what to remember|to remember|facts|things to remember)\s*:\s*(.+)$/iu;

/** "It remembers sizes, favourite brands and past orders." */
function toldBy(from: UseCaseStatement): ListedCategory[] {
  const [, list] = labelled.exec(from.text) ?? [];
  if (list && !isUnderNegativeHeading(from)) return namedIn(list, from);
  return [...from.text.matchAll(remembering)].flatMap((match) => {
    if (isNegatedAt(from, match.index, match[0].length)) return [];
    const objects = from.text.slice(match.index + match[0].length);
    if (/^\s*(?:for|until|in|by|as|at|on|to|within|after|is|are)\b/iu.test(objects)) return [];
    const named = namedIn(objects, from);
    return named.length < 2 ? [] : named;
  });
}

const namedIn = (text: string, from: UseCaseStatement): ListedCategory[] =>
  splitList(text)
    .map((thing) => categoryOf(thing, from))
    .filter(({ name }) => name !== '');

const categoryOf = (thing: string, from: UseCaseStatement): ListedCategory => ({
  name: builtInCategoryName(categoryNameOf(thing)),
  description: thing,
  examples: [],
  from,
});

/**
 * Never stored: what a negative list names, and the objects of "we never store …" or the subject of "… is never kept".
 */
function excludedBy(statements: readonly UseCaseStatement[]): ListedCategory[] {
  const found = statements.flatMap((from) => {
    if (from.kind === 'heading') return [];
    const things =
      from.kind === 'item' && isUnderNegativeHeading(from)
        ? [splitLead(stripped(from.text)).lead].flatMap((lead) => splitList(lead, 5))
        : deniedIn(from);
    return things.map((thing) => categoryOf(thing, from));
  });
  return onePerName(found.filter(({ name }) => name !== '' && !neverExcluded.test(name)));
}

const stripped = (text: string) =>
  text
    .replace(/^(?:(?:we|it|the \w+)\s+)?(?:never|no|not|do not|don['’]t|must not|avoid)\s+/iu, '')
    .replace(/^(?:store|remember|keep|record|save|collect|track|log|retain)\s+/iu, '');
/** Types of memories, which are switched off as such, and what can be meant in too many ways. */
const neverExcluded =
  /^(?:emotions?|moods?|feelings?|sentiments?|episodes?|facts|preferences|events?|identity|instruction|other|transcripts?|raw-\w+|verbatim-\w+|full-\w+|.*-(?:verbatim|transcripts?)|.*conversations?|.*messages?|duplicates?|track|record|copy|copies|memories|anyone|nobody|longer|small-talk)$/u;

function deniedIn(from: UseCaseStatement): string[] {
  return [...from.text.matchAll(remembering)].flatMap((match) => {
    if (!isNegatedAt(from, match.index, match[0].length)) return [];
    const before = from.text.slice(0, match.index);
    const passive =
      /^(.*?)\s+(?:is|are|was|were|must|should|shall|may|will|can|do|does)?\s*(?:never|not|n['’]t)(?: to)?(?: be)?\s*$/iu.exec(
        before,
      );
    const none =
      /^(?:.*[.;:]\s*)?no\s+(.*?)\s+(?:is|are|may|must|shall|should|will|can|gets?)(?:\s+(?:ever|be))*\s*$/iu.exec(
        before,
      );
    const isPassive = /(?:ed|kept)$/iu.test(match[0]) && (none ?? passive);
    const objects = from.text.slice(match.index + match[0].length);
    if (isPassive) return splitList(isPassive[1]!.split(/[.;:]/u).at(-1)!, 5);
    if (
      /^\s*(?:for|until|longer|more|in|by|as|at|on|to|within|after|it|them|this|that|of)\b|^\s*(?:any|every)thing\b(?! (?:about|on|regarding|like)\b)/iu.test(
        objects,
      )
    )
      return [];
    return splitList(objects, 5);
  });
}

function onePerName(all: readonly ListedCategory[]): ListedCategory[] {
  return [...new Map(all.toReversed().map((each) => [each.name, each])).values()].toReversed();
}
