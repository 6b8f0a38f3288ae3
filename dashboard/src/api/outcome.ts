import type { CombinedError } from 'urql';

/** What a mutation answers: what was asked for, or one of the problems that a caller has to deal with. */
interface Outcome {
  readonly __typename: string;
  readonly message?: string;
}

/** The message of a mutation that did not do what it was asked; undefined when it did. */
export function problemOf(
  { data, error }: { data?: object | undefined; error?: CombinedError | undefined },
  done: string,
): string | undefined {
  if (error) return messageOf(error);
  const [outcome] = Object.values(data ?? {}) as Outcome[];
  if (!outcome || outcome.__typename === done) return undefined;
  return outcome.message ?? outcome.__typename;
}

/** An error in words for people. */
export const messageOf = (error: CombinedError): string =>
  error.graphQLErrors[0]?.message ?? error.networkError?.message ?? error.message;

/** Whether the session has ended, so that only signing in helps. */
export const isSignedOut = ({ response, networkError, graphQLErrors }: CombinedError): boolean =>
  (response ?? (networkError as { response?: Response } | undefined)?.response)?.status === 401 ||
  graphQLErrors[0]?.extensions['code'] === 'unauthenticated';
