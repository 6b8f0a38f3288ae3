import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openFileReader } from '../../src/adapters/file-reader/file-reader.ts';
import { docxOf, paragraph, pdfWithLines } from '../support/files.ts';
import { emptyFolder } from '../support/world.ts';

const folder = emptyFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A reader whose threads run this; what it warned of. */
function readerOf(module: string) {
  const path = join(folder, `${Math.random()}.mjs`);
  writeFileSync(path, module);
  const warnings: unknown[] = [];
  const warn = (_: string, error: unknown) => void warnings.push(error);
  return { ...openFileReader({ warn, worker: pathToFileURL(path) }), warnings };
}

const file = pdfWithLines(['Priya lives in Leeds.']);

test('a thread that cannot read is no fault of the file: it is told to come again, and why stands in the log', async () => {
  const reader = readerOf("export function readPdf() { throw new Error('no parser'); }");
  await expect(reader.read(file)).rejects.toMatchObject({ code: 'unavailable', cause: { message: 'no parser' } });
  expect(reader.warnings).toMatchObject([{ message: 'no parser' }]);
  await reader.close();
});

test('a file is read once more where its thread ended', async () => {
  const seen = JSON.stringify(join(folder, 'seen'));
  const reader = readerOf(`
    import { existsSync, writeFileSync } from 'node:fs';
    export function readPdf() {
      if (existsSync(${seen})) return { text: 'Priya lives in Leeds.' };
      writeFileSync(${seen}, '');
      process.exit(1);
    }`);
  expect(await reader.read(file)).toEqual({ text: 'Priya lives in Leeds.' });
  expect(reader.warnings).toEqual([]);
  await reader.close();
});

test('long runs of spaces in a DOCX take no more time than its text', async () => {
  const reader = openFileReader({ warn() {} });
  const spaces = ' '.repeat(500_000);
  expect(await reader.read(docxOf(paragraph(`Priya${spaces}lives in Leeds.${spaces}`)))).toEqual({
    text: `Priya${spaces}lives in Leeds.`,
  });
  await reader.close();
});
