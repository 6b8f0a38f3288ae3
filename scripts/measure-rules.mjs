// Measures how often each rule of the extraction is right, on development data, and writes that as its confidence.
//
//   npm run build && node scripts/measure-rules.mjs ../shared/data [--write] [--unread]
//
// Prints rule by rule its hits, how many were judged, how many of those are right, and the Wilson lower bound (95 %);
// --write writes src/domain/extraction/confidences.ts. --unread prints hits that are yet to be judged, with their keys,
// for scripts/lab/rule-verdicts.json. A rule with fewer than twenty judged hits takes the bound of those like it.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { allRules } from '../dist/domain/extraction/rules/all-rules.js';
import { hitsIn } from './lab/hits.mjs';
import { judge, wilson } from './lab/judge.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, unread: { type: 'boolean', default: false } },
});
const enough = 20;
/** Of rules that are judged together: with fewer, one error more or less would decide. */
const enoughTogether = 40;
const print = (text) => process.stdout.write(`${text}\n`);

const hits = hitsIn(positionals[0] ?? '../shared/data');
const rules = allRules.map(({ name, type }) => {
  const own = hits.filter((hit) => hit.rule === name);
  const { judged, unread } = judge(own);
  const right = judged.filter(({ isRight }) => isRight).length;
  return { name, type, family: name.split('.')[0], hits: own.length, judged: judged.length, right, unread };
});
const confidences = rules.map((rule) => ({ ...rule, ...confidenceOf(rule) })).toSorted(byName);

print('rule                          hits judged right  share  bound  from');
for (const { name, hits: found, judged, right, bound, from } of confidences) {
  const share = judged ? (right / judged).toFixed(2) : '-';
  const counts = [String(found).padStart(6), String(judged).padStart(6), String(right).padStart(5)].join(' ');
  print(`${name.padEnd(27)} ${counts}  ${share.padStart(5)}  ${bound.toFixed(3)}  ${from}`);
}
print(agreement());
if (options.unread) {
  for (const { name, unread } of rules) for (const { key, content } of unread) print(`${name} ${key} ${content}`);
}
if (options.write) writeFileSync(new URL('../src/domain/extraction/confidences.ts', import.meta.url), source());

/**
 * The Wilson lower bound of the rule's own judged hits; of fewer than twenty, that of all rules with so few of its
 * family where those are forty hits, else of its type, else of any. A rule that five hits and more show to be worse than its pool keeps its own.
 */
function confidenceOf(rule) {
  if (rule.judged >= enough) return { bound: wilson(rule.right, rule.judged).low, from: 'own' };
  const few = rules.filter(({ judged }) => judged < enough);
  const pools = [
    ['family', few.filter(({ family }) => family === rule.family)],
    ['type', few.filter(({ type }) => type === rule.type)],
    ['all', few],
  ].map(([from, pool]) => ({ from, right: sum(pool, 'right'), judged: sum(pool, 'judged') }));
  const pool = pools.find(({ judged }) => judged >= enoughTogether) ?? pools.at(-1);
  const { low } = wilson(pool.right, pool.judged);
  const own = wilson(rule.right, rule.judged);
  return rule.judged >= 5 && own.high < low ? { bound: own.low, from: 'own' } : { bound: low, from: pool.from };
}

function sum(list, name) {
  return list.reduce((total, each) => total + each[name], 0);
}

function byName(one, other) {
  return one.name < other.name ? -1 : 1;
}

/** The labels name only some of what is worth keeping, so they judge the reader and not the rules. */
function agreement() {
  const judged = rules.flatMap(({ name }) => judge(hits.filter((hit) => hit.rule === name)).judged);
  const labelled = judged.filter(({ isLabelled }) => isLabelled !== undefined);
  const shareOf = (list) => `${list.filter(({ isLabelled }) => isLabelled).length} of ${list.length}`;
  const [right, wrong] = [labelled.filter(({ isRight }) => isRight), labelled.filter(({ isRight }) => !isRight)];
  return `in labelled turns, the labels say the same as ${shareOf(right)} hits judged right and ${shareOf(wrong)} judged wrong`;
}

function source() {
  const entries = confidences.map(({ name, bound }) => `  '${name}': ${bound.toFixed(3).replace(/\.?0+$/, '')},`);
  return `// Written by scripts/measure-rules.mjs; do not edit. From ${sum(rules, 'judged')} judged hits of development data.

/** How often each rule is right, at least: the lower bound of a 95 % interval. */
export const confidences: Readonly<Record<string, number>> = {
${entries.join('\n')}
};
`;
}
