import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import type { Db } from '../../../src/db/database.ts';
import { relayMessages, type MessageRelay } from '../../../src/domain/conversations/relay-messages.ts';
import { MessageFeed } from '../../../src/domain/conversations/message-feed.ts';
import { InstanceKeys } from '../../../src/domain/sealing/instance-keys.ts';
import { Prisma } from '../../../src/generated/prisma/client.ts';

const keys = new InstanceKeys('inst_0000000000000001', randomBytes(32));
let carrier: MessageRelay;
afterEach(() => carrier.close());

/** What other processes kept, as statements find it. */
function kept(
  count: number,
  { instanceNumber, id, isBroken }: { instanceNumber: bigint; id: string; isBroken?: (n: number) => boolean },
) {
  return Array.from({ length: count }, (_, n) => {
    const uuid = `${id}-${n}`;
    const body = keys.seal('message.body', uuid, JSON.stringify({ role: 'user', content: `${instanceNumber}: ${n}` }));
    if (isBroken?.(n)) body[20]! ^= 1;
    return { instanceNumber, conversationId: id, n, id: uuid, saidAt: new Date(0), origin: null, body };
  });
}

/** A feed that looks at these rows, and what it heard by instance. */
function hearing(rows: ReturnType<typeof kept>, keysOf: (instanceNumber: bigint) => Promise<InstanceKeys>) {
  const db = {
    async $queryRaw(sql: TemplateStringsArray, ...values: unknown[]) {
      const [is, ids, nexts = [], limit] = Prisma.sql(sql, ...values).values as [
        bigint[],
        string[],
        number[]?,
        number?,
      ];
      if (sql.join('').includes('message_count'))
        return is.map((instanceNumber, n) => ({ instanceNumber, id: ids[n]!, count: 0 }));
      const isWanted = (row: (typeof rows)[number]) =>
        is.some(
          (instanceNumber, n) =>
            row.instanceNumber === instanceNumber && row.conversationId === ids[n] && row.n >= nexts[n]!,
        );
      return rows.filter(isWanted).slice(0, limit);
    },
  } as unknown as Db; // two statements of it are asked, and no more
  const heard: Record<string, number[]> = {};
  const warned: string[] = [];
  const feed = new MessageFeed({ tell: () => undefined, look: () => carrier.look() });
  carrier = relayMessages({ db, feed, keysOf, warn: (message) => warned.push(message) });
  for (const place of new Set(
    rows.map(({ instanceNumber, conversationId }) => `${instanceNumber}/${conversationId}`),
  )) {
    const [i, id] = place.split('/') as [string, string];
    feed.listen(BigInt(i), id, ({ n }) => (heard[i] ??= []).push(n!));
  }
  return { heard, warned };
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

test('an instance whose keys cannot be opened keeps no other from being heard, and is heard once they can', async () => {
  let isOpen = false;
  const rows = [...kept(700, { instanceNumber: 1n, id: 'a' }), ...kept(3, { instanceNumber: 2n, id: 'b' })];
  const { heard, warned } = hearing(rows, async (instanceNumber) => {
    if (instanceNumber === 1n && !isOpen) throw new Error('the key vault does not answer');
    return keys;
  });
  await expect.poll(() => heard, { timeout: 3_000 }).toEqual({ 2: upTo(3) });
  expect(warned).toHaveLength(1);
  isOpen = true;
  await expect.poll(() => heard, { timeout: 20_000 }).toEqual({ 1: upTo(700), 2: upTo(3) });
});

test('a message that cannot be opened keeps only its own conversation from being heard', async () => {
  const isBroken = (n: number) => n === 2;
  const { heard } = hearing(
    [...kept(5, { instanceNumber: 1n, id: 'a', isBroken }), ...kept(3, { instanceNumber: 2n, id: 'b' })],
    async () => keys,
  );
  await expect.poll(() => heard, { timeout: 3_000 }).toEqual({ 1: upTo(2), 2: upTo(3) });
});
