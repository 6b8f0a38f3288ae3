import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import type { DatabaseConnection } from './database-connection.ts';
import type { Db } from './database.ts';

/**
 * Hints between the processes on one database, such as that there is work, sent after the commit they concern.
 * Receivers must not rely on them: they also poll, so a lost hint only costs time.
 */
export interface NotificationChannel {
  /** Tells the other processes, soon; said again before it is sent, it is sent once. `subject` holds no `,`. */
  tell(subject: string): void;
  close(): Promise<void>;
}

export interface NotificationChannelOptions {
  readonly db: Db;
  /** Null: there are no other processes. */
  readonly connect: DatabaseConnection['connect'];
  /** Called with each notice of another process. */
  readonly heard: (subject: string) => void;
  /** Hints may have been lost. */
  readonly missed: () => void;
  readonly warn: (message: string, error: unknown) => void;
}

const channel = 'presage';
/** A payload is shorter than 8,000 bytes. */
const mostChars = 7_900;
/** Before a lost connection is made again. */
const againMs = 1_000;

export function openNotificationChannel(options: NotificationChannelOptions): NotificationChannel {
  if (!options.connect) return { tell: () => undefined, close: async () => undefined };
  const sender = randomUUID();
  const listener = listen(options.connect, { ...options, sender });
  const untold = new Set<string>();
  let telling: Promise<void> | null = null;

  /** Notices that come meanwhile go out together: each `NOTIFY` locks the whole server for the length of its commit. */
  async function tellAll(): Promise<void> {
    while (untold.size) {
      const payload = nextPayload(sender, untold);
      await options.db.$executeRaw`SELECT pg_notify(${channel}, ${payload})`;
    }
  }
  return {
    tell(subject) {
      untold.add(subject);
      telling ??= Promise.resolve()
        .then(tellAll)
        .catch((error: unknown) => {
          untold.clear();
          options.warn('other processes could not be told', error);
        })
        .finally(() => (telling = null));
    },
    async close() {
      await telling;
      await listener.close();
    },
  };
}

function nextPayload(sender: string, untold: Set<string>): string {
  let payload = sender;
  for (const subject of untold) {
    if (payload.length + subject.length >= mostChars) break;
    payload += `,${subject}`;
    untold.delete(subject);
  }
  return payload;
}

/** Listens on a connection of its own, made again whenever it is lost. */
function listen(
  connect: () => Promise<Client>,
  { heard, missed, warn, sender }: Omit<NotificationChannelOptions, 'db'> & { sender: string },
): { close(): Promise<void> } {
  let client: Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const again = (error: unknown) => {
    client = null;
    if (isClosed) return;
    warn('the connection that listens to other processes was lost', error);
    timer = setTimeout(() => (connecting = open()), againMs);
  };

  async function open(): Promise<void> {
    let opened: Client | undefined;
    try {
      opened = await connect();
      opened.once('end', () => opened === client && again(new Error('it ended')));
      opened.on('error', () => undefined); // 'end' follows
      opened.on('notification', ({ payload }) => {
        const [from, ...subjects] = (payload ?? '').split(',');
        if (from !== sender) subjects.forEach(heard);
      });
      await opened.query(`LISTEN ${channel}`);
      client = opened;
      missed();
    } catch (error) {
      await opened?.end().catch(() => undefined);
      again(error);
    }
  }
  let connecting = open();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await connecting;
      await client?.end();
    },
  };
}
