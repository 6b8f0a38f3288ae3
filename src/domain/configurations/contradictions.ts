import type { z } from 'zod';

/** The settings of a configuration that can contradict each other. */
interface Settings {
  readonly primary_scope: string;
  readonly customer_documents: readonly string[];
  readonly memory_types: readonly string[];
  readonly categories: readonly { readonly name: string }[];
  readonly excluded: readonly { readonly name: string }[];
  readonly entity_match_thresholds: { readonly merge: number; readonly review: number };
  readonly retention: { readonly policy: string; readonly on_expiry: string };
}

type Fault = readonly [path: readonly (string | number)[], message: string];

/** Refuses settings that are each right and cannot hold together, by the path of the one to change. */
export function refuseContradictions(settings: Settings, context: z.RefinementCtx): void {
  for (const [path, message] of [...repetitions(settings), ...contradictions(settings)]) {
    context.addIssue({ code: 'custom', path: [...path], message });
  }
}

function* contradictions(settings: Settings): Generator<Fault> {
  const { entity_match_thresholds: thresholds, retention, primary_scope: scope } = settings;
  if (thresholds.review > thresholds.merge)
    yield [['entity_match_thresholds', 'review'], 'must not be above entity_match_thresholds.merge'];
  if (retention.policy === 'compliance' && retention.on_expiry === 'evict') {
    yield [
      ['retention', 'on_expiry'],
      'must be "archive" with the policy "compliance": what must be kept is not removed',
    ];
  }
  if (scope !== 'CUSTOMER' && settings.customer_documents.length > 0) {
    yield [['customer_documents'], 'needs the primary_scope "CUSTOMER"; else leave it empty'];
  }
  const kept = new Set(settings.categories.map(({ name }) => name));
  for (const [n, { name }] of settings.excluded.entries()) {
    if (kept.has(name))
      yield [['excluded', n, 'name'], `"${name}" is one of the categories too: keep it or exclude it`];
    if (name === 'other') yield [['excluded', n, 'name'], 'cannot be "other": leave it out of the categories'];
  }
}

/** Entries that are named twice, so that it is unclear which one is meant. */
function* repetitions({ memory_types, customer_documents, categories, excluded }: Settings): Generator<Fault> {
  for (const [setting, values] of Object.entries({ memory_types, customer_documents })) {
    for (const n of repeated(values)) yield [[setting, n], `"${values[n]}" stands here twice`];
  }
  for (const [setting, values] of Object.entries({ categories, excluded })) {
    for (const n of repeated(values.map(({ name }) => name))) {
      yield [[setting, n, 'name'], `"${values[n]!.name}" stands here twice`];
    }
  }
}

const repeated = (values: readonly string[]): number[] =>
  values.flatMap((value, n) => (values.indexOf(value) < n ? [n] : []));
