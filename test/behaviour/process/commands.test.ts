import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Command } from 'commander';
import { openPglite } from '../../../src/db/pglite.ts';
import { archiveMemories } from '../../../src/domain/memories/archive.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { runCommandLine } from '../../../src/cli/run-command-line.ts';
import { newAdminToken } from '../rest/open-server.ts';
import { pdfWithLines } from '../../support/files.ts';
import { openDoors } from '../../support/open-doors.ts';
import { later, old } from '../../support/doubtful-update.ts';
import { day } from '../../support/person.ts';
import { openReceiver } from '../../support/webhook-receiver.ts';

/** Every command against a running service, as `presage` runs it, in this process. */
const doors = openDoors();
let folder: string;
let adminToken: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'presage-commands-'));
  adminToken = await newAdminToken(doors.world, 'owner');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The names of all commands but those that serve until they are stopped, such as `memories list`. */
const allCommands = leavesOf(createProgram({}, () => undefined)).filter(
  (name) => !['all', 'api', 'stream', 'worker', 'mcp'].includes(name),
);
function leavesOf(command: Command, group = ''): string[] {
  return command.commands.flatMap((each) =>
    each.commands.length ? leavesOf(each, `${group}${each.name()} `) : [`${group}${each.name()}`],
  );
}

/** The commands whose answer, and whose refusal, was read as JSON. */
const answered = new Set<string>();
const refusedOnce = new Set<string>();
function note(seen: Set<string>, words: readonly string[]): void {
  const name = allCommands.find((each) => `${words.join(' ')} `.startsWith(`${each} `));
  if (name) seen.add(name);
}

/** A person at a new instance, with its key and an administrator's token; `others` replaces variables of theirs. */
async function operator(others: Record<string, string> = {}) {
  const instance = await doors.world.instance();
  const { id } = instance;
  const variables = {
    PRESAGE_URL: doors.baseUrl,
    PRESAGE_GRPC: doors.grpcAddress,
    PRESAGE_KEY: instance.key,
    PRESAGE_ADMIN_TOKEN: adminToken,
    PRESAGE_INSTANCE: id,
    PRESAGE_DATA_DIR: folder,
    XDG_CONFIG_HOME: folder,
    ...others,
  };
  const run = async (...words: string[]): Promise<Ran> => {
    const said = { out: '', err: '' };
    const code = await runCommandLine(words, variables, {
      out: (text) => void (said.out += `${text}\n`),
      err: (text) => void (said.err += `${text}\n`),
    });
    return { code, ...said };
  };
  return {
    id,
    instance,
    run,
    /** What a command answers with `--json`. */
    async json(...words: string[]): Promise<any> {
      const { code, out, err } = await run(...words, '--json');
      expect({ words, code, err }).toEqual({ words, code: 0, err: '' });
      note(answered, words);
      return JSON.parse(out);
    },
    /** What a command fails with, with `--json`. */
    async refused(...words: string[]): Promise<{ code: string; message: string; errors?: { field: string }[] }> {
      const { code, out, err } = await run(...words, '--json');
      expect({ words, code, out }).toEqual({ words, code: 1, out: '' });
      note(refusedOnce, words);
      return JSON.parse(err).error;
    },
  };
}

test('a text is remembered, recalled, listed, shown and forgotten', async () => {
  const { run, json } = await operator();
  const remembered = await json('remember', 'I am allergic to peanuts.', '--user', 'ada');
  expect(remembered).toMatchObject({ status: 'completed', memories: [{ user_id: 'ada' }, { user_id: 'ada' }] });
  const recalled = await json('recall', 'What', 'must', 'Ada', 'not', 'eat?', '--user', 'ada');
  const { id } = recalled.memories[0];
  expect(recalled.memories[0].content).toBe('I am allergic to peanuts.');
  expect((await run('recall', 'peanuts', '--user', 'ada', '--prompt')).out).toContain(id);
  expect((await json('memories', 'list', '--user', 'ada', '--type', 'facts')).data).toMatchObject([{ id }]);
  expect((await json('memories', '--user', 'ada', '--type', 'facts')).data).toMatchObject([{ id }]);
  expect((await run('memories', 'list', '--limit', '1')).out).toMatch(/^memory .*\nmem_.*\nThere are more/);
  expect((await run('memories', 'show', id)).out).toMatch(
    /^I am allergic to peanuts[.]\n\n.* is active: facts, health[^]* said by user, /,
  );
  const bySpeaker = async (who: string) => (await json('memories', 'list', '--provenance', who)).data;
  expect([(await bySpeaker('user')).length, await bySpeaker('assistant')]).toEqual([2, []]);
  const byTool = ['recall', 'peanuts', '--user', 'ada', '--provenance', 'assistant', 'tool'];
  expect(await json(...byTool)).toMatchObject({ memories: [] });

  expect(await json('memories', 'correct', id, 'I', 'am', 'allergic', 'to', 'walnuts.')).toMatchObject({ id });
  expect((await run('memories', 'show', id)).out).toMatch(/^I am allergic to walnuts[.]\n/);
  const retyped = ['--type', 'temporal_events', '--event-start', '2026-06-01', '--reason', 'Said in June.'];
  const event = { id, type: 'temporal_events', event_start: '2026-06-01T00:00:00.000Z' };
  expect(await json('memories', 'correct', id, ...retyped)).toMatchObject(event);
  expect(await json('memories', 'correct', id, '--event-start', 'none')).toMatchObject({ event_start: null });
  const asked = await run('memories', 'forget', id);
  expect(asked).toMatchObject({ code: 1, err: expect.stringContaining('with --yes to confirm') });
  expect(await json('memories', 'show', id)).toMatchObject({ status: 'active' });
  const forgotten = await json('memories', 'forget', id, '--cascade', '--yes');
  expect(forgotten.receipt.memory_ids).toContain(id);
  expect((await run('recall', 'walnuts', '--user', 'ada')).out).toBe('Nothing is remembered that bears on it.\n');
});

test('a replacement is decided and taken back, and an archived memory is restored', async () => {
  const { instance, run, json } = await operator();
  await json('remember', old, '--user', 'ada', '--said-at', '2026-01-06');
  await json('remember', later, '--user', 'ada', '--said-at', '2026-01-14');
  const outdated = async () => (await json('memories', '--type', 'temporal_events', '--possibly-outdated')).data;
  const [{ id, possibly_outdated_by: newer }] = await outdated();
  const shown = async () => (await run('memories', 'show', id)).out;
  expect(await shown()).toContain(`possibly outdated by ${newer}: "${later}"`);
  expect(await json('memories', 'confirm-outdated', id)).toMatchObject({ superseded_by: newer });
  expect(await shown()).toContain(`replaced by ${newer}: "${later}"`);
  expect(await json('memories', 'undo-supersede', id)).toMatchObject({ status: 'active' });
  expect(await shown()).toContain(`${id} is active`);
  expect(await outdated()).toEqual([]);

  await json('remember', old, '--user', 'bob', '--said-at', '2026-01-06');
  await json('remember', later, '--user', 'bob', '--said-at', '2026-01-14');
  const [doubted] = await outdated();
  expect(await json('memories', 'reject-outdated', doubted.id)).toMatchObject({ possibly_outdated_by: null });

  const { deps } = doors.world;
  const [row] = await deps.db.memory.findMany({ where: { instanceNumber: instance.access.instanceNumber }, take: 1 });
  await archiveMemories(deps, instance.access, { ownerNo: row!.ownerNo, ids: [row!.id] });
  const [{ id: archived }] = (await json('memories', 'list', '--status', 'archived')).data;
  expect(await json('memories', 'restore', archived)).toMatchObject({ status: 'active' });
});

test('a file is remembered, and what is accepted need not be waited for', async () => {
  const { json, refused } = await operator();
  const file = join(folder, 'note.txt');
  await writeFile(file, 'I moved to York.');
  const told = await json('remember', '--file', file, '--user', 'ada', '--document-id', 'note-1', '--no-wait');
  expect(told).toMatchObject({ document_id: 'note-1', status: 'queued' });
  const again = await refused('remember', 'I moved.', '--user', 'ada', '--document-id', 'note-1');
  expect(again).toMatchObject({ code: 'duplicate_document' });
});

test('a PDF is remembered by its text, a document is replaced, and a text is kept word for word', async () => {
  const { run, json, refused } = await operator();
  const pdf = join(folder, 'passport.pdf');
  await writeFile(pdf, pdfWithLines(['My passport is in the green drawer.']));
  const named = ['--user', 'ada', '--document-id', 'passport'];
  await run('remember', '--file', pdf, ...named);
  expect((await run('recall', 'Where is my passport?', '--user', 'ada')).out).toContain('green drawer');
  const words = 'My passport is in the safe.\nThe safe is in the cellar.';
  const kept = await json('remember', words, '--verbatim', '--replace', ...named);
  expect(kept.memories.map(({ content }: { content: string }) => content)).toEqual([words]);
  expect((await json('memories', 'list', '--user', 'ada', '--status', 'active')).data).toHaveLength(1);
  const picture = join(folder, 'a.png');
  await writeFile(picture, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]));
  expect(await refused('remember', '--file', picture, '--user', 'ada')).toMatchObject({
    code: 'unsupported_media_type',
  });
});

test('a text that is kept word for word is found by its metadata', async () => {
  const { run, json, refused } = await operator();
  for (const [thread, said] of Object.entries({ 't-1': 'I own a kayak.', 't-2': 'I own a canoe.' }))
    await run('remember', said, '--verbatim', '--user', 'ada', '--metadata', `thread=${thread}`, '--metadata', 'a=b');
  const ofThread = ['--user', 'ada', '--metadata', 'thread=t-2'];
  const contents = ({ data }: { data: { content: string }[] }) => new Set(data.map(({ content }) => content));
  expect(contents(await json('memories', 'list', ...ofThread))).toEqual(new Set(['I own a canoe.']));
  expect((await run('recall', 'What do I own?', ...ofThread)).out).not.toContain('kayak');
  expect(await refused('recall', 'What do I own?', '--metadata', 'thread')).toMatchObject({ code: 'invalid_command' });
});

test('users are listed, shown, exported and forgotten', async () => {
  const { run, json, refused } = await operator();
  await run('remember', 'I own a kayak.', '--user', 'ada');
  expect((await json('users', 'list')).data).toMatchObject([{ userId: 'ada', memoryCounts: { active: 2 } }]);
  expect((await run('users', 'list')).out).toMatch(/^user +memories +last active\nada +2 /);
  expect(await json('users', 'show', 'ada')).toMatchObject({ userId: 'ada', memoryCounts: { active: 2 } });
  expect((await run('users', 'show', 'ada')).out).toContain('memories: 2 active, 0 superseded, 0 archived');
  expect(await json('users', 'profile', 'ada')).toMatchObject({ recent: expect.any(Array), text: expect.any(String) });
  expect((await run('users', 'profile', 'ada')).out).toContain('<recent>');
  const output = join(folder, 'ada.jsonl');
  expect(await json('users', 'export', 'ada', '--output', output)).toEqual({ user_id: 'ada', output, lines: 2 });
  const lines = (await readFile(output, 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toHaveLength(2);
  expect((await stat(output)).mode & 0o777).toBe(0o600);
  expect((await run('users', 'forget', 'ada')).err).toMatch(/Forget everything of the user "ada".*\nNothing was done/);
  expect((await json('users', 'forget', 'ada', '--yes')).receipt.memory_ids).toHaveLength(2);
  expect(await refused('users', 'show', 'ada')).toMatchObject({ code: 'not_found' });
});

test('customers and documents are forgotten, and the receipt is shown again', async () => {
  const { run, json, refused } = await operator();
  await run('remember', 'I own a kayak.', '--user', 'ada', '--customer', 'acme');
  await run('remember', 'I own a piano.', '--user', 'ada', '--document-id', 'note-1');
  expect((await run('documents', 'forget', 'note-1')).err).toMatch(/Forget the document "note-1".*\nNothing was done/);
  const { receipt } = await json('documents', 'forget', 'note-1', '--yes');
  expect(receipt.document_ids).toHaveLength(1);
  expect(await json('receipt', receipt.receipt_id)).toEqual(receipt);
  expect((await run('receipt', receipt.receipt_id)).out).toContain('documents 1. Receipt: rcp_');
  expect((await json('customers', 'forget', 'acme', '--yes')).receipt.document_ids).toHaveLength(1);
  expect(await refused('users', 'show', 'ada', '--customer', 'acme')).toMatchObject({ code: 'not_found' });
});

test('users and conversations are listed beyond a page', async () => {
  const { instance, json } = await operator();
  const names = Array.from({ length: 103 }, (_, n) => `user-${String(n).padStart(3, '0')}`);
  await Promise.all(
    names.map((user) =>
      doors.send(instance.key, 'POST', '/v1/conversations', { conversation_id: `of-${user}`, user_id: user }),
    ),
  );
  const users = await json('users', 'list', '--limit', '101');
  expect(users).toMatchObject({ data: { length: 101 }, has_more: true });
  const conversations = await json('conversations', 'list', '--limit', '200');
  expect(conversations).toMatchObject({ data: { length: 103 }, has_more: false });
});

test('conversations are listed, shown and compacted', async () => {
  const { instance, run, json } = await operator();
  const message = { role: 'user', content: 'Always answer me in French.', user_id: 'ada' };
  expect((await doors.send(instance.key, 'POST', '/v1/conversations/call-1/messages', message)).status).toBe(201);
  const { data } = await json('conversations', 'list', '--user', 'ada');
  expect(data).toMatchObject([{ externalId: 'call-1', userId: 'ada' }]);
  expect((await run('conversations', 'list')).out).toMatch(/^conversation .*\ncall-1 +ada /);
  expect(await json('conversations', 'show', 'call-1')).toMatchObject({ conversation_id: data[0].id });
  const compacted = await json('compact', 'call-1', '--strategy', 'balanced');
  expect(compacted.system_prompt).toContain('Always answer me in French.');
  expect((await run('compact', 'call-1')).out).toMatch(/Always answer me in French[^]* tokens, score 1\n$/);
});

test('usage and stats tell what an instance was used for, and holds', async () => {
  const { id, run, json } = await operator();
  await run('remember', 'I own a kayak.', '--user', 'ada');
  const usage = { month: expect.stringMatching(/^\d{4}-\d\d$/), api_calls: expect.any(Number), tokens: [] };
  expect(await json('usage')).toMatchObject(usage);
  expect((await run('usage')).out).toMatch(/^\d{4}-\d\d +how much\nAPI calls +\d+\n/);
  expect(await json('usage', '--month', '2020-01')).toMatchObject({ month: '2020-01', api_calls: 0 });
  const stats = { instance_id: id, memories: { active: 2 }, users: 1, operations: expect.any(Array) };
  expect(await json('stats')).toMatchObject(stats);
  const told = (await run('stats')).out;
  expect(told).toMatch(/^memories +2 active, 0 superseded, 0 archived$/m);
  expect(told).toMatch(/^(?:call +variant +count|Nothing was called)/m);
  const explained = () => run('stats').then(({ out }) => out);
  await expect.poll(explained).toMatch(/^The variant of ingest: .*`long-range` also across turns/m);
});

test('a webhook is made, tested, read back, given another secret, disabled and deleted', async () => {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  const { run, json } = await operator();
  expect((await run('webhooks', 'list')).out).toBe('There is no webhook yet.\n');
  const events = ['--events', 'conversation.started', 'config.applied'];
  const made = await json('webhooks', 'create', receiver.url, ...events, '--description', 'billing');
  expect(made).toMatchObject({ secret: expect.stringMatching(/^whsec_/), description: 'billing', state: 'active' });
  const { webhook_id: id, secret } = made;
  const listed = await run('webhooks', 'list');
  expect(listed.out).toMatch(new RegExp(`^${id} +active +conversation.started,config.applied +http`, 'm'));
  expect(listed.out).not.toContain(secret);
  expect((await json('webhooks', 'list')).data).toMatchObject([{ webhook_id: id }]);

  expect((await run('webhooks', 'deliveries', id)).out).toBe('Nothing was sent to it yet.\n');
  const sent = await json('webhooks', 'test', id);
  const last = async () => (await json('webhooks', 'deliveries', id, '--state', 'delivered')).data;
  await expect.poll(last).toMatchObject([{ delivery_id: sent.delivery_id, event_type: 'webhook.test' }]);
  expect((await run('webhooks', 'deliveries', id)).out).toMatch(/^dlv_\w+ +\S+ +webhook[.]test +delivered +1 +204$/m);
  expect(await json('webhooks', 'redeliver', sent.delivery_id)).toMatchObject({ delivery_id: sent.delivery_id });
  await expect.poll(() => receiver.received.length).toBe(2);

  const rotated = await run('webhooks', 'rotate', id);
  expect(rotated.out).toMatch(/^whsec_.+\n.* the previous secret signs until \d{4}-/);
  expect(await json('webhooks', 'rotate', id)).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
  expect(await json('webhooks', 'disable', id)).toMatchObject({ webhook_id: id, state: 'disabled' });
  expect((await run('webhooks', 'list')).out).toMatch(/ disabled [(]by_hand[)] /);
  expect(await json('webhooks', 'enable', id)).toMatchObject({ state: 'active' });
  expect(await run('webhooks', 'delete', id)).toMatchObject({
    code: 1,
    err: expect.stringContaining('with --yes to confirm'),
  });
  expect(await json('webhooks', 'delete', id, '--yes')).toMatchObject({ webhook_id: id });
  expect((await json('webhooks', 'list')).data).toEqual([]);
});

test('an instance is suspended, resumed, and purged by who says so', async () => {
  const { id, run, json, refused } = await operator();
  expect((await run('instances')).out).toContain(id);
  expect((await json('instances', 'list')).data).toContainEqual(expect.objectContaining({ instance_id: id }));
  expect(await json('instances', 'suspend', id)).toMatchObject({ instance_id: id, state: 'suspended' });
  expect(await refused('users', 'list')).toMatchObject({ code: 'forbidden' });
  expect(await json('instances', 'resume', id)).toMatchObject({ instance_id: id, state: 'active' });
  expect(await refused('instances', 'resume', id)).toMatchObject({ code: 'conflict' });
  expect((await run('instances', 'purge', id)).err).toMatch(/with 0 memories[?] Nothing brings it back/);
  expect(await json('instances', 'purge', id, '--yes')).toMatchObject({ instance_id: id });
});

test('a version that keeps memories for less long is put in force by who says so', async () => {
  const { run, json } = await operator();
  const remember = () => run('remember', 'I own a kayak.', '--user', 'ada');
  await remember();
  expect(await json('config', 'draft', 'docs/use-cases/clinic.md')).toMatchObject({ version: 2, state: 'draft' });
  expect(await json('config', 'diff')).toMatchObject({ from: 1, to: 2, text: expect.stringContaining('retention') });
  expect(await run('config', 'apply', '2')).toMatchObject({ code: 0, out: '2.0.0 is active\n' }); // keeps for longer
  await run('config', 'draft', 'docs/use-cases/shop.md');
  const asked = await run('config', 'apply', '3');
  expect(asked).toMatchObject({ code: 1, out: '' });
  expect(asked.err).toMatch(/from \d+ days [(]then archive[)] to \d+ days [(]then evict[)]/);
  expect(asked.err).toMatch(/The next hourly sweep: 0 memories removed for good/);
  expect(await json('config', 'show')).toMatchObject({ version: 2 });
  expect(await json('config', 'apply', '3', '--yes')).toMatchObject({ version: 3, state: 'active' });
  expect(await json('config', 'rollback')).toMatchObject({ version: 4, state: 'active', restored_version: 2 });
  expect((await json('config', 'list')).data).toHaveLength(4);
  expect(await json('retention', '--dry-run')).toMatchObject({ data: [], on_expiry: 'archive' });
  expect((await run('retention', '--dry-run')).out).toMatch(
    /is kept for \d+ days [(]retention[.]base_days[)] after its/,
  );
});

test('a file that no setting follows from is said to be so, and a draft is put in force by the command that is told', async () => {
  const { run } = await operator();
  const file = join(folder, 'hello.md');
  await writeFile(file, 'hello');
  const told = (await run('init', file, '--draft')).out;
  expect(told).toContain('From the file: nothing. All settings are the defaults.');
  expect(told).toContain('"Keep it for two years."');
  const [, id, key] = told.match(/PRESAGE_INSTANCE=(\S+) PRESAGE_KEY=(\S+)/)!;
  const [, next] = told.match(/presage (config apply 2)$/m)!;
  const there = await operator({ PRESAGE_INSTANCE: id!, PRESAGE_KEY: key! });
  expect((await there.run('memories')).err).toContain('provisioning');
  expect((await there.run(...next!.split(' '))).out).toBe('2.0.0 is active\n');
  expect((await there.run('memories')).code).toBe(0);
});

test('a client, an instance and a key are made, and a key is listed and revoked', async () => {
  const { json } = await operator();
  const made = await json('init', 'docs/use-cases/shop.md', '--client', 'Fern Street', '--name', 'shop');
  expect(made).toMatchObject({ instance_id: expect.stringMatching(/^inst_/), state: 'completed' });
  const ofIt = ['--instance', made.instance_id];
  const key = await json('keys', 'create', '--label', 'agent', ...ofIt);
  expect((await json('keys', 'list', ...ofIt)).data).toContainEqual(
    expect.objectContaining({ key_id: key.key_id, label: 'agent' }),
  );
  expect(await json('keys', 'revoke', key.key_id, ...ofIt)).toMatchObject({ revoked_at: expect.any(String) });
});

test('where there are several instances, the one of the key is meant', async () => {
  await doors.world.instance();
  const { id, json } = await operator({ PRESAGE_INSTANCE: '' });
  expect(await json('stats')).toMatchObject({ instance_id: id });
  expect((await json('keys', 'list')).data).toHaveLength(1);
  expect((await json('dashboard')).url).toContain(`/dashboard/open?instance=${id}#`);
});

test('a link into the dashboard is made with the admin token', async () => {
  const { json } = await operator();
  const { url, expires_at: until } = await json('dashboard');
  expect(url).toMatch(new RegExp(`^${doors.baseUrl}/dashboard/open[?]instance=inst_\\w+#`));
  expect(Date.parse(until)).toBeGreaterThan(Date.now());
});

test('the doctor finds nothing wrong with a service that works, and says what is', async () => {
  const { json, run } = await operator();
  const { ok, findings } = await json('doctor');
  expect(findings.filter(({ state }: { state: string }) => state === 'fail')).toEqual([]);
  expect(ok).toBe(true);
  expect(findings.map(({ check }: { check: string }) => check)).toEqual(
    ['address', 'version', 'health', 'database', 'clock', 'stream', 'key', 'admin token', 'model', 'vectors'].concat([
      'disk',
      'key files',
    ]),
  );
  expect((await run('doctor')).out).toMatch(/^key +ok +opens inst_/m);
});

test.each([
  {
    wrong: { PRESAGE_URL: 'http://127.0.0.1:1' },
    finds: { address: ['fail', 'cannot be reached'], model: ['skipped'] },
  },
  { wrong: { PRESAGE_URL: 'here' }, finds: { address: ['fail', 'PRESAGE_URL must be'], key: ['skipped'] } },
  { wrong: { PRESAGE_KEY: 'nothing' }, finds: { key: ['fail', 'check PRESAGE_KEY'], vectors: ['skipped'] } },
  {
    wrong: { PRESAGE_ADMIN_TOKEN: 'nobody-knows-this-token' },
    finds: { 'admin token': ['fail', 'check PRESAGE_ADMIN_TOKEN'] },
  },
  { wrong: { PRESAGE_GRPC: '127.0.0.1:1' }, finds: { stream: ['warn', 'serves no streams'] } },
])('the doctor finds what is wrong with $wrong', async ({ wrong, finds }) => {
  const { run } = await operator(wrong);
  const { code, out, err } = await run('doctor', '--json');
  const { ok, findings } = JSON.parse(out);
  for (const [check, [state, detail = '']] of Object.entries(finds))
    expect(findings).toContainEqual({ check, state, detail: expect.stringContaining(detail) });
  const isWell = !out.includes('"fail"');
  expect({ ok, code, err }).toEqual({ ok: isWell, code: isWell ? 0 : 1, err: '' });
  if (!isWell) refusedOnce.add('doctor'); // what is wrong is its answer
});

test('a document that failed is listed and tried again', async () => {
  const { instance, run, json } = await operator();
  expect((await run('ingestions', 'list')).out).toBe('There is no ingestion yet.\n');
  const { ingestion_id: id } = await json('remember', 'I keep ducks.', '--user', 'ada');
  expect((await run('ingestions', 'list', '--failed')).out).toBe('No ingestion failed.\n');
  const { instanceNumber } = instance.access;
  await doors.world.deps.db.ingestion.updateMany({
    where: { instanceNumber },
    data: { status: 'failed', error: 'no reason' },
  });
  expect((await json('ingestions', 'list', '--failed')).data).toMatchObject([{ id, error: 'no reason' }]);
  expect((await run('ingestions', 'list')).out).toMatch(new RegExp(`^${id} +doc_\\w+ +failed +\\S+ +no reason$`, 'm'));
  expect(await json('ingestions', 'retry', id)).toMatchObject({ ingestion_id: id, error: null });
  await doors.world.settle();
  expect((await run('ingestions', 'retry', id)).out).toBe(`${id} is completed\n`);
});

test('migrations are told, planned and applied without a server', { timeout: 120_000 }, async () => {
  const variables: Record<string, string> = { PRESAGE_DATA_DIR: join(folder, 'new') };
  const run = async (...words: string[]) => {
    const said: string[] = [];
    const write = (text: string) => void said.push(text);
    const code = await runCommandLine([...words, '--json'], variables, { out: write, err: write });
    note(code ? refusedOnce : answered, words);
    return { code, ...JSON.parse(said.join('\n')) };
  };
  const { migrations, pending } = await run('migrate', 'status');
  expect(pending).toBe(migrations.length);
  expect((await run('migrate', 'plan')).pending[0].sql).toContain('CREATE TABLE');
  expect((await run('migrate', 'apply')).error.message).toContain('with --yes to confirm');
  expect((await run('migrate', 'apply', '--yes')).applied).toHaveLength(pending);
  expect(await run('migrate', 'status')).toMatchObject({ code: 0, pending: 0 });
  const database = await openPglite(join(folder, 'new', 'postgres'));
  await database.pool.query(`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
    VALUES ('of tomorrow', '', '20990101000000_of_tomorrow', now())`);
  await database.close();
  for (const step of ['status', 'plan', 'apply']) {
    const said: string[] = [];
    const write = (text: string) => void said.push(text);
    expect(await runCommandLine(['migrate', step], variables, { out: write, err: write })).toBe(0);
    expect([step, ...said].join('\n')).toContain('A newer release migrated the database');
  }
  variables['DATABASE_URL'] = 'postgres://127.0.0.1/presage'; // which nobody opens without the master key
  for (const step of ['status', 'plan']) expect((await run('migrate', step)).error.message).toContain('MASTER_KEY');
});

test.each(['bash', 'zsh', 'fish'])('a shell is told the commands to complete: %s', async (shell) => {
  const { json } = await operator();
  expect(await json('completion', shell)).toEqual({ shell, script: expect.stringMatching(/memories[^]*forget/) });
});

test.each([
  { typed: ['memo'], completes: ['memories'] },
  { typed: ['memories', 'f'], completes: ['forget'] },
  { typed: ['memories', 'forget', 'mem_1', '--cas'], completes: ['--cascade'] },
  { typed: ['users', 'list', '--customer', 'acme', '--j'], completes: ['--json'] },
  { typed: ['completion', ''], completes: ['bash', 'fish', 'zsh'] },
])('bash completes $typed to $completes', async ({ typed, completes }) => {
  const { run } = await operator();
  const script = (await run('completion', 'bash')).out;
  const ask = 'COMP_WORDS=(presage "$@"); COMP_CWORD=$#; _presage; printf "%s\\n" "${COMPREPLY[@]}"';
  const told = execFileSync('bash', ['-c', `${script}\n${ask}`, 'bash', ...typed], { encoding: 'utf8' });
  const words = told.trim().split('\n');
  expect(words).toEqual(expect.arrayContaining(completes));
  if (typed.at(-1)) expect(words).toHaveLength(completes.length);
});

describe('bad input', () => {
  test.each([
    { words: ['memories', 'show', 'mem_nothing'], code: 'not_found' },
    { words: ['memories', 'list', '--type', 'feelings'], code: 'invalid_input', field: 'type' },
    { words: ['memories', 'list', '--limit', '0'], code: 'invalid_command' },
    { words: ['memories', 'forget', 'mem_nothing'], code: 'not_found' },
    { words: ['memories', 'correct', 'mem_nothing', 'tea'], code: 'not_found' },
    { words: ['memories', 'undo-supersede', 'mem_nothing'], code: 'not_found' },
    { words: ['memories', 'confirm-outdated', 'mem_nothing'], code: 'not_found' },
    { words: ['memories', 'reject-outdated', 'mem_nothing'], code: 'not_found' },
    { words: ['memories', 'restore', 'mem_nothing'], code: 'not_found' },
    { words: ['memories', 'undo', 'mem_nothing'], code: 'invalid_command' },
    { words: ['remember', 'I own a kayak.'], code: 'invalid_input' },
    { words: ['remember', 'tea', '--file', 'both'], code: 'failed' },
    { words: ['remember', '--file', 'no-such-file'], code: 'failed' },
    { words: ['remember', 'tea', '--user', 'ada', '--type', 'letter'], code: 'invalid_input', field: 'document_type' },
    { words: ['recall'], code: 'invalid_command' },
    { words: ['recall', 'tea', '--mode', 'slow'], code: 'invalid_input', field: 'mode' },
    { words: ['users', 'show', 'nobody'], code: 'not_found' },
    { words: ['users', 'profile', 'nobody'], code: 'not_found' },
    { words: ['users', 'forget', 'nobody', '--yes'], code: 'not_found' },
    { words: ['customers', 'forget', 'nobody', '--yes'], code: 'not_found' },
    { words: ['documents', 'forget', 'nothing', '--yes'], code: 'not_found' },
    { words: ['receipt', 'rcp_nothing'], code: 'not_found' },
    { words: ['conversations', 'show', 'none'], code: 'context_not_found' },
    { words: ['compact', 'none'], code: 'context_not_found' },
    { words: ['reviews', 'confirm', 'rev_nothing'], code: 'not_found' },
    { words: ['reviews', 'reject', 'rev_nothing'], code: 'not_found' },
    { words: ['instances', 'suspend', 'inst_0000000000000000'], code: 'not_found' },
    { words: ['instances', 'purge', 'inst_0000000000000000', '--yes'], code: 'not_found' },
    { words: ['config', 'apply', '9'], code: 'not_found' },
    { words: ['keys', 'revoke', 'key_nothing'], code: 'not_found' },
    { words: ['config', 'rollback', '--to', '9'], code: 'not_found' },
    { words: ['config', 'rollback'], code: 'conflict' },
    { words: ['usage', '--month', 'May'], code: 'invalid_input', field: 'month' },
    { words: ['webhooks', 'create', 'https://example.com/hooks'], code: 'invalid_command' },
    {
      words: ['webhooks', 'create', 'https://example.com/hooks', '--events', 'dinner'],
      code: 'invalid_input',
      field: 'event_types[0]',
    },
    { words: ['webhooks', 'create', 'nowhere', '--events', 'config.applied'], code: 'invalid_input', field: 'url' },
    { words: ['webhooks', 'test', 'wh_nothing'], code: 'not_found' },
    { words: ['webhooks', 'rotate', 'wh_nothing'], code: 'not_found' },
    { words: ['webhooks', 'enable', 'wh_nothing'], code: 'not_found' },
    { words: ['webhooks', 'delete', 'wh_nothing', '--yes'], code: 'not_found' },
    { words: ['webhooks', 'deliveries', 'wh_nothing'], code: 'not_found' },
    { words: ['webhooks', 'redeliver', 'dlv_nothing'], code: 'not_found' },
    { words: ['ingestions', 'list', '--limit', '0'], code: 'invalid_command' },
    { words: ['ingestions', 'retry', 'ing_nothing'], code: 'not_found' },
    { words: ['completion', 'cmd'], code: 'invalid_command' },
    { words: ['remembre', 'tea'], code: 'invalid_command' },
    { words: ['users'], code: 'invalid_command' },
    { words: ['users', 'list', '--limit', 'many'], code: 'invalid_command' },
    { words: ['users', 'export', 'nobody'], code: 'not_found' },
    { words: ['conversations', 'list', '--limit', '0'], code: 'invalid_command' },
    { words: ['reviews', 'list', '--limit', '0'], code: 'invalid_command' },
    { words: ['init', 'no-such-file.md'], code: 'failed' },
    { words: ['config', 'draft', 'no-such-file.md'], code: 'failed' },
    { words: ['config', 'list', '--instance', 'inst_0000000000000000'], code: 'not_found' },
    { words: ['config', 'show', '9'], code: 'not_found' },
    { words: ['config', 'diff', '--to', '9'], code: 'not_found' },
    { words: ['instances', 'resume', 'inst_0000000000000000'], code: 'not_found' },
    { words: ['keys', 'list', '--instance', 'inst_0000000000000000'], code: 'not_found' },
    { words: ['keys', 'create', '--label', ''], code: 'invalid_input', field: 'label' },
    { words: ['retention'], code: 'invalid_command' },
    { words: ['retention', '--dry-run', '--at', 'soon'], code: 'invalid_input', field: 'at' },
    { words: ['stats', '--instance', 'inst_0000000000000000'], code: 'not_found' },
    { words: ['webhooks', 'disable', 'wh_nothing'], code: 'not_found' },
  ])('$words is refused with $code', async ({ words, code, field }) => {
    const { refused } = await operator();
    const told = await refused(...words);
    expect(told).toMatchObject({ code, message: expect.stringMatching(/\w/) });
    if (field) expect(told.errors).toMatchObject([{ field }]);
  });
});

test.each([
  { words: ['instances', 'list'], without: 'PRESAGE_ADMIN_TOKEN' },
  { words: ['dashboard'], without: 'PRESAGE_ADMIN_TOKEN' },
  { words: ['webhooks', 'list'], without: 'PRESAGE_KEY' },
])('$words is refused without a $without that is known', async ({ words, without }) => {
  const { refused } = await operator({ [without]: 'nobody-knows-this-token' });
  expect(await refused(...words)).toMatchObject({ code: 'unauthenticated', message: expect.stringMatching(/\w/) });
});

describe('whoever typed a command wrongly is told what to do', () => {
  test.each([
    { words: ['remember', 'I own a kayak.'], says: /^presage: --user: name a --user or a --customer/ },
    { words: ['recall', 'tea', '--limit', '500', '--user', 'ada'], says: /^presage: --limit: must be 100 or less$/m },
    { words: ['recall', 'tea', '--type', 'feelings', '--user', 'ada'], says: /^presage: --type: must be "facts"/ },
    { words: ['recall', 'tea', '--provenance', 'me', '--user', 'ada'], says: /^presage: --provenance: must be "user"/ },
    { words: ['remember', ' ', '--user', 'ada'], says: /^presage: the text: must not be blank/ },
    { words: ['memories', 'show', 'mem_nothing'], says: /no such memory\n"presage memories list" shows/ },
    { words: ['users', 'show', 'nobody'], says: /no such user: nobody\n"presage users list" shows/ },
    { words: ['compact', 'none'], says: /\n"presage conversations list" shows/ },
    { words: ['memories', 'correct', 'mem_nothing'], says: /^presage: the text: is required, unless a type/ },
    { words: ['forget', 'mem_nothing'], says: /Is it "presage memories forget" or .*"presage users forget"/ },
    { words: ['memories', 'undo', 'mem_nothing'], says: /^error: unknown command 'undo'/ },
    { words: ['users'], says: /^ {2}list \[options\] +list users by their ids$/m },
  ])('$words', async ({ words, says }) => {
    const { run } = await operator();
    expect(await run(...words)).toMatchObject({ code: 1, out: '', err: expect.stringMatching(says) });
  });

  test.each([
    { others: { PRESAGE_URL: '', PRESAGE_KEY: '' }, says: /start one with .* or set PRESAGE_URL and PRESAGE_KEY$/ },
    { others: { PRESAGE_KEY: '' }, says: /^set PRESAGE_KEY for http/ },
    { others: { PRESAGE_URL: 'http://127.0.0.1:9' }, says: /cannot be reached .*: is the server running[?]/ },
  ])('with $others', async ({ others, says }) => {
    const { refused } = await operator(others);
    expect((await refused('recall', 'tea', '--user', 'ada')).message).toMatch(says);
  });

  test('with an address that does not serve TLS', async () => {
    const { refused } = await operator({ PRESAGE_URL: doors.baseUrl.replace('http', 'https') });
    const { message } = await refused('recall', 'tea', '--user', 'ada');
    expect(message).toMatch(/cannot be reached [(]ERR_SSL\w+[)]: does it serve https[?]/);
  });
});

test('the help of each command tells what it does and the options that all commands take', async () => {
  const { run } = await operator();
  expect((await run('--help')).out).toMatch(/^Remember and recall:\n[^]*^Examples:\n/m);
  for (const name of allCommands) {
    const { code, out } = await run(...name.split(' '), '--help');
    expect({ name, code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/^Global Options:\n[^]*--json/m) });
  }
});

test('pairs that may be one are listed, and a decision is told', async () => {
  const { instance, run, json } = await operator();
  expect((await json('reviews', 'list')).data).toEqual([]);
  expect((await run('reviews', 'list')).out).toBe('Nothing waits for a decision.\n');
  const [ada, bo] = [await doors.world.user('ada', instance), await doors.world.user('bo', instance)];
  for (const each of [ada, bo]) {
    await each.says('I met Odile Brandt at the harbour.', day(1));
    await each.says('Mrs. Brandt repaired the harmonium.', day(2));
  }
  const [one, other] = (await json('reviews', 'list')).data;
  expect(await json('reviews', 'confirm', one.review_id)).toMatchObject({ merge: { merge_id: expect.any(String) } });
  expect(await json('reviews', 'reject', other.review_id)).toMatchObject({ status: 'rejected' });
});

test('every command was answered, and refused, as JSON', () => {
  expect(allCommands.filter((name) => !answered.has(name))).toEqual([]);
  expect(allCommands.filter((name) => !refusedOnce.has(name))).toEqual([]);
  expect(allCommands.length).toBeGreaterThan(40);
});
