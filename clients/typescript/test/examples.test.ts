import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Presage } from '../dist/index.js';
import { startService, type Service } from './support/service.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));

let service: Service;
let memory: Presage;
beforeAll(async () => {
  execFileSync(`${root}/node_modules/.bin/tsc`, ['-p', 'examples'], { cwd: root, stdio: 'inherit' });
  service = await startService();
  memory = new Presage({ apiKey: service.key, baseUrl: service.url });
}, 300_000);
afterAll(() => service.stop());

const play = (
  example: string,
  words: readonly string[],
  { input = '', ...more }: { input?: string; USER_ID?: string },
) => {
  const env = {
    ...process.env,
    PRESAGE_KEY: service.key,
    PRESAGE_URL: service.url,
    PRESAGE_GRPC: service.grpc,
    ...more,
  };
  const running = run(process.execPath, [`${root}/dist/examples/${example}.js`, ...words], {
    env: { ...env, WORD_MS: '50' },
  });
  running.child.stdin!.end(input);
  return running;
};

test('the voice agent has memories at hand when the turn is over', async () => {
  await memory.remember('I am allergic to peanuts.', { user_id: 'ada' });
  const { stdout } = await play('voice-agent/agent', ['What can I cook tonight, with my allergy?'], {});
  expect(stdout).toContain('I am allergic to peanuts.');
});

test('the chat knows in one conversation what was said in another, and forgets what it is told to', async () => {
  const USER_ID = 'chat-example';
  await play('chat/chat', [], { USER_ID, input: 'I moved to York in May.\n/end\n' });
  await expect.poll(async () => (await memory.memories.list({ user_id: USER_ID })).data.length).toBeGreaterThan(0);
  const { stdout } = await play('chat/chat', [], {
    USER_ID,
    input: 'Where do I live?\n/memories\n/forget York\nWhere do I live?\n',
  });
  expect(stdout).toMatch(/^(?:> )*I moved to York/m);
  expect(stdout).toMatch(/- facts: .*York/);
  expect(stdout).toContain('gone for good');
  expect(stdout.slice(stdout.indexOf('gone for good'))).not.toContain('York');
});
