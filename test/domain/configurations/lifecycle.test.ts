import { expect, test } from 'vitest';
import { diffConfigurations } from '../../../src/domain/configurations/diff-configurations.ts';
import {
  Configuration,
  configurationSchema,
  defaultConfiguration,
} from '../../../src/domain/configurations/configuration.ts';
import {
  configurationEvents,
  configurationStates,
  configurationTransitions,
  nextConfigurationState,
  parseVersionNumber,
} from '../../../src/domain/configurations/lifecycle.ts';

/** Decisions, "States". */
const possible = [
  'draft update draft',
  'draft submit pending_review',
  'pending_review approve approved',
  'pending_review reject rejected',
  'approved apply active',
  'rejected update draft',
  'active supersede superseded',
];

test('every event in every state has the outcome that was decided', () => {
  const outcomes = configurationStates.flatMap((state) =>
    configurationEvents.flatMap((event) => {
      const next = configurationTransitions[state][event];
      if (!next) expect(() => nextConfigurationState(7, state, event)).toThrow(`version 7 is ${state}`);
      return next ? [`${state} ${event} ${next}`] : [];
    }),
  );
  expect(outcomes).toEqual(possible);
});

test.each([
  ['3', 3],
  ['3.0.0', 3],
  ['3.1.0', null],
  ['0', null],
  ['-1', null],
  ['three', null],
  ['99999999999', null],
])('the number of version %s is %s', (text, number) => expect(parseVersionNumber(text)).toBe(number));

const category = (name: string) => ({ name, description: '', examples: [] });

test.each([
  { change: { entity_match_thresholds: { merge: 0.5, review: 0.6 } }, path: 'entity_match_thresholds.review' },
  { change: { customer_documents: ['email'] }, path: 'customer_documents' },
  { change: { retention: { policy: 'compliance', base_days: 9, on_expiry: 'evict' } }, path: 'retention.on_expiry' },
  { change: { categories: [category('other'), category('other')] }, path: 'categories.1.name' },
  { change: { memory_types: ['facts', 'facts'] }, path: 'memory_types.1' },
  { change: { excluded: [category('health')] }, path: 'excluded.0.name' },
  { change: { confidence_threshold: 1.5 }, path: 'confidence_threshold' },
  { change: { retention: { policy: 'standard', base_days: 0, on_expiry: 'archive' } }, path: 'retention.base_days' },
  { change: { categories: [category('Past Orders')] }, path: 'categories.0.name' },
  { change: { retrieval: { mode: 'long-range', max_results: 10, context_budget: null } }, path: 'retrieval.mode' },
])('$path is named when it is wrong', ({ change, path }) => {
  const parsed = Configuration.safeParse({ ...defaultConfiguration, ...change });
  expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
});

test('a setting that is not there is refused by name', () => {
  const retention = { ...defaultConfiguration.retention, years: 7 };
  const { error } = Configuration.safeParse({ ...defaultConfiguration, retention });
  expect(error?.issues).toMatchObject([{ code: 'unrecognized_keys', path: ['retention'], keys: ['years'] }]);
});

test('the JSON Schema is of the same settings', () => {
  const { properties } = configurationSchema() as { properties: Record<string, unknown> };
  expect(Object.keys(properties)).toEqual(Object.keys(defaultConfiguration));
});

test('a difference is told setting by setting, in lines that people read', () => {
  const after: Configuration = {
    ...defaultConfiguration,
    categories: [
      ...defaultConfiguration.categories.filter(({ name }) => name !== 'plans'),
      category('past-orders'),
      { name: 'sizes', description: 'What fits them.', examples: ['I wear 42.', 'My waist is 30.'] },
    ],
    memory_types: defaultConfiguration.memory_types.filter((type) => type !== 'emotions'),
    retention: { policy: 'consumer', base_days: 90, on_expiry: 'evict' },
    retrieval: { ...defaultConfiguration.retrieval, context_budget: 2_000 },
  };
  expect(diffConfigurations(defaultConfiguration, after).map(({ text }) => text)).toEqual([
    '- memory_types.emotions',
    expect.stringMatching(/^- categories\.plans "[^"]+[.]"$/),
    '~ retention.policy "standard" → "consumer"',
    '~ retention.base_days 365 → 90',
    '~ retention.on_expiry "archive" → "evict"',
    '~ retrieval.context_budget none → 2000',
    '+ categories.past-orders',
    '+ categories.sizes "What fits them.", such as "I wear 42.", "My waist is 30."',
  ]);
  expect(diffConfigurations(after, after)).toEqual([]);
  expect(diffConfigurations(after, { ...after, categories: after.categories.toReversed() })).toEqual([]);
});
