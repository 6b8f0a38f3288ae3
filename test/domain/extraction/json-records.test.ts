import { expect, test } from 'vitest';
import { parseJsonRecords } from '../../../src/domain/extraction/documents/json-records.ts';
import { readJsonDocument } from '../../../src/domain/ingestion/read-json-document.ts';

const contents = (text: string) => parseJsonRecords(text)?.records.map(({ content }) => content) ?? null;

test.each([
  {
    case: 'an object is one record, its names in words',
    text: '{"name": "Priya", "favouriteColour": "teal", "blood_group": "AB"}',
    told: ['name: Priya; favourite colour: teal; blood group: AB'],
  },
  {
    case: 'a list of objects is one record each',
    text: '[{"name": "Priya"}, {"name": "Omar {x}"}]',
    told: ['name: Priya', 'name: Omar {x}'],
  },
  {
    case: 'fields of fields are told by their path, and lists as lists',
    text: '{"address": {"city": "York"}, "tags": ["red", "blue"], "pets": [{"name": "Rex"}], "age": 41, "x": null}',
    told: ['address city: York; tags: red, blue; pets name: Rex; age: 41'],
  },
  { case: 'a text is no record', text: 'I keep {this} apart.', told: null },
  { case: 'what breaks off is no record', text: '{"name": "Priya"', told: null },
  { case: 'a list of words is no record', text: '["red", "blue"]', told: null },
  { case: 'an object that says nothing is no record', text: '{"a": null}', told: null },
  {
    case: 'lists within lists are told as one',
    text: '{"points": [[1, 2], [3, [4]]], "rows": [[{"name": "Rex"}]]}',
    told: ['points: 1, 2, 3, 4; rows name: Rex'],
  },
  { case: 'what is nested without end is left out', text: '{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000), told: null },
  {
    case: 'lists that are nested without end are left out',
    text: `{"a":${'['.repeat(50_000)}1${']'.repeat(50_000)},"b":2}`,
    told: ['b: 2'],
  },
  {
    case: 'a field too long for a memory leaves the fields behind it',
    text: JSON.stringify([{ bio: 'x'.repeat(3_000), city: 'York' }, { name: 'B' }]),
    told: ['city: York', 'name: B'],
  },
])('$case', ({ text, told }) => expect(contents(text)).toEqual(told));

test('fields too long for a memory are counted, and a record cites itself by its beginning', () => {
  const body = JSON.stringify([{ bio: 'x'.repeat(900_000), city: 'York' }, { notes: 'y'.repeat(3_000) }]);
  const read = readJsonDocument({ body, createdAt: new Date() });
  const tooLong = { turn: 0, reason: 'too-long' };
  expect(read?.discarded).toEqual([tooLong, tooLong]);
  expect(read?.candidates.map(({ quote }) => quote)).toEqual([body.slice(1, 2_001)]);
});

test('each record is quoted as it is written', () => {
  const text = '[ {"name": "Priya \\" {"}, {"name":"Omar", "at": [{}]} ]';
  expect(parseJsonRecords(text)?.records.map(({ quote }) => quote)).toEqual([
    '{"name": "Priya \\" {"}',
    '{"name":"Omar", "at": [{}]}',
  ]);
});
