import { expect, test } from 'vitest';
import type { AnticipatedMemory, Bundle, Update } from '../../../src/domain/anticipation/stream-messages.ts';
import { createSendBuffer } from '../../../src/domain/anticipation/send-buffer.ts';

const tokens: Record<string, number> = { m1: 5, m2: 8, m3: 2 };
const tokensOf = (...ids: string[]) => ids.reduce((sum, id) => sum + tokens[id]!, 0);

/** Numbers its updates as a session does. */
function open() {
  const sendBuffer = createSendBuffer();
  let sequence = 0;
  const next = () => (sequence += 1);
  return {
    put(...ids: string[]) {
      const memories = ids.map((id) => ({ id, tokens: tokens[id] }) as AnticipatedMemory);
      // No more of a bundle than a send buffer looks at.
      sendBuffer.put({
        kind: 'bundle',
        sequence: next(),
        memories,
        totalTokens: tokensOf(...ids),
      } as unknown as Bundle);
    },
    withdraw: (...ids: string[]) => sendBuffer.withdraw(ids, next),
    async rest(): Promise<Update[]> {
      sendBuffer.finish();
      const updates: Update[] = [];
      for await (const update of sendBuffer.updates()) updates.push(update);
      return updates;
    },
  };
}

test('a bundle that waits loses what is withdrawn, and its tokens', async () => {
  const sendBuffer = open();
  sendBuffer.put('m1', 'm2', 'm3');
  sendBuffer.withdraw('m2');
  expect(await sendBuffer.rest()).toMatchObject([
    { kind: 'withdrawal', sequence: 2, memoryIds: ['m2'] },
    { kind: 'bundle', sequence: 3, memories: [{ id: 'm1' }, { id: 'm3' }], totalTokens: tokensOf('m1', 'm3') },
  ]);
});

test('what came back after it was withdrawn stays in the newer bundle, whatever else is withdrawn', async () => {
  const sendBuffer = open();
  sendBuffer.withdraw('m1');
  sendBuffer.put('m1', 'm2', 'm3');
  sendBuffer.withdraw('m2');
  expect(await sendBuffer.rest()).toMatchObject([
    { kind: 'withdrawal', memoryIds: ['m1', 'm2'] },
    { kind: 'bundle', memories: [{ id: 'm1' }, { id: 'm3' }], totalTokens: tokensOf('m1', 'm3') },
  ]);
});

test('what is withdrawn once more goes from the newer bundle too', async () => {
  const sendBuffer = open();
  sendBuffer.withdraw('m1');
  sendBuffer.put('m1', 'm2');
  sendBuffer.withdraw('m1');
  expect(await sendBuffer.rest()).toMatchObject([
    { kind: 'withdrawal', memoryIds: ['m1'] },
    { kind: 'bundle', memories: [{ id: 'm2' }], totalTokens: tokensOf('m2') },
  ]);
});
