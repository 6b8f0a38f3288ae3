/** Rows under a head, in columns; empty: a sentence that says so. */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
  empty: string,
): string {
  if (!rows.length) return empty;
  const texts = [head, ...rows].map((row) => row.map((cell) => String(cell ?? '-')));
  const widths = head.map((_, column) => Math.max(...texts.map((row) => row[column]!.length)));
  return texts
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
