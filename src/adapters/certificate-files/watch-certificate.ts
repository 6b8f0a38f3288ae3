import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Certificate, KeyPair } from '../../transports/certificate.ts';

export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface CertificateWatchOptions {
  /** Told of each renewal: until when the new certificate is valid. */
  readonly renewed: (validUntil: string) => void;
  /** Called when the present files are unusable; the last usable pair stays in use. */
  readonly refused: (error: unknown) => void;
  readonly everyMs?: number;
}

const lookEveryMs = 2_000;

/**
 * The key pair of two PEM files, read again whenever they change. They are compared by content, since tools replace
 * them in many ways (a rename, a new link, a write in place), and taken only together: one that was written before the
 * other fits no key, and waits for it. Throws when they cannot be used at the start.
 */
export function watchCertificate(
  { certFile, keyFile }: CertificateFiles,
  { renewed, refused, everyMs = lookEveryMs }: CertificateWatchOptions,
): Certificate & { close(): void } {
  const read = (): KeyPair => ({ cert: readFileSync(certFile), key: readFileSync(keyFile) });
  let current = read();
  createSecureContext(current); // throws unless the key fits
  let seen = current;
  let told = '';
  const takers: ((renewed: KeyPair) => void)[] = [];

  function look(): void {
    try {
      const found = read();
      if (isSame(found, seen)) return;
      seen = found;
      createSecureContext(found);
      current = found;
      told = '';
      for (const take of takers) take(found);
      renewed(new X509Certificate(found.cert).validTo);
    } catch (error) {
      if (String(error) !== told) refused(error); // once, however long it lasts
      told = String(error);
    }
  }

  const timer = setInterval(look, everyMs).unref();
  return {
    get cert() {
      return current.cert;
    },
    get key() {
      return current.key;
    },
    onRenewal: (take) => void takers.push(take),
    close: () => clearInterval(timer),
  };
}

const isSame = (one: KeyPair, other: KeyPair) => one.cert.equals(other.cert) && one.key.equals(other.key);
