type Comparison = (value: unknown, wanted: unknown) => boolean;

const asNumbers =
  (compare: (one: number, other: number) => boolean): Comparison =>
  (value, wanted) =>
    compare(Number(value), Number(wanted));

const comparisons: Readonly<Record<string, Comparison>> = {
  $eq: (value, wanted) => isSame(value, wanted),
  $ne: (value, wanted) => !isSame(value, wanted),
  $gt: asNumbers((one, other) => one > other),
  $gte: asNumbers((one, other) => one >= other),
  $lt: asNumbers((one, other) => one < other),
  $lte: asNumbers((one, other) => one <= other),
};

/** Whether every named member of a value is as the filter of a store wants it: a value, or comparisons such as `{ $gt: 3 }`. */
export function matchesFilter(value: Readonly<Record<string, unknown>>, filter: Readonly<Record<string, unknown>>) {
  return Object.entries(filter).every(([name, wanted]) => {
    if (!isComparison(wanted)) return isSame(value[name], wanted);
    return Object.entries(wanted).every(([operator, operand]) => comparisons[operator]!(value[name], operand));
  });
}

function isComparison(wanted: unknown): wanted is Record<string, unknown> {
  if (typeof wanted !== 'object' || wanted === null) return false;
  const operators = Object.keys(wanted).filter((name) => name.startsWith('$'));
  const unknown = operators.find((name) => !(name in comparisons));
  if (unknown) throw new Error(`filter: ${unknown} is none of ${Object.keys(comparisons).join(', ')}`);
  return operators.length > 0;
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
