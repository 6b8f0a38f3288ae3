import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const home = fileURLToPath(new URL('..', import.meta.url));
const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
/** What the stream alone needs. */
const ofStream = /^dist\/(?:stream|generated\/proto)\//;

let folder: string;
let installed: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'presage-client-package-'));
  const [packed] = Object.values(JSON.parse(npm(home, 'pack', '--json', '--pack-destination', folder)) as object) as {
    filename: string;
  }[];
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  npm(folder, 'install', '--no-audit', '--no-fund', '--offline', `./${packed!.filename}`);
  installed = join(folder, 'node_modules/@presage-memory/client');
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = () =>
  readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(installed, path)).isFile(),
  );

describe('the package', () => {
  test('is at most 100 kB without the stream, and brings nothing else', () => {
    const bytes = files()
      .filter((path) => !ofStream.test(path))
      .reduce((sum, path) => sum + statSync(join(installed, path)).size, 0);
    expect(bytes).toBeLessThanOrEqual(100_000);
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@presage-memory',
    ]);
  });

  test('says what the stream needs, where it is not installed', () => {
    const code = `import { Presage } from '@presage-memory/client';
      import { MemoryStream } from '@presage-memory/client/stream';
      try { new MemoryStream(new Presage({ apiKey: 'k' })); } catch (error) { console.log(error.message); }`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(printed).toContain('npm install @grpc/grpc-js @grpc/proto-loader');
  });

  test('has types that a strict compiler takes', () => {
    const code = `import { Presage, type Memory } from '@presage-memory/client';
      const memory = new Presage({ apiKey: 'k' });
      export const first: Promise<Memory | undefined> = memory.memories.list({ user_id: 'ada' }).then(({ data }) => data[0]);
      export const prompt: Promise<string> = memory.recall('Where?', { user_id: 'ada' }).prompt;
      // @ts-expect-error -- no such parameter
      void memory.recall('Where?', { user: 'ada' });\n`;
    writeFileSync(join(folder, 'user.ts'), code);
    const options =
      '--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2022 --lib es2022,dom user.ts';
    const tsc = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url));
    expect(execFileSync(tsc, options.split(' '), { cwd: folder, encoding: 'utf8' })).toBe('');
  });

  test('uses nothing of Node without the stream', () => {
    const sources = files().filter((path) => path.endsWith('.js') && !ofStream.test(path));
    expect(sources.length).toBeGreaterThan(5);
    for (const path of sources) {
      const text = readFileSync(join(installed, path), 'utf8');
      expect(text).not.toMatch(/from ['"]node:|\brequire\(|\bBuffer\b/);
      // Global names that browsers have, and `process` only behind a look whether it is there.
      if (path !== 'dist/presage.js') expect(text).not.toMatch(/\bprocess\b/);
    }
  });
});
