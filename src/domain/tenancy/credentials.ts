import { hash, randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 43;

/** `<prefix>_<43 characters base62>`: 256 bits. */
export function newSecret(prefix: string): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${prefix}_${random}`;
}

/** No key begins so: their prefix has no hyphen. */
const browserPrefix = 'browser-token';

export const newBrowserToken = () => newSecret(browserPrefix);

/** Tells a browser token by its form. */
export const isBrowserToken = (secret: string) => secret.startsWith(`${browserPrefix}_`);

/** The stored form of a key or token. They are random, so a plain hash is enough. */
export const hashSecret = (secret: string): Buffer<ArrayBuffer> => Buffer.from(hash('sha256', secret, 'buffer'));

/** The credential of an Authorization header; undefined for another form. RFC 9110: schemes are case-insensitive. */
export function bearerTokenOf(header: string | undefined): string | undefined {
  const match = /^Bearer +([\x21-\x7e]{1,200})$/i.exec(header ?? '');
  return match?.[1];
}
