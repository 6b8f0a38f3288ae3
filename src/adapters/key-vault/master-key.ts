const bytes = 32;
/** Among 32 random bytes some 30 differ; fewer than this comes once in 10^16 random keys, and in a repeated word or pattern. */
const leastDifferent = 16;

/** 32 bytes in base64 or hex; throws otherwise. */
export function parseMasterKey(text: string): Buffer {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex');
  // `Buffer.from` would skip whatever is no base64.
  const key = /^[\w+/-]{43}=?$/.test(trimmed) ? Buffer.from(trimmed, 'base64') : null;
  if (key?.length !== bytes) throw new Error('a master key is 32 bytes in base64 or hex');
  return key;
}

/** Parses a key that is to protect something from now on. Throws also when it does not look random. */
export function parseNewMasterKey(text: string): Buffer {
  const key = parseMasterKey(text);
  if (new Set(key).size < leastDifferent) throw new Error('this master key is not random: openssl rand -base64 32');
  return key;
}
