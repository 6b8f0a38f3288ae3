import { Client } from 'pg';
import { vi } from 'vitest';

/** How many statements of this kind the work made. */
export async function statements(kind: RegExp, work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(Client.prototype, 'query');
  await work();
  // Of the driver's overloads a mock knows the last one only, which takes no statement.
  const texts = query.mock.calls.map(([sent]) => (sent as unknown as { text?: string })?.text ?? '');
  query.mockRestore();
  return texts.filter((text) => kind.test(text)).length;
}
