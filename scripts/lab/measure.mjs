// The figures of shared/eval (metrics.py, retrieval.py): over distinct cited turns, best first.
const top = 10;

/** @param ranked distinct turns ("session/turn"), best first */
export function scoreQuestion(ranked, gold) {
  const wanted = new Set(gold);
  const turns = figures(ranked, wanted);
  const sessions = figures([...new Set(ranked.map(sessionOf))], new Set(gold.map(sessionOf)));
  return { ...turns, 'session_hit@1': sessions['hit@1'], session_mrr: sessions.mrr };
}

const sessionOf = (turn) => turn.slice(0, turn.lastIndexOf('/'));

function figures(ranked, wanted) {
  const first = ranked.findIndex((item) => wanted.has(item));
  const found = ranked.slice(0, top).filter((item) => wanted.has(item)).length;
  return {
    'recall@10': found / wanted.size,
    'hit@1': Number(first === 0),
    'hit@10': Number(found > 0),
    mrr: first < 0 ? 0 : 1 / (1 + first),
  };
}

export function mean(rows) {
  const names = Object.keys(rows[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0) / rows.length]));
}

const show = (figure, name) => `${name} ${(figure[name] ?? NaN).toFixed(3)}`;

/** One line: the figures that have a floor. `rows`: {set, category, scores}. */
export function summary(rows) {
  const parts = [];
  for (const set of ['locomo', 'beam']) {
    const own = rows.filter((row) => row.set === set);
    if (!own.length) continue;
    const all = mean(own.map((row) => row.scores));
    parts.push(`${set}: ${['recall@10', 'mrr', 'session_hit@1', 'hit@1'].map((name) => show(all, name)).join(' ')}`);
    for (const category of ['instruction_following', 'preference_following', 'event_ordering', 'multi-hop']) {
      const some = own.filter((row) => row.category === category).map((row) => row.scores);
      if (some.length) parts.push(`${category.slice(0, 9)} h@10 ${mean(some)['hit@10'].toFixed(2)}`);
    }
  }
  return parts.join(' | ');
}
