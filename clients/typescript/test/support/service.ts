import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Service {
  readonly url: string;
  readonly grpc: string;
  readonly key: string;
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The real service, in a process and a folder of its own. */
export async function startService(): Promise<Service> {
  const script = fileURLToPath(new URL('../../../support/service.mjs', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? 'null') as Pick<Service, 'url' | 'grpc' | 'key'>;
  const told = await next();
  const command = async (line: string) => {
    child.stdin.write(`${line}\n`);
    await next();
  };
  return {
    ...told,
    kill: () => command('kill'),
    start: () => command('start'),
    async stop() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
