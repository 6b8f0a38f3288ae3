import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../scripts/weaviate.sh', import.meta.url));
const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');

/** `npm run test:weaviate` sees to it that there is one; `npm test` needs nothing but Node. */
export const isWanted = process.env['TEST_WEAVIATE'] === '1';

if (!isWanted) {
  // oxlint-disable-next-line no-console -- a backend that is left out is said aloud
  console.warn('its tests on Weaviate are NOT run here: npm run test:weaviate builds a real one and runs them');
}

/** A real Weaviate of the test's own: loopback, free ports, a folder that goes with it. */
export interface WeaviateServer {
  readonly pid: number;
  readonly variables: { WEAVIATE_URL: string; WEAVIATE_GRPC_URL: string; WEAVIATE_API_KEY: string };
  /** Not answering, as a machine that swaps; and answering again. */
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
  /** Again on the same ports and data. */
  restart(): void;
  /** Of its data and its log. */
  readonly folder: string;
  /** As its operator stops it; the folder stays. */
  end(): void;
  stop(): void;
}

const apiKey = 'a key of the tests';

export function startWeaviate(): WeaviateServer {
  const folder = mkdtempSync(join(tmpdir(), 'presage-weaviate-'));
  let { url, grpcUrl, pid } = start(folder, '0', '0');
  const [http, grpc] = [new URL(url).port, new URL(grpcUrl).port];
  const end = () => {
    if (isAlive(pid)) run('stop', String(pid));
  };
  return {
    get pid() {
      return pid;
    },
    variables: { WEAVIATE_URL: url, WEAVIATE_GRPC_URL: grpcUrl, WEAVIATE_API_KEY: apiKey },
    freeze: () => void process.kill(pid, 'SIGSTOP'),
    thaw: () => void process.kill(pid, 'SIGCONT'),
    async kill() {
      process.kill(pid, 'SIGKILL');
      while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    restart() {
      ({ pid } = start(folder, http, grpc));
    },
    folder,
    end,
    stop() {
      end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function start(folder: string, http: string, grpc: string) {
  const said = run('start', folder, http, grpc);
  const [, url, grpcUrl, pid] = /WEAVIATE_URL=(\S+) WEAVIATE_GRPC_URL=(\S+) PID=(\d+)/.exec(said)!;
  return { url: url!, grpcUrl: grpcUrl!, pid: Number(pid) };
}

function run(...args: string[]): string {
  const environment = { PATH: process.env['PATH'], HOME: homedir(), XDG_CACHE_HOME: cache, WEAVIATE_API_KEY: apiKey };
  const { status, stdout, stderr } = spawnSync(script, args, { env: environment, encoding: 'utf8' });
  if (status !== 0) throw new Error(`weaviate.sh ${args[0]}: ${stderr}`);
  return stdout;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
