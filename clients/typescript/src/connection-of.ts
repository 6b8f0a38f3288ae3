import type { Connection } from './connection.ts';

const connections = new WeakMap<object, Connection>();

/** So that the stream, which is a module of its own, can use the key of a client without anybody else seeing it. */
export const keepConnection = (client: object, connection: Connection): void =>
  void connections.set(client, connection);

export function connectionOf(client: object): Connection {
  const connection = connections.get(client);
  if (!connection) throw new TypeError('this is no client of this package');
  return connection;
}
