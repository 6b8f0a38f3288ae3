/** Rows, which all name the same columns, under these names; `empty` where there is none. */
export function formatTable(rows: readonly Readonly<Record<string, string | number | null>>[], empty = ''): string {
  if (!rows.length) return empty;
  const head = Object.keys(rows[0]!);
  const texts = [head, ...rows.map(Object.values)].map((row) => row.map((cell) => String(cell ?? '-')));
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
