// Fails when docs/limits.md does not say what src/domain/limits.ts says; with --write it writes the page. Needs a build.
import { readFileSync, writeFileSync } from 'node:fs';
import { formatLimit, limits } from '../dist/domain/limits.js';

const page = new URL('../docs/limits.md', import.meta.url);
const [head] = readFileSync(page, 'utf8').split('\n| limit');
const cells = Object.entries(limits).map(([name, limit]) => [
  `\`${name}\``,
  limit.of,
  String(limit.min ?? 1),
  formatLimit(limit),
]);
const rows = [['limit', 'of', 'at least', 'at most'], ...cells];
const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
const text = `${head}\n${[line(rows[0]), rule, ...rows.slice(1).map(line)].join('\n')}\n`;

if (process.argv.includes('--write')) writeFileSync(page, text);
const isFresh = readFileSync(page, 'utf8') === text;
console.log(
  isFresh
    ? `limits: ${cells.length}, as docs/limits.md says`
    : 'docs/limits.md: run node scripts/check-limits.mjs --write',
);
process.exitCode = isFresh ? 0 : 1;
