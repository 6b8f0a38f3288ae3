import type { AdminApi } from './admin-api.ts';

/** What a command works with: the API that it is a client of, and how it tells what it was answered. */
export interface Session {
  readonly api: AdminApi;
  /** `--json`: the answer as it came. Otherwise as people read it. */
  tell(answer: unknown, forPeople: () => string): void;
  /** The instance that is meant: the one named, or the only one there is. */
  instance(): Promise<string>;
}

/** Runs a command with a session made of the options that stand before or behind it. */
export type Run = (work: (session: Session) => Promise<void>) => Promise<void>;
