import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type Service } from './support/service.ts';

interface Snippet {
  readonly name: string;
  readonly code: string;
  readonly prints: readonly string[];
}

const run = promisify(execFile);
const script = fileURLToPath(new URL('../../support/snippets.mjs', import.meta.url));
const { stdout } = await run(process.execPath, [script, 'ts']);
const snippets = JSON.parse(stdout) as Snippet[];

let service: Service;
let folder: string;
beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(fileURLToPath(new URL('snippets-', import.meta.url))); // within the package, which finds itself
}, 300_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

describe('the documentation', () => {
  test('has snippets', () => {
    expect(snippets.length).toBeGreaterThanOrEqual(8);
  });

  test.each(snippets)('$name prints what it says', async ({ code, prints }) => {
    const file = join(folder, 'snippet.mjs');
    writeFileSync(file, code);
    const env = { ...process.env, PRESAGE_KEY: service.key, PRESAGE_URL: service.url, PRESAGE_GRPC: service.grpc };
    const { stdout: printed } = await run(process.execPath, [file], { env });
    expect(prints.length).toBeGreaterThan(0);
    for (const line of prints) expect(printed).toContain(line);
  });

  test('starts each subject in less than twenty lines', () => {
    const lengths = snippets
      .filter(({ name }) => name.startsWith('typescript.md'))
      .map(({ code }) => code.trim().split('\n').length);
    expect(Math.max(...lengths)).toBeLessThan(20);
  });

  test('needs four lines from import to recalled memory', () => {
    const first = snippets.find(({ name }) => name.startsWith('typescript.md'));
    const lines = first!.code.split('\n').filter((line) => line !== '' && !line.startsWith('//'));
    expect(lines.length).toBeLessThanOrEqual(4);
  });
});
