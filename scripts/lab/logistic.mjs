/** Logistic regression by Newton's method, with a little L2. `inputs`: rows of features; `held`: 0 to 1 each. */
export function fitLogistic(inputs, held) {
  const size = inputs[0].length + 1;
  let weights = new Float64Array(size);
  const rows = inputs.map((row) => [...row, 1]);
  for (let round = 0; round < 30; round++) {
    const gradient = new Float64Array(size);
    const hessian = Array.from({ length: size }, (_, n) =>
      Float64Array.from({ length: size }, (__, m) => (n === m ? 1e-3 : 0)),
    );
    for (const [at, row] of rows.entries()) {
      const p = probabilityOf(row, weights);
      for (let n = 0; n < size; n++) {
        gradient[n] += (held[at] - p) * row[n];
        for (let m = 0; m < size; m++) hessian[n][m] += p * (1 - p) * row[n] * row[m];
      }
    }
    const step = solve(hessian, gradient);
    weights = weights.map((value, n) => value + step[n]);
    if (step.every((value) => Math.abs(value) < 1e-6)) break;
  }
  return {
    weights: weights.slice(0, -1),
    constant: weights.at(-1),
    probabilities: rows.map((row) => probabilityOf(row, weights)),
  };
}

const probabilityOf = (row, weights) => 1 / (1 + Math.exp(-row.reduce((sum, value, n) => sum + value * weights[n], 0)));

/** Gaussian elimination of a small symmetric positive system. */
function solve(matrix, right) {
  const values = right.slice();
  for (let n = 0; n < values.length; n++) {
    for (let row = n + 1; row < values.length; row++) {
      const factor = matrix[row][n] / matrix[n][n];
      for (let m = n; m < values.length; m++) matrix[row][m] -= factor * matrix[n][m];
      values[row] -= factor * values[n];
    }
  }
  for (let n = values.length - 1; n >= 0; n--) {
    for (let m = n + 1; m < values.length; m++) values[n] -= matrix[n][m] * values[m];
    values[n] /= matrix[n][n];
  }
  return values;
}
