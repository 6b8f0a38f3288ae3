import { compactionStrategies, defaultConfiguration } from '../configurations/configuration.ts';
import { memoryTypes, type MemoryType } from '../memory-types.ts';
import { choicesFor, findingOf, noFinding, type RuleFinding } from './rule-finding.ts';
import { negates, isUnderNegativeHeading, affirms } from './polarity.ts';
import type { UseCaseStatement } from './read-use-case.ts';

type Statements = readonly UseCaseStatement[];

const stored =
  /\b(?:remember\w*|stor\w+|keep\w*|kept|track\w*|record\w*|retain\w*|sav(?:e|ed|es|ing)|collect\w*|captur\w*|memori\w+|log(?:s|ged)?|extract\w*|needed|wanted|relevant)\b/iu;

const typeWords: Record<MemoryType, RegExp> = {
  facts: /\bfacts\b/,
  preferences: /\bpreferences\b/,
  episodes:
    /\b(?:episodes?|transcripts?|verbatim|word[- ]for[- ]word|raw (?:text|messages?|conversations?)|full conversations?)\b/,
  emotions: /\b(?:emotions?|emotional states?|moods?|feelings?|sentiments?)\b/,
  temporal_events: /\b(?:temporal events|events|appointments|calendar)\b/,
};

/** Types are on unless the file says no, or "only" some of them. */
export function findMemoryTypes(statements: Statements): RuleFinding {
  const only = statements.find(
    ({ text }) =>
      /\b(?:only|just|nothing but)\b|^memory types\W/iu.test(text) &&
      stored.test(`${text} memory`) &&
      namesIn(text).length > 1,
  );
  if (only && !isUnderNegativeHeading(only)) {
    const memory_types = namesIn(only.text);
    return findingOf({ memory_types }, 'the file names the types to remember', [only]);
  }
  const off = memoryTypes.flatMap((type) => {
    const from = statements.filter(
      (each) =>
        (stored.test(each.text) || isUnderNegativeHeading(each)) &&
        each.kind !== 'heading' &&
        negates(each, typeWords[type]),
    );
    const isWanted = statements.some((each) => stored.test(each.text) && affirms(each, typeWords[type]));
    return from.length > 0 && !isWanted ? [{ type, from }] : [];
  });
  if (off.length === 0 || off.length === memoryTypes.length) return noFinding;
  const memory_types = memoryTypes.filter((type) => !off.some((each) => each.type === type));
  const from = off.flatMap((each) => each.from);
  const because = `the file says not to remember ${off.map(({ type }) => type).join(', ')}`;
  return findingOf({ memory_types }, because, from);
}

const namesIn = (text: string) =>
  memoryTypes.filter((type) => new RegExp(`\\b${type.replace('_', '[ _]')}\\b`, 'iu').test(text));

const number = /\bconfidence\b[^.;]{0,30}?(?:(0?\.\d{1,2}|1\.0)\b|(\d{1,3}) ?(?:%|percent))/iu;
const stricter =
  /\b(?:only|unless)\b[^.;]{0,40}\b(?:certain|sure|confident|confirmed|unambiguous)\b|\bwhen in doubt,? (?:leave|discard|drop|forget|do not|don['’]t)|\bwrong memor(?:y|ies)\b[^.;]{0,40}\bworse\b/iu;
const looser =
  /\b(?:rather|better) (?:too much|more|too many)\b|\berr on the side of (?:remembering|keeping|more)\b|\bwhen in doubt,? (?:remember|keep|store)\b/iu;

export function findExtractionThreshold(statements: Statements): RuleFinding {
  for (const from of statements) {
    const [, share, percent] = number.exec(from.text) ?? [];
    const confidence_threshold = share ? Number(share) : percent ? Number(percent) / 100 : undefined;
    if (confidence_threshold === undefined || confidence_threshold > 1) continue;
    return findingOf({ confidence_threshold }, 'the file gives it', [from]);
  }
  for (const [words, confidence_threshold, because] of [
    [stricter, 0.75, 'a wrong memory is worse here than a missing one'],
    [looser, 0.6, 'a missing memory is worse here than a wrong one'],
  ] as const) {
    const from = statements.find(({ text }) => words.test(text));
    if (from) return findingOf({ confidence_threshold }, because, [from]);
  }
  return noFinding;
}

const accurate =
  /\b(?:retrieval|search) mode\W{1,4}accurate\b|\b(?:accuracy|completeness|precision|thoroughness)\b[^.;]{0,40}\b(?:matters?|counts?|first|before|over|than|important)\b|\bmust (?:never|not) miss\b|\bthorough(?:ly)?\b|\bexhaustive\b/;
const fast =
  /\b(?:retrieval|search) mode\W{1,4}fast\b|\breal[- ]?time\b|\blow[- ]latency\b|\blatency matters\b|\bvoice (?:calls?|agents?|assistants?|conversations?)\b|\binstant(?:ly)?\b|\b\d+ ?(?:ms|milliseconds)\b|\b(?:answers?|responds?|repl(?:y|ies)) (?:quickly|fast|at once)\b/;
const results =
  /\b(?:top|at most|up to|no more than|max(?:imum)?(?: of)?)\s+(\d{1,3})\s+(?:memories|results|items|facts)\b/iu;
const tokens = /\b(\d{1,3}(?:[,.]\d{3})+|\d+)\s*(k)?[\s-]*tokens?\b/iu;

export function findRetrievalSettings(statements: Statements): RuleFinding {
  const retrieval = { ...defaultConfiguration.retrieval };
  const choices = [];
  const exact = statements.filter(
    (each) => affirms(each, accurate) || /\b(?:must|may|should) (?:never|not) miss\b/iu.test(each.text),
  );
  const quick = statements.filter((each) => affirms(each, fast));
  // Exactness and speed each cost the other, so the one that is mentioned more often wins.
  if (exact.length > 0 || quick.length > 0) {
    retrieval.mode = exact.length > quick.length ? 'accurate' : 'fast';
    const isFast = retrieval.mode === 'fast';
    const because = isFast ? 'answers must come quickly' : 'nothing that matters may be missed';
    const from = isFast ? quick : exact;
    choices.push(...choicesFor({ 'retrieval.mode': retrieval.mode }, because, from));
  }
  const stated = statements.find(({ text }) => results.test(text));
  const count = stated && Number(results.exec(stated.text)![1]);
  if (stated && count && count <= 100) {
    retrieval.max_results = count;
    choices.push(...choicesFor({ 'retrieval.max_results': count }, 'the file gives it', [stated]));
  }
  const budget = statements.find(
    ({ text }) =>
      tokens.test(text) &&
      !condensing.test(text) &&
      /\b(?:context|prompt|budget|memor\w+|retriev\w+|answer)\b/iu.test(text),
  );
  if (budget) {
    retrieval.context_budget = tokensIn(budget.text);
    choices.push(
      ...choicesFor({ 'retrieval.context_budget': retrieval.context_budget }, 'the file gives it', [budget]),
    );
  }
  return choices.length > 0 ? { settings: { retrieval }, choices } : noFinding;
}

const condensing = /\b(?:compact\w*|summar\w+|condens\w+)\b/iu;

export function findCompactionSettings(statements: Statements): RuleFinding {
  const compaction = { ...defaultConfiguration.compaction };
  const choices = [];
  for (const from of statements.filter(({ text }) => condensing.test(text))) {
    const strategy = compactionStrategies.find((each) => new RegExp(`\\b${each}(?:ly)?\\b`, 'iu').test(from.text));
    if (strategy) {
      compaction.strategy = strategy;
      choices.push(...choicesFor({ 'compaction.strategy': strategy }, 'the file names it', [from]));
    }
    if (tokens.test(from.text)) {
      compaction.target_tokens = tokensIn(from.text);
      choices.push(
        ...choicesFor({ 'compaction.target_tokens': compaction.target_tokens }, 'the file gives it', [from]),
      );
    }
  }
  return choices.length > 0 ? { settings: { compaction }, choices } : noFinding;
}

function tokensIn(text: string): number {
  const [, digits, thousand] = tokens.exec(text)!;
  return Math.min(1_000_000, Math.max(1, Number(digits!.replaceAll(/[,.]/gu, '')) * (thousand ? 1_000 : 1)));
}

const local =
  /\bon[- ]prem(?:ises?)?\b|\bair[- ]gapped\b|\b(?:must|may|can|should|does|do|will) (?:not|never) (?:leave|be sent (?:to|outside))\b|\bnever leaves?\b|\bstays? (?:on|in|within) (?:our|the) (?:own )?(?:servers?|machines?|network|premises|infrastructure|building|cluster)\b|\b(?:no|without|never (?:use|send \w+ to)|not (?:use|send \w+ to)) (?:an? |any )?(?:external|third[- ]party|outside|cloud|hosted)\b[^.;]{0,20}\b(?:models?|providers?|ai|llms?|services?)\b/iu;

/** Data that must not leave the deployment is given to no model but the packaged one. */
export function findInferenceSettings(statements: Statements): RuleFinding {
  const from = statements.filter(({ text }) => local.test(text));
  if (from.length === 0) return noFinding;
  const inference = { extraction: 'none', embedding: 'shipped' };
  const because = 'texts must not leave: rules extract, and the model of this service embeds';
  return findingOf({ inference }, because, from);
}

const apart = /\b(?:mix(?:ed|ing)? up|confus(?:ed?|ing)|mistak(?:e|en|ing)|same names?|namesakes?)\b/iu;

/** Raises the threshold of automatic merges where the file says that two people must not become one. */
export function findEntitySettings(statements: Statements): RuleFinding {
  const from = statements.filter(
    ({ text }) =>
      apart.test(text) &&
      /\b(?:people|persons?|patients?|customers?|clients?|names?|names(?:akes)?|accounts?|users?)\b/iu.test(text),
  );
  if (from.length === 0) return noFinding;
  const entity_match_thresholds = { merge: 0.98, review: defaultConfiguration.entity_match_thresholds.review };
  const because = 'people must not be mixed up: two names are one only when it is all but certain';
  return {
    settings: { entity_match_thresholds },
    choices: choicesFor({ 'entity_match_thresholds.merge': entity_match_thresholds.merge }, because, from),
  };
}
