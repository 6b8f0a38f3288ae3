/** A UUID of version 4, also where there is no `crypto`: in Node 18, and without `randomUUID` on pages over plain HTTP. */
export const newUuid = (): string =>
  (globalThis.crypto as Partial<Crypto> | undefined)?.randomUUID?.() ??
  '10000000-1000-4000-8000-100000000000'.replaceAll(/[018]/g, (digit) =>
    (Number(digit) ^ ((Math.random() * 16) >> (Number(digit) / 4))).toString(16),
  );
