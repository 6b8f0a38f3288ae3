// The persons of corpus/requests.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../corpus/', import.meta.url);
const testParts = JSON.parse(readFileSync(new URL('test-parts.json', folder), 'utf8')).requests;
/** As scripts/train/corpus.py has it. */
const validationShare = 8;

/**
 * What every person said, in documents of a day, and then asked: before each request the memories that it needs are of use.
 * @returns chats as `loadBeam` gives them
 */
export function loadConversations() {
  return allPersons().map(({ section, memories, requests }, n) => {
    const said = memories.flatMap(({ role, text, before }) => [
      ...(before ? [{ role: 'assistant', content: before }] : []),
      { role, content: text },
    ]);
    const textOf = new Map(memories.map(({ id, text }) => [id, text]));
    // An answer repeats what it is made of.
    const asked = requests.flatMap(({ text, ids }) => [
      { role: 'user', content: text },
      {
        role: 'assistant',
        content: ids.flatMap((id) => textOf.get(id.replace('~', '')) ?? []).join(' ') || 'I do not know.',
      },
    ]);
    const sessions = daysOf([...said, ...asked]);
    return { set: 'corpus', name: `${n} ${section.join(' | ')}`, sessions, questions: [] };
  });
}

const turnsOfDay = 12;

function daysOf(turns) {
  const days = [];
  for (let at = 0; at < turns.length; at += turnsOfDay) {
    const began = Date.UTC(2026, 0, 1 + days.length, 9);
    const some = turns.slice(at, at + turnsOfDay).map((turn, n) => ({ ...turn, at: new Date(began + n * 60_000) }));
    days.push({ name: `day-${days.length}`, turns: some });
  }
  return days;
}

/**
 * Those that no training saw: of the test parts, and of the sections for validation.
 * @returns persons: {memories: [{id, role, text}], requests: [{text, needs: Map of id -> 0 to 1}]}
 */
export function loadRequests() {
  return allPersons()
    .filter(({ section }) => isUntrained(section))
    .map(({ memories, requests }) => ({
      memories,
      requests: requests.map(({ text, ids }) => ({ text, needs: needsOf(ids, memories) })),
    }));
}

function allPersons() {
  const files = readdirSync(new URL('requests/', folder)).filter((name) => name.endsWith('.txt'));
  return files.toSorted().flatMap((name) => personsIn(readFileSync(new URL(`requests/${name}`, folder), 'utf8')));
}

function personsIn(text) {
  const persons = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('@ ')) persons.push({ section: line.slice(2).split(' | '), memories: [], requests: [] });
    const person = persons.at(-1);
    const memory = /^(\d+) (A: )?(.*?)(?: << (.*?))?(?: !(\d+))?$/.exec(line);
    if (memory) {
      const [, id, assistant, said, before, successor] = memory;
      person.memories.push({ id, role: assistant ? 'assistant' : 'user', text: said, before, successor });
    }
    const request = /^\? (.*) => (.*)$/.exec(line);
    if (request) person.requests.push({ text: request[1], ids: request[2].split(/\s+/) });
  }
  return persons;
}

function needsOf(ids, memories) {
  const needed = new Map(
    ids.filter((id) => id !== '-').map((id) => [id.replace('~', ''), id.startsWith('~') ? 0.5 : 1]),
  );
  const told = memories.filter(({ id, successor }) => needed.has(id) || !needed.has(successor));
  return new Map(told.map(({ id }) => [id, needed.get(id) ?? 0]));
}

function isUntrained([domain, register]) {
  if (testParts.domains.includes(domain) || testParts.registers.includes(register)) return true;
  return createHash('sha256').update(`${domain}|${register}`).digest()[0] % validationShare === 0;
}
