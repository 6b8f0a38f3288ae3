/** What a request to this server carries so that it takes the session cookie: no form of another page can send it. */
export const ownPageHeaders = { 'presage-csrf': '1' } as const;

/** A refusal in the words of the server. */
export class Refusal extends Error {}

async function send(method: 'POST' | 'DELETE', path: string, body?: object): Promise<void> {
  const answer = await fetch(`/dashboard/${path}`, {
    method,
    headers: { ...ownPageHeaders, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (answer.ok) return;
  const problem: unknown = await answer.json().catch(() => null);
  throw new Refusal(titleOf(problem) ?? `${answer.status} ${answer.statusText}`);
}

const titleOf = (problem: unknown): string | undefined => {
  const { detail, title } = (problem ?? {}) as { detail?: string; title?: string };
  return detail ?? title;
};

/** Chooses another password by a link and begins a session. Throws `Refusal`. */
export const resetPassword = (given: { link: string; password: string }) => send('POST', 'password', given);

export type SignIn = { token: string } | { link: string } | { email: string; password: string };

/** Begins a session; its cookie is out of reach of scripts. Throws `Refusal`. */
export const signIn = (given: SignIn) => send('POST', 'session', given);

export const signOut = () => send('DELETE', 'session');

/** Accepts an invitation and begins a session. Throws `Refusal`. */
export const join = (given: { link: string; email: string; password: string }) => send('POST', 'account', given);
