import type { Client, ClientBase, Pool } from 'pg';

/** One session, in which statements follow each other. */
export type DatabaseSession = Pick<ClientBase, 'query'>;

/** The default: longer than any statement of ours by far. What takes this long is in trouble, and must not pile up. */
export const defaultStatementTimeoutMs = 30_000;

/** Why a database answers nothing, although nothing lies between it and this process. */
export interface DatabaseTrouble {
  /** A clause without a subject's name or a full stop. */
  readonly reason: string;
  /** Only another process that opens the data can change it. */
  readonly isFinal: boolean;
}

/** Whether a database says that its disk is full. */
export const isDiskFull = (reason: string): boolean => /no space left|disk full|ENOSPC/i.test(reason);

/** The connection to a database, real or embedded, that the driver uses. */
export interface DatabaseConnection {
  readonly pool: Pool;
  /** Does the work while no other process does any, such as what is made once in a new database. */
  exclusively<T>(work: (session: DatabaseSession) => Promise<T>): Promise<T>;
  /** A connection to listen on; null where no other process can say anything. */
  readonly connect: (() => Promise<Client>) | null;
  /** Null while there is none; a server, which others watch, has none. */
  trouble(): DatabaseTrouble | null;
  /**
   * The time at which the embedded database last finished a statement, by the process's clock (`performance.now()`).
   * Null for a server, which is asked instead: there other connections are free while one stores a long document.
   */
  progressAt(): number | null;
  close(): Promise<void>;
}
