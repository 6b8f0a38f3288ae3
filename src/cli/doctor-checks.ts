import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { readEnvironment } from '../environment.ts';
import { version } from '../version.ts';
import { unreachableError } from './api.ts';
import { readServerSettings } from './server-settings.ts';
import type { CommandSession } from './command-session.ts';

/** The result of a check. `warn`: it works, and should not stay so. */
export interface CheckResult {
  readonly state: 'ok' | 'warn' | 'fail';
  readonly detail: string;
}

interface Check {
  /** The check without which this one has nothing to look at. */
  readonly needs?: string;
  /** Throws where it fails. */
  look(session: CommandSession, variables: NodeJS.ProcessEnv): Promise<CheckResult>;
}

/** Browser tokens and `as_of` go by the clock of the server. */
const toleratedSkewMs = 5_000;
const leastFreeBytes = 1 << 30;
const timeoutMs = 5_000;

/** The checks, in the order in which a person would look. */
export const doctorChecks: Readonly<Record<string, Check>> = {
  address: {
    async look(_, variables) {
      const { url } = readServerSettings(variables, ['url']);
      const { body } = await ask(variables, '/');
      if ((body as { name?: string }).name !== 'presage') throw new Error(`${url} answers, and is no Presage`);
      return ok(url);
    },
  },
  version: {
    needs: 'address',
    async look(_, variables) {
      const { version: served } = (await ask(variables, '/')).body as { version?: string };
      return served === version ? ok(version) : warn(`the server is ${served}, this command ${version}`);
    },
  },
  health: { needs: 'address', look: async (_, variables) => statusOf(await ask(variables, '/health')) },
  database: { needs: 'address', look: async (_, variables) => statusOf(await ask(variables, '/ready')) },
  clock: {
    needs: 'address',
    async look(_, variables) {
      const { date } = await ask(variables, '/health');
      const skew = Math.abs(date.getTime() - Date.now());
      const detail = `${Math.round(skew / 1_000)} s from that of this machine`;
      return skew <= toleratedSkewMs ? ok(detail) : warn(`${detail}: set one of them right`);
    },
  },
  stream: {
    needs: 'address',
    async look(_, variables) {
      const { stream, url } = readServerSettings(variables, ['stream', 'url']);
      const problem = await streamProblem(stream, { isSecure: url.startsWith('https:') });
      if (!problem) return ok(stream);
      return warn(`${stream} serves no streams (${problem}): PRESAGE_GRPC names another address`);
    },
  },
  key: {
    needs: 'address',
    async look({ agent }) {
      const { instance_id: id, name } = await agent.get<{ instance_id: string; name: string }>('/v1/instance');
      return ok(`opens ${id} (${name})`);
    },
  },
  'admin token': {
    needs: 'address',
    async look({ admin }) {
      await admin.get('/instances?limit=1');
      return ok('is known');
    },
  },
  model: {
    needs: 'key',
    async look({ agent }) {
      const { embedding } = await agent.get<Embedded>('/v1/instance');
      const { model, reembedding } = embedding;
      if (!reembedding) return ok(model);
      return warn(`${model}; a change to ${reembedding.model} is at ${reembedding.done} of ${reembedding.total}`);
    },
  },
  vectors: {
    needs: 'key',
    async look({ query }) {
      const text = '{ instance { vectorIndex { memories vectors waiting } } }';
      const { instance } = await query<{ instance: { vectorIndex: VectorIndex } }>(text, {});
      const { memories, vectors, waiting } = instance.vectorIndex;
      const detail = `${vectors} of ${memories} memories`;
      return waiting ? warn(`${detail}; ${waiting} changes wait to be written`) : ok(detail);
    },
  },
  disk: {
    async look(_, variables) {
      const { PRESAGE_DATA_DIR: folder, DATABASE_URL: url } = readEnvironment(variables);
      if (url !== undefined) return ok('the database is elsewhere');
      const { bavail, bsize } = await statfs(folder).catch(() => statfs('.'));
      const free = bavail * bsize;
      const detail = `${(free / 2 ** 30).toFixed(1)} GiB free where ${folder} is`;
      return free >= leastFreeBytes ? ok(detail) : warn(`${detail}: make room`);
    },
  },
  'key files': {
    async look(_, variables) {
      const { ownFolder } = readEnvironment(variables);
      const names = await readdir(ownFolder).catch(() => []);
      if (!names.length) return ok('no server was started here: keys come from the environment');
      const paths = names.map((name) => join(ownFolder, name));
      const modes = await Promise.all(paths.map(async (path) => ({ path, mode: (await stat(path)).mode })));
      const open = modes.filter(({ mode }) => mode & 0o077).map(({ path }) => path);
      return open.length ? warn(`others can read ${open.join(', ')}: chmod 600`) : ok(ownFolder);
    },
  },
};

interface Embedded {
  readonly embedding: {
    readonly model: string;
    readonly reembedding: { readonly model: string; readonly done: number; readonly total: number } | null;
  };
}

interface VectorIndex {
  readonly memories: number;
  readonly vectors: number;
  /** Changes that the index has not followed yet. */
  readonly waiting: number;
}

const ok = (detail: string): CheckResult => ({ state: 'ok', detail });
const warn = (detail: string): CheckResult => ({ state: 'warn', detail });

const statusOf = ({ status, body }: Answer): CheckResult =>
  status < 300
    ? ok((body as { status: string }).status)
    : { state: 'fail', detail: String((body as { detail?: string }).detail) };

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly date: Date;
}

async function ask(variables: NodeJS.ProcessEnv, path: string): Promise<Answer> {
  const { url } = readServerSettings(variables, ['url']);
  const request = { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(timeoutMs) };
  const response = await fetch(`${url}${path}`, request).catch((error: Error) => {
    throw unreachableError(url, error);
  });
  const body: unknown = await response.json().catch(() => ({}));
  return { status: response.status, body, date: new Date(response.headers.get('date') ?? Date.now()) };
}

/** Why there are no streams at `address`; undefined where its health service says that there are. */
async function streamProblem(address: string, { isSecure }: { isSecure: boolean }): Promise<string | undefined> {
  const [{ credentials, makeGenericClientConstructor }, { service }] = await Promise.all([
    import('@grpc/grpc-js'),
    import('grpc-health-check'),
  ]);
  const Health = makeGenericClientConstructor(service, 'Health');
  const client = new Health(address, isSecure ? credentials.createSsl() : credentials.createInsecure());
  try {
    const { status } = await new Promise<{ status: string }>((resolve, reject) => {
      client['check']!({ service: '' }, { deadline: Date.now() + timeoutMs }, (error: Error | null, answer: never) =>
        error ? reject(error) : resolve(answer),
      );
    });
    return status === 'SERVING' ? undefined : `it is ${status}`;
  } catch (error) {
    return (error as { details?: string }).details ?? String(error);
  } finally {
    client.close();
  }
}
