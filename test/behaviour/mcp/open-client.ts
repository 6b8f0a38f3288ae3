import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Doors } from '../../support/open-doors.ts';

const presage = fileURLToPath(new URL('../../../dist/cli/presage.js', import.meta.url));

/** The two eras of the protocol: agreed on at the start of a session, or told with each request. */
export const eras = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof eras)[number];
export const transports = ['HTTP', 'stdio'] as const;

export interface Place {
  readonly transport: (typeof transports)[number];
  readonly era: Era;
  readonly credential: string;
  readonly user?: string;
  readonly customer?: string;
}

/** The official client, connected to the doors of a test as `claude mcp add` would connect it. */
export async function openClient(doors: Doors, { transport, era, credential, user, customer }: Place) {
  const mode = era === '2026-07-28' ? { pin: era } : ('legacy' as const);
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  if (transport === 'HTTP') {
    const url = new URL('/mcp', doors.baseUrl);
    if (user) url.searchParams.set('user_id', user);
    if (customer) url.searchParams.set('customer_id', customer);
    await client.connect(
      new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${credential}` } } }),
    );
  } else {
    const about = [...(user ? ['--user', user] : []), ...(customer ? ['--customer', customer] : [])];
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [presage, 'mcp', ...about],
        env: { PRESAGE_URL: doors.baseUrl, PRESAGE_KEY: credential },
        stderr: 'pipe',
      }),
    );
  }
  return {
    client,
    /** What a tool answers. Throws what it refuses with. */
    async call<T = any>(name: string, given: Record<string, unknown> = {}): Promise<T> {
      const result = await client.callTool({ name, arguments: given });
      const [text] = result.content as { type: string; text: string }[];
      if (result.isError) throw new Error(text!.text);
      return result.structuredContent as T;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
