const percent = (value) => (100 * value).toFixed(1);
const mean = (values) => values.reduce((sum, value) => sum + Number(value), 0) / values.length;
const of = (rows, part, name) => percent(mean(rows.map((row) => row[part][name])));
const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

/** The figures so far, in words. */
export function describe(turns, questions) {
  const names = [
    'recency',
    'previous',
    'coverage',
    'previousAlone',
    'coverageAlone',
    'partial0',
    'partial1',
    'partial2',
  ];
  const figures = names.map((name) => `${name} ${of(turns, 'first', name)} (of three ${of(turns, 'share', name)})`);
  const asked = ['instruction', 'preference'].map((kind) => {
    const own = questions.filter((row) => row.kind === kind);
    return `${kind} ${percent(mean(own.map(({ pushed }) => pushed)))} (before the question ${percent(mean(own.map(({ before }) => before)))})`;
  });
  const [bundle, fetch] = [
    median(turns.flatMap(({ bundleMs }) => bundleMs)),
    median(turns.map(({ fetchMs }) => fetchMs)),
  ];
  const total = (name) => turns.reduce((sum, row) => sum + row[name], 0);
  const bundle10 = `${(total('pushed') / turns.length).toFixed(1)} pushed beside ${(total('always') / turns.length).toFixed(1)} that always stand, ${percent(total('useful') / total('pushed'))} needed, ${percent(total('heard') / total('pushed'))} heard already, ${Math.round(total('wasted') / turns.length)} tokens wasted`;
  const times = `bundle ${bundle.toFixed(0)} ms beside ${fetch.toFixed(0)} of an accurate fetch of 40 (medians)`;
  return [`${turns.length} turns`, ...figures, ...asked, bundle10, times].join(', ');
}

/** All figures in one line. Percentages, but for tokens. */
export function resultLine(turns, questions) {
  const kinds = (kind) => percent(mean(questions.filter((row) => row.kind === kind).map(({ pushed }) => pushed)));
  const total = (name) => turns.reduce((sum, row) => sum + row[name], 0);
  const figures = {
    'coverage@10': of(turns, 'first', 'coverage'),
    partial10: of(turns, 'first', 'partial0'),
    partial25: of(turns, 'first', 'partial1'),
    partial50: of(turns, 'first', 'partial2'),
    'previous_turn@10': of(turns, 'first', 'previous'),
    'recency@10': of(turns, 'first', 'recency'),
    coverage_alone: of(turns, 'first', 'coverageAlone'),
    previous_turn_alone: of(turns, 'first', 'previousAlone'),
    instruction: kinds('instruction'),
    preference: kinds('preference'),
    precision: percent(total('useful') / total('pushed')),
    already_heard: percent(total('heard') / total('pushed')),
    wasted_tokens_per_bundle: Math.round(total('wasted') / turns.length),
    coverage_of_three: of(turns, 'share', 'coverage'),
    turns: turns.length,
  };
  return `RESULT anticipation ${Object.entries(figures)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')}`;
}
