import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const dist = fileURLToPath(new URL('../../../dist', import.meta.url));
const lines = 500; // some writes, and a rest

/** What a process printed that wrote so many lines and then met this end, and how it ended. */
function outputOf(end: string): Promise<{ printed: readonly string[]; code: number | null }> {
  const script = `
    import { runUntilStopped } from '${dist}/processes/run-until-stopped.js';
    import { createTelemetry } from '${dist}/telemetry.js';
    const { log } = createTelemetry({ level: 'info', process: 'test' });
    const write = () => { for (let n = 1; n <= ${lines}; n++) log.info({ n }, 'line'); };
    ${end}`;
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--input-type=module', '-e', script],
      { maxBuffer: 16 << 20 },
      (_error, stdout) => resolve({ printed: stdout.trimEnd().split('\n'), code: child.exitCode }),
    );
  });
}

test.each([
  { end: 'has nothing left to do', script: 'write()', code: 0 },
  { end: 'exits', script: 'write(); process.exit(3)', code: 3 },
  {
    end: 'meets an error that nobody catches',
    script: "write(); queueMicrotask(() => { throw new Error('fault') })",
    code: 1,
  },
  { end: 'meets a rejection that nobody handles', script: "write(); void Promise.reject(new Error('fault'))", code: 1 },
  {
    end: 'is asked to stop',
    script: `const busy = setInterval(() => undefined, 1_000);
      setTimeout(() => process.kill(process.pid, 'SIGTERM'), 50);
      await runUntilStopped(async () => ({ close: async () => { clearInterval(busy); write(); } }))`,
    code: 0,
  },
])('no line is lost of a process that $end', async ({ script, code }) => {
  const { printed, code: ended } = await outputOf(script);
  expect(ended).toBe(code);
  expect(printed.map((line) => (JSON.parse(line) as { n: number }).n)).toEqual(
    Array.from({ length: lines }, (_, n) => n + 1),
  );
});

test('a line of a process that goes on is there a moment later', async () => {
  const { printed } = await outputOf(`
    log.info({ n: 1 }, 'line');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2_000);`);
  expect(printed).toHaveLength(1);
  expect(JSON.parse(printed[0]!)).toMatchObject({ n: 1, msg: 'line' });
});
