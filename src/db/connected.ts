import type { Client, ClientBase, Pool } from 'pg';

/** One session, in which statements follow each other. */
export type Session = Pick<ClientBase, 'query'>;

/** What the driver is connected to. */
export interface Connected {
  readonly pool: Pool;
  /** Does the work while no other process does any, such as what is made once in a new database. */
  exclusively<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** A connection to listen on; null where no other process can say anything. */
  readonly connect: (() => Promise<Client>) | null;
  close(): Promise<void>;
}
