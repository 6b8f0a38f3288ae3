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

/** The real service, in a process and a folder of its own. `environment`: settings of the process. */
export async function startService(environment: Readonly<Record<string, string>> = {}): Promise<Service> {
  const { told, ask, stop } = await startScript<Pick<Service, 'url' | 'grpc' | 'key'>>('service', [], environment);
  return {
    ...told,
    stop,
    kill: async () => void (await ask('kill')),
    start: async () => void (await ask('start')),
  };
}

export interface FailingFront {
  readonly url: string;
  /** `busy N`, `unavailable MS`; resolves with how many requests it has failed. */
  tell(command: string): Promise<number>;
  stop(): Promise<void>;
}

/** What stands before the service and fails as told. */
export async function failingFront(target: string): Promise<FailingFront> {
  const { told, ask, stop } = await startScript<{ url: string }>('failing-front', [target]);
  return { ...told, stop, tell: async (command) => ((await ask(command)) as { failed: number }).failed };
}

/** A script of clients/support, which tells where it is, answers each line with a line, and ends with its input. */
async function startScript<Told>(name: string, words: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const script = fileURLToPath(new URL(`../../../support/${name}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [script, ...words], {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? 'null') as unknown;
  const told = (await next()) as Told;
  return {
    told,
    async ask(line: string) {
      child.stdin.write(`${line}\n`);
      return next();
    },
    async stop() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
