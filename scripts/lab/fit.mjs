// Weights by conditional logit (McFadden 1974): of all candidates of a question, the one that holds evidence is chosen.
// Two tables at once: weights of the first kind of situation = shared, of the second = shared + deviation, both held back by
// L2, so that one departs from the other only where its situations say so. Damped Newton (Levenberg-Marquardt).

/** Strength of L2 on standardised features. */
const strength = { shared: 6, deviation: 10 };

/** Mean and spread of each feature; a feature that never varies is left out (infinite spread). */
export function standardise(questions) {
  const count = questions[0].rows[0].length;
  const all = questions.flatMap((question) => question.rows);
  const [mean, spread] = [new Float64Array(count), new Float64Array(count)];
  for (const row of all) for (const [at, value] of row.entries()) mean[at] += value / all.length;
  for (const row of all) for (const [at, value] of row.entries()) spread[at] += (value - mean[at]) ** 2 / all.length;
  return { mean, spread: spread.map((variance) => (variance > 1e-9 ? Math.sqrt(variance) : Infinity)) };
}

/**
 * @param questions {rows: features of each candidate, isSecond: of the second kind, evidence: the gold turn each cites, or undefined}
 * @returns standardised weights, [shared | deviation]
 */
export function fit(questions, scale, start) {
  const count = scale.mean.length;
  const problems = questions
    .filter(({ evidence }) => evidence.some(Boolean))
    .map((question) => standardised(question, scale));
  let weights = start?.slice() ?? new Float64Array(2 * count);
  let damping = start ? 0.01 : 30;
  let current = evaluate(problems, weights, count);
  for (let round = 0; round < 60 && damping < 1e7; round++) {
    const matrix = current.hessian.map((row, at) =>
      row.map((value, other) => (at === other ? value + damping : value)),
    );
    const step = solve(matrix, current.gradient);
    const next = evaluate(
      problems,
      weights.map((value, at) => value + step[at]),
      count,
    );
    if (next.loss >= current.loss) {
      damping = Math.max(damping, 1) * 5;
      continue;
    }
    const gain = current.loss - next.loss;
    weights = weights.map((value, at) => value + step[at]);
    current = next;
    damping = Math.max(damping / 6, 1e-3);
    if (gain < 1e-4 * current.loss) break;
  }
  return weights;
}

function standardised({ rows, isSecond, evidence }, { mean, spread }) {
  const scaled = rows.map((row) => Float64Array.from(row, (value, at) => (value - mean[at]) / spread[at]));
  return { rows: scaled, isSecond, evidence };
}

/** Each gold turn counts alike; the memories that cite it share it by their present scores. */
function evaluate(problems, weights, count) {
  const gradient = Float64Array.from(weights, (value, at) => -penalty(at, count) * value);
  const hessians = [square(count), square(count)];
  let loss = weights.reduce((sum, value, at) => sum + (penalty(at, count) * value * value) / 2, 0);
  for (const { rows, isSecond, evidence } of problems) {
    const table = tableOf(weights, count, isSecond);
    const scores = rows.map((row) => dot(row, table));
    const highest = Math.max(...scores);
    const odds = scores.map((score) => Math.exp(score - highest));
    const total = odds.reduce((sum, value) => sum + value, 0);
    const oddsOf = new Map();
    for (const [at, turn] of evidence.entries()) if (turn) oddsOf.set(turn, (oddsOf.get(turn) ?? 0) + odds[at]);
    for (const value of oddsOf.values()) loss -= (1 / oddsOf.size) * Math.log(value / total);
    const expected = new Float64Array(count);
    const hessian = hessians[Number(isSecond)];
    for (const [at, row] of rows.entries()) {
      const share = odds[at] / total;
      const target = evidence[at] ? odds[at] / oddsOf.get(evidence[at]) / oddsOf.size : 0;
      for (let n = 0; n < count; n++) {
        const pull = (target - share) * row[n];
        gradient[n] += pull;
        if (isSecond) gradient[count + n] += pull;
        expected[n] += share * row[n];
      }
      if (share > 1e-4) addOuter(hessian, row, share);
    }
    addOuter(hessian, expected, -1);
  }
  const hessian = Array.from({ length: 2 * count }, (_, at) =>
    Float64Array.from({ length: 2 * count }, (__, other) => {
      const [n, m] = [at % count, other % count].toSorted((a, b) => b - a);
      const isShared = at < count && other < count;
      return hessians[1][n][m] + (isShared ? hessians[0][n][m] : 0) + (at === other ? penalty(at, count) : 0);
    }),
  );
  return { loss, gradient, hessian };
}

const penalty = (at, count) => (at < count ? strength.shared : strength.deviation);
const square = (count) => Array.from({ length: count }, () => new Float64Array(count));

/** The weights of one kind of situation. */
export const tableOf = (weights, count, isSecond) =>
  weights.slice(0, count).map((value, at) => value + (isSecond ? weights[count + at] : 0));

/** Adds scale · row · rowᵀ to the lower half. */
function addOuter(matrix, row, scale) {
  for (let n = 0; n < row.length; n++) {
    const factor = scale * row[n];
    if (factor) for (let m = 0; m <= n; m++) matrix[n][m] += factor * row[m];
  }
}

export function dot(one, other) {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at] * other[at];
  return sum;
}

/** Gaussian elimination with pivoting; overwrites the matrix. */
function solve(matrix, right) {
  const [size, values] = [right.length, right.slice()];
  for (let n = 0; n < size; n++) {
    let pivot = n;
    for (let row = n + 1; row < size; row++) if (Math.abs(matrix[row][n]) > Math.abs(matrix[pivot][n])) pivot = row;
    [matrix[n], matrix[pivot]] = [matrix[pivot], matrix[n]];
    [values[n], values[pivot]] = [values[pivot], values[n]];
    for (let row = n + 1; row < size; row++) {
      const factor = matrix[row][n] / matrix[n][n];
      for (let column = n; column < size; column++) matrix[row][column] -= factor * matrix[n][column];
      values[row] -= factor * values[n];
    }
  }
  for (let n = size - 1; n >= 0; n--) {
    for (let column = n + 1; column < size; column++) values[n] -= matrix[n][column] * values[column];
    values[n] /= matrix[n][n];
  }
  return values;
}
