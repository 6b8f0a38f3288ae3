import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Configuration, defaultConfiguration } from '../../../src/domain/configurations/configuration.ts';
import { memoryTypes } from '../../../src/domain/memory-types.ts';
import { generateByRules } from '../../../src/domain/generation/generate.ts';

const read = (name: string) => readFileSync(new URL(`../../../docs/use-cases/${name}.md`, import.meta.url), 'utf8');
const namesOf = (entries: Configuration['categories']) => entries.map(({ name }) => name);
const from = (markdown: string) => generateByRules(markdown).configuration;

test.each([
  {
    name: 'clinic',
    gives: {
      primary_scope: 'USER',
      isolation: 'b2c',
      confidence_threshold: 0.75,
      entity_match_thresholds: { merge: 0.98 },
      retention: { policy: 'compliance', base_days: 3650, on_expiry: 'archive' },
      retrieval: { mode: 'accurate' },
    },
    remembers: ['medications', 'allergies', 'appointments', 'contact-wishes', 'instruction', 'other'],
    never: ['payment-card-numbers', 'religious-beliefs'],
  },
  {
    name: 'companion-app',
    gives: {
      primary_scope: 'USER',
      isolation: 'b2c',
      confidence_threshold: 0.6,
      memory_types: [...memoryTypes],
      retention: { policy: 'consumer', base_days: 91, on_expiry: 'evict' },
      retrieval: { mode: 'fast', max_results: 6 },
    },
    remembers: ['moods', 'relations', 'hobbies', 'birthdays', 'small-wishes'],
    never: ['health', 'passwords'],
  },
  {
    name: 'shop',
    gives: {
      primary_scope: 'USER',
      isolation: 'b2c',
      memory_types: memoryTypes.filter((type) => type !== 'emotions'),
      retention: { policy: 'consumer', base_days: 90, on_expiry: 'evict' },
    },
    remembers: ['sizes', 'brands', 'past-orders', 'occasions'],
    never: ['credit-card-numbers', 'home-addresses'],
  },
  {
    name: 'support-desk',
    gives: {
      primary_scope: 'CUSTOMER',
      customer_documents: ['support-ticket', 'meeting-transcript', 'email'],
      isolation: 'b2b',
      retention: { policy: 'custom', base_days: 730, on_expiry: 'archive' },
      retrieval: { mode: 'accurate' },
    },
    remembers: ['product-setup', 'open-problems', 'promises', 'contacts'],
    never: ['customer-passwords', 'access-tokens'],
  },
  {
    name: 'coding-agent',
    gives: {
      primary_scope: 'CLIENT',
      isolation: 'b2c',
      memory_types: ['facts', 'preferences', 'temporal_events'],
      retention: { policy: 'standard', base_days: 365, on_expiry: 'archive' },
      retrieval: { max_results: 20, context_budget: 4_000 },
      compaction: { strategy: 'aggressive', target_tokens: 2_000 },
      inference: { extraction: 'none', embedding: 'shipped' },
    },
    remembers: ['conventions', 'architecture-decisions', 'build-commands', 'known-pitfalls'],
    never: ['api-keys', 'secrets'],
  },
])('the worked example $name gives what a reader finds right', ({ name, gives, remembers, never }) => {
  const { configuration, explanation } = generateByRules(read(name));
  expect(configuration).toMatchObject(gives);
  expect(namesOf(configuration.categories)).toEqual(expect.arrayContaining(remembers));
  expect(namesOf(configuration.excluded)).toEqual(never);
  expect(Configuration.parse(configuration)).toEqual(configuration);
  const lines = read(name).split('\n');
  for (const choice of explanation.derivedSettings) {
    expect(choice.lines.length).toBeGreaterThan(0);
    // What is cited begins on that line, mark-up aside.
    for (const { line, text } of choice.lines) {
      const opening = text.split(' ')[0]!.replaceAll(/\W/g, '');
      expect(lines[line - 1]!.replaceAll(/\W/g, '')).toContain(opening);
    }
  }
});

test.each(['', '\n\n', '# Baking bread\n\nMix flour and water, wait two hours, then bake it.'])(
  'a file about nothing gives the defaults and says so: %j',
  (markdown) => {
    const { configuration, explanation } = generateByRules(markdown);
    expect(configuration).toEqual(defaultConfiguration);
    expect(explanation.derivedSettings).toEqual([]);
    expect(explanation.warnings).toEqual([expect.stringContaining('all of these are the defaults')]);
    expect(explanation.defaultedSettings.map(({ setting }) => setting)).toEqual(Object.keys(defaultConfiguration));
  },
);

test('what is not chosen is listed as assumed', () => {
  const { explanation } = generateByRules('# Shop\n\nShoppers of our online shop chat with it.');
  const chosen = new Set(explanation.derivedSettings.map(({ setting }) => setting.split('.')[0]));
  const assumed = explanation.defaultedSettings.map(({ setting }) => setting);
  expect([...chosen, ...assumed].toSorted()).toEqual(Object.keys(defaultConfiguration).toSorted());
});

test.each([
  { says: 'Keep it for 18 months.', days: 548, ends: 'archive' },
  { says: 'Memories are deleted after thirty days.', days: 30, ends: 'evict' },
  { says: 'Nothing is kept longer than 2 weeks.', days: 14, ends: 'archive' },
  { says: 'Retention: 5 years', days: 1825, ends: 'archive' },
  { says: 'We answer within 2 days and keep records for one year.', days: 365, ends: 'archive' },
  { says: 'We have been selling boats for 30 years.', days: 365, ends: 'archive' },
  { says: 'Remember it forever.', days: 36_500, ends: 'archive' },
])('how long is taken from “$says”', ({ says, days, ends }) => {
  expect(from(says).retention).toMatchObject({ base_days: days, on_expiry: ends });
});

test.each([
  { says: '# Ward helper\n\nNurses ask it about patients.', policy: 'compliance' },
  { says: '# Chess tutor\n\nThis is not a medical product and never gives legal advice.', policy: 'standard' },
  {
    says: '# Deploy bot\n\nIt runs health checks and npm audits, in compliance with the style guide.',
    policy: 'standard',
  },
  { says: '# Chats of bank customers\n\nThey are retained for audit.', policy: 'compliance' },
  { says: '# Quest master\n\nPlayers of the game talk to it.', policy: 'consumer' },
  { says: '# Fashion shop\n\nShoppers ask it. An auditor looks at payments now and then.', policy: 'consumer' },
])('the policy of “$says” is $policy', ({ says, policy }) => {
  expect(from(says).retention.policy).toBe(policy);
});

test('compliance with removal is what the file says, and a warning', () => {
  const { configuration, explanation } = generateByRules(
    '# Clinic\n\nPatients call. Chats are deleted after 10 years.',
  );
  expect(configuration.retention).toEqual({ policy: 'custom', base_days: 3650, on_expiry: 'evict' });
  expect(explanation.warnings).toEqual([expect.stringContaining('because the file says so')]);
});

test.each([
  { says: 'We never store health data or political opinions.', never: ['health', 'political-opinions'] },
  { says: 'Card numbers and PINs must not be stored.', never: ['card-numbers', 'pins'] },
  { says: 'No card numbers or PINs may be stored.', never: ['card-numbers', 'pins'] },
  { says: 'It stores sizes and brands, but never birthdays.', never: [] },
  { says: '## Out of scope\n\n- Salaries\n- Performance reviews', never: ['salaries', 'performance-reviews'] },
  { says: 'Not only sizes are stored, but also brands.', never: [] },
])('what is off limits is taken from “$says”', ({ says, never }) => {
  expect(namesOf(from(says).excluded)).toEqual(never);
});

test('a threshold that hardly a statement reaches is warned of', () => {
  const { configuration, explanation } = generateByRules('Answers tickets. Confidence threshold: 0.99');
  expect(configuration.confidence_threshold).toBe(0.99);
  expect(explanation.warnings).toEqual([
    expect.stringMatching(/^statements hardly ever reach the confidence_threshold 0\.99: of facts/),
  ]);
});

test.each(['Answers tickets. Confidence threshold: 0.75', 'When in doubt, leave it out.'])(
  'a threshold that statements reach needs no warning: %s',
  (file) => expect(generateByRules(file).explanation.warnings).toEqual([]),
);

test.each([
  { says: 'Our customers are companies; each tenant is kept apart.', isolation: 'b2b' },
  { says: 'This is not B2B: consumers use it themselves.', isolation: 'b2c' },
  { says: 'People link their bank accounts and social accounts.', isolation: 'b2c' },
  { says: 'isolation: b2b', isolation: 'b2b' },
])('“$says” is $isolation', ({ says, isolation }) => {
  expect(from(says).isolation).toBe(isolation);
});

test('a category is described by what stands before its quoted example', () => {
  expect(from(read('clinic')).categories.find(({ name }) => name === 'medications')).toEqual({
    name: 'medications',
    description: 'what a patient takes, how much and when',
    examples: ['I take 5 mg of warfarin in the evening'],
  });
});
