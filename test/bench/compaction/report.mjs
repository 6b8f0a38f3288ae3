const sum = (rows, percent, name) => rows.reduce((total, row) => total + row[percent][name], 0);
const shareOf = (part, whole) => (whole === 0 ? 1 : part / whole);
const percentOf = (share) => `${(100 * share).toFixed(1)}%`;

/** What share of all things the rows hold. */
const heldShare = (rows, percent, name = 'held') => shareOf(sum(rows, percent, name), sum(rows, percent, 'things'));

const columns = ['held', 'truncation', 'edges', 'lexrank'];

function* table(title, rows) {
  yield `${title}: share held, at the tokens that the compaction has`;
  yield ['aim', 'tokens', ...columns].join('\t');
  for (const percent of [10, 25, 50]) {
    const tokens = rows.reduce((total, row) => total + row[percent].share, 0) / rows.length;
    yield [`${percent}%`, percentOf(tokens), ...columns.map((name) => percentOf(heldShare(rows, percent, name)))].join(
      '\t',
    );
  }
}

/** A table of each set, and the line that is compared over time. */
export function* summarise({ everyday, beam }) {
  const all = [...everyday, ...beam];
  if (everyday.length) yield* table('everyday', everyday);
  if (beam.length) yield* table('beam', beam);
  // A text that tells what was replaced since is written anew, and says nothing of whether one is kept.
  const current = beam.filter(({ isOutdated }) => !isOutdated);
  const over = (name) => [10, 25, 50].reduce((total, percent) => total + sum(all, percent, name), 0);
  const found = [
    ...[10, 25, 50].map((percent) => [`everyday${percent}`, heldShare(everyday, percent)]),
    ['beam10', heldShare(beam, 10)],
    ['truncation10', heldShare(everyday, 10, 'truncation')],
    ['lexrank10', heldShare(everyday, 10, 'lexrank')],
    ['instructions', shareOf(over('bindingHeld'), over('binding'))],
    ['labelled', shareOf(over('labelledHeld'), over('labelled'))],
    ['beamtruncation10', heldShare(beam, 10, 'truncation')],
    ['beamlexrank10', heldShare(beam, 10, 'lexrank')],
    ['prefix', shareOf(current.filter(({ isPrefix }) => isPrefix).length, current.length)],
  ];
  const line = found.map(([name, share]) => `${name}=${(100 * share).toFixed(1)}`).join(' ');
  yield `RESULT compaction ${line} outdated=${beam.length - current.length} stale=${over('stale')}`;
}
