import { statfs, stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { readEnvironment } from '../environment.ts';
import { credentialsPath, readCredentials } from '../processes/credentials-file.ts';
import { version } from '../version.ts';
import { findServer } from './server.ts';
import { ToldAlready, type Run, type Session } from './session.ts';
import { table } from './table.ts';

/** One thing that was looked at. `warn`: it works, and should not stay so. */
interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly detail: string;
}
type Found = Omit<Finding, 'check'>;
type Check = (session: Session, variables: NodeJS.ProcessEnv) => Promise<Found>;

/** Browser tokens and `as_of` go by the clock of the server. */
const toleratedSkewMs = 5_000;
const leastFreeBytes = 1 << 30;

/** In the order in which a person would look: what a later one says depends on the earlier. */
const checks: Readonly<Record<string, Check>> = {
  address: async (_, variables) => ok(findServer(variables, ['url']).url),
  version: async (_, variables) => {
    const { body } = await look(variables, '/');
    const { version: served } = body as { version?: string };
    return served === version ? ok(version) : warn(`the server is ${served}, this command ${version}`);
  },
  health: async (_, variables) => statusOf(await look(variables, '/health')),
  database: async (_, variables) => statusOf(await look(variables, '/ready')),
  clock: async (_, variables) => {
    const { date } = await look(variables, '/health');
    const skew = Math.abs(date.getTime() - Date.now());
    const told = `${Math.round(skew / 1_000)} s from that of this machine`;
    return skew <= toleratedSkewMs ? ok(told) : warn(`${told}: set one of them right`);
  },
  key: async ({ agent }) => {
    const { instance_id: id, name } = await agent.get<{ instance_id: string; name: string }>('/v1/instance');
    return ok(`opens ${id} (${name})`);
  },
  'admin token': async ({ admin }) => {
    await admin.get('/instances?limit=1');
    return ok('is known');
  },
  model: async ({ agent }) => {
    const { embedding } = await agent.get<Embedded>('/v1/instance');
    const { model, reembedding } = embedding;
    if (!reembedding) return ok(model);
    return warn(`${model}; a change to ${reembedding.model} is at ${reembedding.done} of ${reembedding.total}`);
  },
  vectors: async ({ query }) => {
    const text = '{ instance { vectorIndex { memories vectors waiting } } }';
    const { instance } = await query<{ instance: { vectorIndex: VectorIndex } }>(text, {});
    const { memories, vectors, waiting } = instance.vectorIndex;
    const told = `${vectors} of ${memories} memories`;
    return waiting ? warn(`${told}; ${waiting} changes wait to be written`) : ok(told);
  },
  disk: async (_, variables) => {
    const { PRESAGE_DATA_DIR: folder, DATABASE_URL: url } = readEnvironment(variables);
    if (url !== undefined) return ok('the database is elsewhere');
    const { bavail, bsize } = await statfs(folder).catch(() => statfs('.'));
    const free = bavail * bsize;
    const told = `${(free / 2 ** 30).toFixed(1)} GiB free where ${folder} is`;
    return free >= leastFreeBytes ? ok(told) : warn(`${told}: make room`);
  },
  credentials: async (_, variables) => {
    const environment = readEnvironment(variables);
    const path = credentialsPath(environment);
    if (!readCredentials(environment)) return ok('come from the environment: there is no file of a first start here');
    const { mode } = await stat(path);
    return mode & 0o077 ? warn(`${path} can be read by others: chmod 600`) : ok(path);
  },
};

/** `presage doctor`: whether this machine reaches a service that works, and if not, what to do. */
export function addDoctorCommand(program: Command, run: Run, variables: NodeJS.ProcessEnv): void {
  program
    .command('doctor')
    .description(
      'look at address, versions, clock, database, keys, model, vectors and disk; exits with 1 when one fails',
    )
    .action(() =>
      run(async (session) => {
        const findings: Finding[] = [];
        for (const [check, examine] of Object.entries(checks)) {
          session.progress(`${check} …`);
          findings.push({ check, ...(await examine(session, variables).catch(failed)) });
        }
        const worst = findings.some(({ state }) => state === 'fail');
        session.tell({ ok: !worst, findings }, () =>
          table(
            ['check', 'state', 'detail'],
            findings.map(({ check, state, detail }) => [check, state, detail]),
            '',
          ),
        );
        if (worst) throw new ToldAlready();
      }),
    );
}

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

const ok = (detail: string): Found => ({ state: 'ok', detail });
const warn = (detail: string): Found => ({ state: 'warn', detail });
const failed = (error: unknown): Found => ({ state: 'fail', detail: (error as Error).message.replaceAll('\n', ' ') });

const statusOf = ({ status, body }: Looked): Found =>
  status < 300
    ? ok((body as { status: string }).status)
    : { state: 'fail', detail: String((body as { detail?: string }).detail) };

interface Looked {
  readonly status: number;
  readonly body: unknown;
  readonly date: Date;
}

async function look(variables: NodeJS.ProcessEnv, path: string): Promise<Looked> {
  const { url } = findServer(variables, ['url']);
  const response = await fetch(`${url}${path}`, { headers: { accept: 'application/json' } }).catch((error: Error) => {
    const cause = error.cause instanceof Error ? error.cause.message : error.message;
    throw new Error(`${url} cannot be reached (${cause}): is the server running? "npx presage" starts one`);
  });
  const date = new Date(response.headers.get('date') ?? Date.now());
  return { status: response.status, body: await response.json(), date };
}
