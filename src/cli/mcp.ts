import type { Command } from 'commander';
import { readServerSettings } from './server-settings.ts';

/** `presage mcp`: for clients of the Model Context Protocol that start a program and talk to it over its pipes. */
export function addMcpCommand(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('mcp')
    .description('serve the Model Context Protocol on standard input and output, for the running server’s memories')
    .option('--user <id>', 'whose memory it is; the tools then take no other')
    .option('--customer <id>', 'the customer (an organisation) of the user')
    .action(async ({ user, customer }: { user?: string; customer?: string }) => {
      const { url, key } = readServerSettings(environment, ['url', 'key']);
      const endpoint = new URL(`${url}/mcp`);
      if (user) endpoint.searchParams.set('user_id', user);
      if (customer) endpoint.searchParams.set('customer_id', customer);
      const [{ StdioServerTransport }, { bridgeToServer }] = await Promise.all([
        import('@modelcontextprotocol/server/stdio'),
        import('./mcp-bridge.ts'),
      ]);
      const transport = new StdioServerTransport();
      bridgeToServer(transport, endpoint, { key });
      await transport.start();
    });
}
