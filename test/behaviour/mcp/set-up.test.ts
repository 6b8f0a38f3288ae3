import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { memoryTools } from '../../../src/transports/mcp/server.ts';
import { openDoors } from '../../support/open-doors.ts';

/** What docs/clients/mcp.md tells people to paste leads to their memory: with the address and key of this test in place. */
const doors = openDoors();
const presage = fileURLToPath(new URL('../../../dist/cli/presage.js', import.meta.url));

interface SetUp {
  readonly name: string;
  readonly url?: string;
  readonly authorization?: string;
  readonly command?: readonly string[];
}
interface ServerEntry {
  readonly url?: string;
  readonly headers?: { readonly Authorization: string };
  readonly command?: string;
  readonly args?: readonly string[];
}

const guide = readFileSync(new URL('../../../docs/clients/mcp.md', import.meta.url), 'utf8');
const setUps: readonly SetUp[] = [...guide.matchAll(/^```(sh|json)\n([^]*?)^```/gm)].map(([, language, text]) => {
  const name = guide.slice(0, guide.indexOf(text!)).match(/.*\*\*(.+?)\*\*/s)![1]!;
  return language === 'json' ? ofJson(name, text!) : ofCommand(name, text!);
});

function ofJson(name: string, text: string): SetUp {
  const { servers, mcpServers } = JSON.parse(text) as Record<string, Record<string, ServerEntry>>;
  const { url, headers, command, args = [] } = (servers ?? mcpServers)!['presage']!;
  return url ? { name, url, authorization: headers!.Authorization } : { name, command: [command!, ...args] };
}

function ofCommand(name: string, text: string): SetUp {
  const [, started] = text.match(/^claude mcp add presage -- (.*)$/m) ?? [];
  if (started) return { name, command: started.split(' ') };
  const [, url, authorization] = text.match(
    /^claude mcp add --transport http presage "(.+?)" --header "Authorization: (.+?)"$/m,
  )!;
  return { name, url: url!, authorization: authorization! };
}

test('each assistant of the guide has its set-up', () => {
  const names = setUps.map(({ name }) => name);
  expect(names).toEqual(['Claude Code', 'Claude Code', 'Cursor', 'VS Code', 'Claude Desktop']);
});

test.each(setUps)('$name, $url $command', async ({ url, authorization, command }) => {
  const { key } = await doors.world.instance();
  const client = new Client({ name: 'assistant', version: '1.0.0' });
  await client.connect(url ? overHttp({ url, authorization: authorization! }, key) : overPipes(command!, key));
  const { tools: listed } = await client.listTools();
  expect(listed.map(({ name }) => name)).toEqual(memoryTools.map(({ name }) => name));
  for (const { inputSchema } of listed) expect(inputSchema.properties).not.toHaveProperty('user_id');
  const { structuredContent } = await client.callTool({ name: 'remember', arguments: { text: 'I like tea.' } });
  expect(structuredContent).toMatchObject({ memories: [{ user_id: 'me', content: 'I like tea.' }] });
  await client.close();
});

function overHttp({ url, authorization }: { url: string; authorization: string }, key: string) {
  const { pathname, search } = new URL(url);
  const filled = authorization.replace(/\$(?:PRESAGE_KEY|\{env:PRESAGE_KEY\}|\{input:presage-key\})/, key);
  expect(filled).toBe(`Bearer ${key}`);
  return new StreamableHTTPClientTransport(new URL(`${pathname}${search}`, doors.baseUrl), {
    requestInit: { headers: { authorization: filled } },
  });
}

/** The command of this checkout, in the place of the package that npx would run, on a machine where one server was started. */
function overPipes([npx, name, ...words]: readonly string[], key: string) {
  expect([npx, name]).toEqual(['npx', '@presage-memory/server']);
  const machine = mkdtempSync(join(tmpdir(), 'presage-machine-'));
  onTestFinished(() => rmSync(machine, { recursive: true, force: true }));
  mkdirSync(join(machine, 'presage', 'own'), { recursive: true });
  const credentials = JSON.stringify({ base_url: doors.baseUrl, api_key: key });
  writeFileSync(join(machine, 'presage', 'own', 'credentials.json'), credentials);
  return new StdioClientTransport({
    command: process.execPath,
    args: [presage, ...words],
    cwd: machine, // where the assistant runs, and no server was started
    env: { XDG_CONFIG_HOME: machine },
    stderr: 'pipe',
  });
}
