/**
 * Checks each line of `corpus/` against the format that `corpus/README.md` describes, and prints how much there is.
 * Faults end it with exit code 1: an unknown label, a record outside a section, a duplicate, a request that names a
 * memory its person does not have, a turn that a history does not have.
 */
/* oxlint-disable no-console -- a command line */
import { readdirSync, readFileSync } from 'node:fs';

const corpus = new URL('../corpus/', import.meta.url);
const testParts = JSON.parse(readFileSync(new URL('test-parts.json', corpus), 'utf8'));
const languages = new Set(['en', 'de', 'es', 'fr']);
const faults = [];

/** The lines of a folder's files with the section they stand in. */
function* linesOf(folder) {
  for (const name of readdirSync(new URL(`${folder}/`, corpus)).toSorted()) {
    let section;
    const lines = readFileSync(new URL(`${folder}/${name}`, corpus), 'utf8').split('\n');
    for (const [n, text] of lines.entries()) {
      if (!text.trim() || text.startsWith('#')) continue;
      const place = `${folder}/${name}:${n + 1}`;
      const fault = (message) => faults.push(`${place}: ${message}: ${text}`);
      if (text.startsWith('@ ')) {
        const [domain, register, language, ...more] = text.slice(2).split(' | ');
        if (!register || !languages.has(language) || more.length) fault('write @ domain | register | language');
        section = { domain, register, language, place };
        yield { section, opens: true, fault };
      } else if (!section) fault('stands in no section');
      else yield { section, text, fault };
    }
  }
}

const isTest = (folder, { domain, register }) =>
  testParts[folder].domains.includes(domain) || testParts[folder].registers.includes(register);

/** Counts by language, and by training and test. */
function tally(folder) {
  const counts = {};
  return {
    counts,
    add(section) {
      const part = isTest(folder, section) ? 'test' : 'training';
      const key = `${section.language} ${part}`;
      counts[key] = (counts[key] ?? 0) + 1;
    },
  };
}

function checkStatements() {
  const { counts, add } = tally('statements');
  const labels = {};
  const seen = new Set();
  for (const { section, text, opens, fault } of linesOf('statements')) {
    if (opens) continue;
    const [, letters, rest] = /^([fpiethyncx]+) (.+)$/u.exec(text) ?? [];
    if (!letters) {
      fault('begins with no label');
      continue;
    }
    if (new Set(letters).size < letters.length) fault('a label stands twice');
    if (/[fpiet]/.test(letters) && /[hx]/.test(letters)) fault('h and x keep nothing');
    const [said] = rest.split(' << ');
    if (rest.split(' << ').length > 2) fault('more than one turn before');
    const marks = said.replaceAll(/[^[\]]/g, '');
    if (!/^(?:\[\])*$/.test(marks)) fault('a span is not closed');
    if (/[fpiet]/.test(letters) && marks && !/\[[^\]]*\p{L}|\[[^\]]*\d/u.test(said)) fault('an empty span');
    const record = `${letters} ${rest}`.toLowerCase();
    if (seen.has(record)) fault('stands twice');
    seen.add(record);
    add(section);
    for (const letter of letters) labels[letter] = (labels[letter] ?? 0) + 1;
  }
  return { counts, labels };
}

function checkPairs() {
  const { counts, add } = tally('pairs');
  const labels = {};
  let [memory, groups, statements] = [undefined, 0, 0];
  for (const { section, text, opens, fault } of linesOf('pairs')) {
    if (opens) memory = undefined;
    else if (text.startsWith('> ')) {
      if (memory && !statements) fault('the memory above has no statement');
      [memory, groups, statements] = [text.slice(2), groups + 1, 0];
    } else {
      const [, label, rest] = /^([RESDU]) (.+)$/u.exec(text) ?? [];
      if (!label || !memory) {
        fault(label ? 'belongs to no memory' : 'begins with no label');
        continue;
      }
      const part = / \{([^}]+)\}$/u.exec(rest)?.[1];
      if (part && !'RE'.includes(label)) fault('only R and E end a part');
      if (part && !memory.includes(part)) fault('the part does not stand in the memory');
      add(section);
      statements += 1;
      labels[label] = (labels[label] ?? 0) + 1;
    }
  }
  return { counts, labels, groups };
}

/** The ids of the memories that a request needs; undefined where it is written otherwise. */
function idsAsked(text, memories, fault) {
  const ids = /^\? .+ => (-|~?\d+(?: ~?\d+)*)$/u.exec(text)?.[1];
  if (!ids) fault('write ? request => ids');
  for (const [id] of (ids ?? '').matchAll(/\d+/g)) if (!memories.has(id)) fault(`there is no memory ${id}`);
  return ids;
}

function checkRequests() {
  const { counts, add } = tally('requests');
  let [persons, memories] = [0, new Set()];
  const successors = []; // a memory may be replaced by a later one
  const total = { persons: 0, memories: 0, requests: 0, 'without an answer': 0 };
  for (const { section, text, opens, fault } of linesOf('requests')) {
    if (opens) {
      [persons, memories] = [persons + 1, new Set()];
      continue;
    }
    const [, number, said] = /^(\d+) (.+)$/u.exec(text) ?? [];
    if (number) {
      const successor = / !(\d+)$/.exec(said)?.[1];
      if (memories.has(number)) fault('the number stands twice');
      if (successor) successors.push({ successor, memories, fault });
      memories.add(number);
      total.memories += 1;
      continue;
    }
    const ids = idsAsked(text, memories, fault);
    if (!ids) continue;
    if (ids === '-') total['without an answer'] += 1;
    total.requests += 1;
    add(section);
  }
  for (const { successor, memories: known, fault } of successors)
    if (!known.has(successor)) fault(`there is no memory ${successor}`);
  return { counts, ...total, persons };
}

function checkConversations() {
  const { counts, add } = tally('conversations');
  const total = { conversations: 0, turns: 0, clauses: 0, kept: 0, replaced: 0, requests: 0 };
  let known = new Set();
  for (const { section, text, opens, fault } of linesOf('conversations')) {
    if (opens) {
      total.conversations += 1;
      known = new Set();
      continue;
    }
    if (text === '--' || text.startsWith('A: ')) continue;
    if (text.startsWith('? ')) {
      if (idsAsked(text, known, fault)) total.requests += 1;
      continue;
    }
    const said = /^\p{Lu}[\p{L}.'-]*: (.+)$/u.exec(text)?.[1];
    if (!said) {
      fault('write Name: clauses, or --');
      continue;
    }
    total.turns += 1;
    for (const clause of said.split(' / ')) {
      total.clauses += 1;
      add(section);
      const [, letters, number, replaced = ''] = /^([fpiethyncx]+)(\d+)?((?:!\d+)*) .+$/u.exec(clause) ?? [];
      const isKept = /[fpiet]/.test(letters ?? '');
      if (!letters) fault('a clause begins with no label');
      else if (isKept && /[hx]/.test(letters)) fault('h and x keep nothing');
      else if (isKept !== (number !== undefined)) fault('what is kept has a number, and nothing else');
      for (const [, id] of replaced.matchAll(/!(\d+)/g)) if (!known.has(id)) fault(`there is no memory ${id}`);
      if (known.has(number)) fault('the number stands twice');
      if (!/^(?:\[\])*$/.test(clause.replaceAll(/[^[\]]/g, ''))) fault('a span is not closed');
      if (!isKept) continue;
      known.add(number);
      total.kept += 1;
      total.replaced += replaced ? 1 : 0;
    }
  }
  return { counts, ...total };
}

/** Whether what a history says of its turns, and of what replaces what, is there. */
function checkHistories() {
  const total = { histories: 0, turns: 0, questions: 0 };
  for (const name of readdirSync(new URL('histories/', corpus))) {
    const history = JSON.parse(readFileSync(new URL(`histories/${name}`, corpus), 'utf8'));
    const fault = (message) => faults.push(`histories/${name}: ${message}`);
    const turns = new Set(history.sessions.flatMap(({ id, turns: said }) => said.map((_, place) => `${id}:${place}`)));
    const remembered = new Map(history.must_remember.map((item) => [item.id, item]));
    const cited = [
      ...[...history.must_remember, ...history.must_not].flatMap((item) => item.turns),
      ...history.questions.flatMap(({ evidence, stale = [] }) => [...evidence.flat(), ...stale]),
    ];
    for (const turn of cited) if (!turns.has(turn)) fault(`there is no turn ${turn}`);
    for (const { superseded_by: successor } of remembered.values())
      if (successor !== null && !remembered.has(successor)) fault(`there is no ${successor} to remember`);
    total.histories += 1;
    total.turns += turns.size;
    total.questions += history.questions.length;
  }
  return total;
}

const counts = {
  statements: checkStatements(),
  pairs: checkPairs(),
  requests: checkRequests(),
  conversations: checkConversations(),
  histories: checkHistories(),
};
console.log(JSON.stringify(counts, null, 2));
for (const fault of faults) console.error(fault);
if (faults.length) process.exitCode = 1;
