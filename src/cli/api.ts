import { findServer } from './server.ts';

/** The admin API of a running server. Each throws an error that a person can act on. */
export interface AdminApi {
  get<T>(path: string): Promise<T>;
  send<T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<T>;
}

interface Problem {
  readonly detail?: string;
  readonly errors?: readonly { field: string; message: string }[];
  readonly correlation_id?: string;
}

/** The server that the environment names, or the one that was started on this machine. */
export function connect(variables: NodeJS.ProcessEnv): AdminApi {
  const { url, adminToken: token } = findServer(variables, ['url', 'adminToken']);
  const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${url}/v1/admin${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual', // what is sent is for this server and no other
    }).catch((error: Error) => {
      const cause = error.cause instanceof Error ? error.cause.message : error.message;
      throw new Error(`${url} cannot be reached (${cause}): is the server running? "npx presage" starts one`);
    });
    if (answer.status >= 300 && answer.status < 400) {
      throw new Error(
        `${url} redirects to ${answer.headers.get('location')}: set PRESAGE_URL to that server if it is yours`,
      );
    }
    const text = await answer.text();
    if (!answer.ok) throw new Error(refusal(answer.status, text));
    return JSON.parse(text) as T;
  };
  return { get: (path) => send('GET', path), send };
}

function refusal(status: number, text: string): string {
  const problem = problemOf(text);
  const fields = (problem.errors ?? []).map(({ field, message }) => `\n  ${field}: ${message}`).join('');
  const hint = status === 401 ? '\nThe admin token is not known to this server: check PRESAGE_ADMIN_TOKEN' : '';
  const trace = status >= 500 && problem.correlation_id ? `\nCorrelation id: ${problem.correlation_id}` : '';
  return `${problem.detail ?? `the server answered ${status}`}${fields}${hint}${trace}`;
}

function problemOf(text: string): Problem {
  try {
    return JSON.parse(text) as Problem;
  } catch {
    return {};
  }
}
