/**
 * A UUID of version 4, also where there is no `randomUUID` (on pages over plain HTTP), and no `crypto` at all (in Node 18).
 */
export function newUuid(): string {
  const crypto = globalThis.crypto as Partial<Crypto> | undefined;
  const random = () => crypto?.getRandomValues?.(new Uint8Array(1))[0] ?? Math.random() * 256;
  return (
    crypto?.randomUUID?.() ??
    '10000000-1000-4000-8000-100000000000'.replaceAll(/[018]/g, (digit) =>
      (Number(digit) ^ ((random() & 15) >> (Number(digit) / 4))).toString(16),
    )
  );
}
