import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { newAdminToken, openServer } from '../rest/open-server.ts';
import { openWorld } from '../../support/world.ts';

const server = openServer(openWorld({})); // its own: it has one instance at first
const presage = fileURLToPath(new URL('../../../dist/cli/presage.js', import.meta.url));
let token: string;

beforeAll(async () => {
  token = await newAdminToken(server.world, 'owner');
});

/** The command as a process of its own, a client of the running server. */
function run(args: readonly string[], more: Record<string, string> = {}) {
  const env = { PATH: process.env['PATH'], PRESAGE_URL: server.baseUrl, PRESAGE_ADMIN_TOKEN: token, ...more };
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [presage, ...args], { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

test('keys are made, listed and revoked; the only instance need not be named, and one of several must', async () => {
  const { id } = await server.world.instance();
  const made = JSON.parse((await run(['keys', 'create', '--label', 'agent', '--json'])).out);
  expect(made).toMatchObject({ label: 'agent', api_key: expect.stringMatching(/^presage_/) });
  expect((await server.agentWith(made.api_key).send('GET', '/v1/memories')).status).toBe(200);
  const listed = await run(['keys', 'list', '--instance', id]);
  expect(listed.out).toMatch(new RegExp(`^key .*\\n(?:.*\\n)*${made.key_id}  agent`));
  expect(listed.out).not.toContain(made.api_key);
  expect((await run(['keys', 'revoke', made.key_id])).out).toBe(`${made.key_id} is revoked\n`);
  expect((await server.agentWith(made.api_key).send('GET', '/v1/memories')).status).toBe(401);
  const { id: another } = await server.world.instance();
  const ambiguous = await run(['keys', 'list']);
  expect(ambiguous).toMatchObject({ code: 1, out: '' });
  expect(ambiguous.err).toMatch(
    new RegExp(`name one with --instance, PRESAGE_INSTANCE or a PRESAGE_KEY of it:\\n(?:.*\\n)*  ${another}`),
  );
  expect((await run(['instances'])).out).toContain(id);
});

test(
  'from a use-case file to a key that works, and on to what another file changes',
  { timeout: 120_000 },
  async () => {
    const init = await run(['init', 'docs/use-cases/clinic.md', '--client', 'Fern Street']);
    expect(init).toMatchObject({ code: 0, err: '' });
    const [, id] = init.out.match(/^instance {2}(inst_\w+) {2}[(]client cli_\w+, completed[)]$/m)!;
    const [, key] = init.out.match(/^key {7}(presage_\w+) {2}[(]shown once/m)!;
    expect(init.out).toMatch(/retention[.]policy = "compliance": .*\n {4}line \d+: /);
    expect(init.out).toContain(`export PRESAGE_INSTANCE=${id}`);
    const remembered = await server
      .agentWith(key!)
      .remembers('I take 5 mg of warfarin in the evening.', { user_id: 'ada' });
    expect(remembered.memory_ids).not.toEqual([]);

    const here = (...args: string[]) => run(args, { PRESAGE_INSTANCE: id! });
    const draft = JSON.parse((await here('config', 'draft', 'docs/use-cases/shop.md', '--json')).out);
    expect(draft).toMatchObject({ version: 3, state: 'draft', configuration: { retention: { policy: 'consumer' } } });
    expect((await here('config', 'diff')).out).toContain('~ retention.policy "compliance" → "consumer"');
    const active = async () =>
      (await server.agentWith(token).send('GET', `/v1/admin/instances/${id}/configurations/active`)).json();
    expect(await active()).toMatchObject({ version: 2 });
    expect((await here('config', 'apply', '3', '--comment', 'we sell shoes now', '--yes')).out).toBe(
      '3.0.0 is active\n',
    );
    expect(await active()).toMatchObject({ version: 3, configuration: draft.configuration });
    expect((await here('config', 'rollback')).out).toBe('4.0.0 is active\n'); // to a longer retention: nothing to ask
    expect((await here('config', 'list')).out).toMatch(/^version .*\n4[.]0[.]0 +active .*\n3[.]0[.]0 +/);
    expect((await here('config', 'show', '3')).out).toMatch(/^3[.]0[.]0 is \w+\n[{][^]*"policy": "consumer"/);
    expect((await here('config', 'show')).out).toMatch(/^4[.]0[.]0 is active\n/);
    expect((await run(['instances'])).out).toMatch(new RegExp(`^${id} .* Fern Street$`, 'm'));
    expect(await active()).toMatchObject({ version: 4, configuration: { retention: { policy: 'compliance' } } });
    const asked = await here('config', 'rollback', '--to', '3.0.0');
    expect(asked).toMatchObject({ code: 1, err: expect.stringContaining('then evict') });
    expect(await active()).toMatchObject({ version: 4 });
    expect((await here('config', 'rollback', '--to', '3.0.0', '--yes')).out).toBe('5.0.0 is active\n');
    expect((await here('config', 'show', '3.0.0')).out).toMatch(/^3[.]0[.]0 is superseded\n/);
  },
);

test('tells its version, as the metrics of a server do', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  expect(await run(['--version'])).toMatchObject({ code: 0, out: `${version}\n` });
  const { text: metrics } = await server.agentWith('').send('GET', '/metrics');
  expect(metrics).toContain(`presage_build_info{version="${version}"`);
});

test('the only server of a machine is found from any folder, and one of several is not guessed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'presage-machine-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const started = async (name: string, credentials: object) => {
    await mkdir(join(folder, 'presage', name), { recursive: true });
    await writeFile(join(folder, 'presage', name, 'credentials.json'), JSON.stringify(credentials));
  };
  const elsewhere = { PRESAGE_URL: '', PRESAGE_ADMIN_TOKEN: '', XDG_CONFIG_HOME: folder };
  await started('failed-1', { admin_token: token }); // a start that never listened
  await started('presage-1', { base_url: server.baseUrl, admin_token: token });
  expect(await run(['instances', 'list', '--json'], elsewhere)).toMatchObject({ code: 0, err: '' });
  await started('presage-2', { base_url: server.baseUrl, admin_token: token });
  const { code, err } = await run(['instances', 'list'], elsewhere);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('PRESAGE_DATA_DIR') });
});

test('the dry run of retention tells what would go, and when', async () => {
  const { id, key } = await server.world.instance();
  await server.agentWith(key).remembers('I own a kayak.', { user_id: 'ada' });
  expect((await run(['retention', '--dry-run', '--instance', id])).out).toMatch(/^0 would be archived on /);
  const later = await run(['retention', '--dry-run', '--instance', id, '--at', '2099-01-01']);
  expect(later.out).toMatch(/^memory .*\n(?:mem_.*  ada .*\n)+[1-9]\d* would be archived on 2099-01-01/);
});

test.each([
  {
    case: 'a wrong value',
    args: ['retention', '--dry-run', '--at', 'soon', '--instance', 'inst_0000000000000000'],
    says: /at: must be an ISO 8601 time/,
  },
  {
    case: 'nothing of that id',
    args: ['keys', 'list', '--instance', 'inst_0000000000000000'],
    says: /no such instance/,
  },
  {
    case: 'a token that is not known',
    args: ['instances'],
    env: { PRESAGE_ADMIN_TOKEN: 'nobody-knows-this-token' },
    says: /check PRESAGE_ADMIN_TOKEN/,
  },
  { case: 'no server', args: ['instances'], env: { PRESAGE_URL: 'http://127.0.0.1:9' }, says: /is the server running/ },
  { case: 'a file that is not there', args: ['init', 'no-such-file.md'], says: /no-such-file[.]md cannot be read/ },
  {
    case: 'a wrong setting of the service, which starts without a command',
    args: [],
    env: { PORT: 'http' },
    says: /PORT/,
  },
  { case: 'no such command', args: ['forget'], says: /unknown command 'forget'/ },
  {
    case: 'a wrong setting of a server, asked for as JSON',
    args: ['worker', '--json'],
    env: { PORT: 'http' },
    says: /^[{]"error":[{]"code":"failed","message":".*PORT/,
  },
  {
    case: 'no server to hand MCP on to, asked for as JSON',
    args: ['mcp', '--json'],
    env: { PRESAGE_URL: '', XDG_CONFIG_HOME: 'nowhere' },
    says: /^[{]"error":[{]"code":"failed","message":"no server was started from this folder.*PRESAGE_URL and PRESAGE_KEY/,
  },
])('$case is told so that one can act on it', async ({ args, env, says }) => {
  const { code, err } = await run(args, env);
  expect(code).toBe(1);
  expect(err).toMatch(says);
  expect(err).not.toMatch(/ at .*[.]js:/);
});

test('what somebody said is shown to whoever lists it, and their terminal does not obey it', async () => {
  const { key } = await server.world.instance();
  await server
    .agentWith(key)
    .remembers('Bell: \u001b]0;title\u0007, erased: \u009b2J, over: \rOK, turned: \u202eevil\u2069', {
      user_id: 'ada',
      verbatim: true,
    });
  const more = { PRESAGE_KEY: key };
  const { out } = await run(['memories', 'list'], more);
  expect(out).toContain(String.raw`Bell: \u001b]0;title\u0007, erased: \u009b2J`);
  expect(out).toContain(String.raw`turned: \u202eevil\u2069`);
  for (const shown of [out, (await run(['memories', 'list', '--json'], more)).out])
    expect(shown).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
});
