import { LRUCache } from 'lru-cache';
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { TypeID, typeid } from 'typeid-js';
import { notFoundError } from './errors.ts';

/** Prefixes of the public ids (TypeID over UUIDv7); rows hold the bare UUID. */
const idKinds = {
  memory: 'mem',
  ingestion: 'ing',
  document: 'doc',
  entity: 'ent',
  review: 'rev',
  merge: 'mrg',
  configuration: 'cfg',
  batch: 'bat',
  key: 'key',
  token: 'tok',
  receipt: 'rcp',
  bundle: 'bun',
  audit: 'aud',
  event: 'evt',
  webhook: 'wh',
  delivery: 'dlv',
  onboarding: 'onb',
  message: 'msg',
  job: 'job',
  compaction: 'cmp',
} as const;
export type IdKind = keyof typeof idKinds;

export type InstanceId = `inst_${string}`;
export type ClientId = `cli_${string}`;

/** Whether an id is `.` or `..`: URLs resolve these away, so that no path leads to what has such an id. */
export const isDotSegment = (id: string): boolean => id === '.' || id === '..';
export const dotSegmentError = 'must not be . or ..: no path leads to such an id';

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A new UUIDv7. */
export const newUuid = () => typeid().toUUID();

/** Encodes a UUID as the public id that callers see: `mem_01h…`. */
export const toPublicId = (kind: IdKind, uuid: string): string => TypeID.fromUUID(idKinds[kind], uuid).toString();

/** Decodes a public id to its UUID. Throws `not_found` for one that is malformed or of another kind. */
export function parseId(kind: IdKind, text: string): string {
  const uuid = fromPublicId(kind, text);
  if (!uuid) throw notFoundError(kind);
  return uuid;
}

/** Decodes a public id to its UUID; null when the text is no id of this kind. */
export function fromPublicId(kind: IdKind, text: string): string | null {
  try {
    return TypeID.fromString(text, idKinds[kind]).toUUID();
  } catch {
    return null;
  }
}

/** The UUID of the n-th thing a run makes: a second run of the same stage makes the same ids. Sorts in order of n. */
export function derivedUuid(base: string, n: number): string {
  const bytes = hash('sha256', `${base}/${n}`, 'buffer').subarray(0, 16);
  Buffer.from(base.replaceAll('-', ''), 'hex').copy(bytes, 0, 0, 6); // the time of the base, so that it stays a UUIDv7
  bytes.writeUInt16BE(0x7000 | Math.min(n, 0xfff), 6);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return formatUuid(bytes);
}

/** UUIDv5 (RFC 9562, section 5.5): the name within a namespace. */
export function namedUuid(namespace: string, name: string): string {
  const named = Buffer.concat([Buffer.from(namespace.replaceAll('-', ''), 'hex'), Buffer.from(name)]);
  const bytes = hash('sha1', named, 'buffer').subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return formatUuid(bytes);
}

function formatUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

export const isUuid = (text: string) => uuidShape.test(text.toLowerCase());

// Visible ASCII, so that a foreign id can break neither a header nor a line of the log.
const saneCorrelationId = /^[\x21-\x7e]{1,128}$/;

/** The caller's own correlation id when it is sane, else a new one. */
export const correlationIdFrom = (input?: unknown): string =>
  typeof input === 'string' && saneCorrelationId.test(input) ? input : randomUUID();

export const newInstanceId = (): InstanceId => `inst_${randomBytes(8).toString('hex')}`;
export const newClientId = (): ClientId => `cli_${randomBytes(8).toString('hex')}`;

/** The instance as the leading column `i` of every key: its 16 hex digits as a signed 64-bit number. */
export const instanceNumberOf = (id: InstanceId) => BigInt.asIntN(64, BigInt(`0x${id.slice(5)}`));
export const instanceIdOf = (instanceNumber: bigint): InstanceId =>
  `inst_${BigInt.asUintN(64, instanceNumber).toString(16).padStart(16, '0')}`;

/** The instance's number as the last eight bytes of a UUID, which is what a cursor holds; and back. */
export const instanceUuid = (id: InstanceId) => `00000000-0000-0000-${id.slice(5, 9)}-${id.slice(9)}`;
export const instanceIdFromUuid = (uuid: string): InstanceId => `inst_${uuid.replaceAll('-', '').slice(16)}`;

export const isInstanceId = (text: unknown): text is InstanceId =>
  typeof text === 'string' && /^inst_[0-9a-f]{16}$/.test(text);

/** Throws `not_found` when the text has not the form of an instance id. */
export function parseInstanceId(text: string): InstanceId {
  if (!isInstanceId(text)) throw notFoundError('instance');
  return text;
}

/** Throws `not_found` when the text has not the form of a client id. */
export function parseClientId(text: string): ClientId {
  if (!/^cli_[0-9a-f]{16}$/.test(text)) throw notFoundError('client');
  return text as ClientId;
}

/** Our own namespace: an instance's is named within it, a conversation's foreign id within the instance's. */
const presageNamespace = '6f9619ff-8b86-d011-b42d-00cf4fc964ff';
const namespaces = new LRUCache<InstanceId, string>({
  max: 10_000,
  memoMethod: (id) => namedUuid(presageNamespace, id),
});

const ofForeignIds = new LRUCache<string, string, InstanceId>({
  max: 10_000,
  memoMethod: (key, _, { context: instance }) => namedUuid(namespaces.memo(instance), key.slice(instance.length)),
});

/** A conversation's UUID: the caller's own when it is one, else derived from the caller's id within the instance. */
export function conversationUuid(instance: InstanceId, id: string): { id: string; externalId: string | null } {
  if (isUuid(id)) return { id: id.toLowerCase(), externalId: null };
  return { id: ofForeignIds.memo(instance + id, { context: instance }), externalId: id };
}
