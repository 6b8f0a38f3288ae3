// The persons of corpus/requests that no training saw: of its test parts, and of its sections for validation.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../corpus/', import.meta.url);
const testParts = JSON.parse(readFileSync(new URL('test-parts.json', folder), 'utf8')).requests;
/** As scripts/train/corpus.py has it. */
const validationShare = 12;

/** @returns persons: {memories: [{id, text}], requests: [{text, needs: Map of id -> 0 to 1}]} */
export function loadRequests() {
  const files = readdirSync(new URL('requests/', folder)).filter((name) => name.endsWith('.txt'));
  return files.toSorted().flatMap((name) => personsIn(readFileSync(new URL(`requests/${name}`, folder), 'utf8')));
}

function personsIn(text) {
  const persons = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('@ ')) persons.push({ section: line.slice(2).split(' | '), memories: [], requests: [] });
    const person = persons.at(-1);
    const memory = /^(\d+) (.*?)(?: !(\d+))?$/.exec(line);
    if (memory) person.memories.push({ id: memory[1], text: memory[2], successor: memory[3] });
    const request = /^\? (.*) => (.*)$/.exec(line);
    if (request) person.requests.push({ text: request[1], ids: request[2].split(/\s+/) });
  }
  return persons
    .filter(({ section }) => isUntrained(section))
    .map(({ memories, requests }) => ({
      memories,
      requests: requests.map(({ text: asked, ids }) => ({ text: asked, needs: needsOf(ids, memories) })),
    }));
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
