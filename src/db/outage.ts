import { DatabaseError } from 'pg';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { withReplacedMembers } from './direct-statements.ts';

/**
 * Prisma's codes: not reachable, timed out, closed, refused, no connection free in time, no transaction begun in time.
 */
const prismaCodes = new Set(['P1000', 'P1001', 'P1002', 'P1003', 'P1008', 'P1010', 'P1017', 'P2024', 'P2028', 'P2037']);
/** Codes of sockets that Prisma does not translate. */
const socketCodes = new Set(['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']);
/** Kinds of errors of the driver adapter, which have no code of Prisma's. */
const adapterKinds = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
  'AuthenticationFailed',
  'DatabaseAccessDenied',
  'DatabaseDoesNotExist',
]);
/**
 * SQLSTATE, by how it begins: a broken connection (08), no resources (53), the operator intervenes, which a statement
 * that took too long is too (57), the server's own trouble (58), a lock that took too long (55P03), a transaction that
 * was left open (25P03), a server that only reads, as after a failover (25006).
 */
const sqlStates = /^(?:08|53|57|58|55P03|25P03|25006)/;
/** The driver gives these no code. */
const driverMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|Cannot use a pool after)/;

/** Serialization failure, and deadlock. */
const conflictStates = new Set(['40001', '40P01']);

/** Two transactions stood in each other's way, and the server ended one: 40001 and 40P01. The same again may succeed. */
export function isConflict(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const { kind, originalCode = '' } = driverError(error) ?? {};
  if (code === 'P2034' || kind === 'TransactionWriteConflict' || conflictStates.has(originalCode)) return true;
  return cause instanceof Error && isConflict(cause);
}

/** Whether an error says that the database is away or cannot go on now: no fault of the caller, nor of ours. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (prismaCodes.has(code) || socketCodes.has(code)) return true;
  const { kind = '', originalCode = '' } = driverError(error) ?? {};
  return adapterKinds.has(kind) || sqlStates.test(originalCode) || (!code && driverMessages.test(error.message));
}

/** The driver's error of a statement, unwrapped where Prisma wrapped it. */
function driverError(error: unknown): { kind?: string; originalCode?: string | undefined } | undefined {
  if (error instanceof DatabaseError) return { originalCode: error.code };
  type Wrapped = { meta?: { driverAdapterError?: { cause?: { kind?: string; originalCode?: string } } } };
  return (error as Wrapped).meta?.driverAdapterError?.cause;
}

/** Wraps a client so that it fails with `outage` when the database is unreachable, within transactions and outside. */
export function translateOutages(client: PrismaClient, outage: (cause: unknown) => Error): PrismaClient {
  const rethrow = (error: unknown): never => {
    throw isOutage(error) || isConflict(error) ? outage(error) : error;
  };
  const translating = client.$extends({
    query: { $allOperations: ({ args, query }) => query(args).catch(rethrow) },
  }) as unknown as PrismaClient; // of the same type: statements are watched and none is added
  type Call = (...given: unknown[]) => Promise<unknown>;
  const watched = (name: '$transaction' | '$queryRaw' | '$executeRaw'): Call => {
    const call = client[name].bind(client) as Call;
    return (...given) => call(...given).catch(rethrow);
  };
  return withReplacedMembers(translating, {
    $transaction: watched('$transaction'),
    $queryRaw: watched('$queryRaw'),
    $executeRaw: watched('$executeRaw'),
  });
}
