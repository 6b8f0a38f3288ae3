import { createInterface } from 'node:readline/promises';
import { createApiClient, firstGraphqlError, Refusal, type ApiClient, type GraphqlErrors } from './api.ts';
import { printable } from './printable.ts';
import { readServerSettings } from './server-settings.ts';

/** The dependencies of a command: clients of the API, and how its result is printed. */
export interface CommandSession {
  /** The routes of administrators, by their paths under `/v1/admin`. */
  readonly admin: ApiClient;
  /** The routes of agents, by their whole paths: what they reach is the instance of the key. */
  readonly agent: ApiClient;
  /** Reads by GraphQL what no route lists. Throws what the server refuses. */
  query<T>(text: string, variables: Readonly<Record<string, unknown>>): Promise<T>;
  /** Asks by GraphQL with the admin token. Throws what the server refuses. */
  queryAsAdmin<T>(text: string): Promise<T>;
  /** `--json`: the answer as it came. Otherwise as people read it. */
  tell(answer: unknown, forPeople: () => string): void;
  /** How far long work is, on a line that the next one replaces; for people at a terminal only. */
  progress(text: string): void;
  /** Resolves when the person says yes, or said so with `--yes`. Throws otherwise, and where there is nobody to ask. */
  confirm(question: string): Promise<void>;
  /** The instance that is meant: the one named, that of the key that `PRESAGE_KEY` gives, or the only one there is. */
  instance(): Promise<string>;
  /** The one named, or that of the key in use; undefined where neither opens one. */
  shownInstance(): Promise<string | undefined>;
}

/** Thrown when the failure was printed as the answer of the command, so that only the exit code has to say it. */
export class AlreadyReportedError extends Error {}

/** Runs a command with a session made of the options that stand before or behind it. */
export type RunCommand = (work: (session: CommandSession) => Promise<void>) => Promise<void>;

/** The options that every command takes. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly instance?: string;
}

export function openCommandSession(
  variables: NodeJS.ProcessEnv,
  { json, yes, instance }: CommonOptions,
  write: (text: string) => void,
): CommandSession {
  const admin = once(() => {
    const { url, adminToken } = readServerSettings(variables, ['url', 'adminToken']);
    return createApiClient({ base: `${url}/v1/admin`, token: adminToken, variable: 'PRESAGE_ADMIN_TOKEN' });
  });
  const agent = once(() => {
    const { url, key } = readServerSettings(variables, ['url', 'key']);
    return createApiClient({ base: url, token: key, variable: 'PRESAGE_KEY' });
  });
  const named = instance ?? (variables['PRESAGE_INSTANCE'] || undefined);
  const showsProgress = process.stderr.isTTY && !json;
  const endProgress = () => void (showsProgress && process.stderr.write('\r\u001b[K'));
  return {
    get admin() {
      return admin();
    },
    get agent() {
      return agent();
    },
    query: <T>(text: string, asked: Readonly<Record<string, unknown>>) => ask<T>(agent(), text, asked),
    queryAsAdmin: <T>(text: string) => {
      const { url, adminToken } = readServerSettings(variables, ['url', 'adminToken']);
      return ask<T>(createApiClient({ base: url, token: adminToken, variable: 'PRESAGE_ADMIN_TOKEN' }), text);
    },
    tell(answer, forPeople) {
      endProgress();
      write(json ? JSON.stringify(answer, null, 2) : forPeople());
    },
    progress(text) {
      if (showsProgress) process.stderr.write(`\r\u001b[K${text}`);
    },
    confirm: async (question) => {
      endProgress();
      if (!yes) await askPerson(question);
    },
    instance: async () =>
      named ?? (variables['PRESAGE_KEY'] ? await instanceOfKey(agent) : undefined) ?? onlyInstance(admin()),
    shownInstance: async () => named ?? instanceOfKey(agent),
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

type Answer<T> = GraphqlErrors & { readonly data: T };

async function ask<T>(api: ApiClient, query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<T> {
  const answer = await api.send<Answer<T>>('POST', '/graphql', { query, variables });
  const problem = firstGraphqlError(answer);
  if (problem) throw new Refusal(200, problem);
  return answer.data;
}

async function askPerson(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new Error(`${question}\nNothing was done. Repeat the command with --yes to confirm.`);
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    if (!/^y(?:es)?$/i.test((await reader.question(`${printable(question)} [y/N] `)).trim()))
      throw new Error('nothing was done');
  } finally {
    reader.close();
  }
}

/** Undefined: there is no key, or it is refused, as that of a suspended instance. */
async function instanceOfKey(agent: () => ApiClient): Promise<string | undefined> {
  try {
    return (await agent().get<{ instance_id: string }>('/v1/instance')).instance_id;
  } catch {
    return undefined;
  }
}

async function onlyInstance(api: ApiClient): Promise<string> {
  const { data } = await api.get<{ data: { instance_id: string; client_id: string; name: string }[] }>(
    '/instances?limit=100&state=active',
  );
  const [first, ...others] = data;
  if (first && !others.length) return first.instance_id;
  if (!first) throw new Error('there is no active instance: make one with "presage init"');
  const clients = await api.get<{ data: { client_id: string; name: string }[] }>('/clients?limit=100');
  const clientNames = new Map(clients.data.map((client) => [client.client_id, client.name]));
  const list = data
    .map((each) => `  ${each.instance_id}  ${each.name} of ${clientNames.get(each.client_id) ?? each.client_id}`)
    .join('\n');
  throw new Error(
    `there are several instances; name one with --instance, PRESAGE_INSTANCE or a PRESAGE_KEY of it:\n${list}`,
  );
}
