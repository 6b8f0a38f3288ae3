import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Certificates are made by what every Linux and macOS has. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** A key pair of two PEM files for `localhost`, signed by itself. */
export interface CertificateOnDisk {
  readonly certFile: string;
  readonly keyFile: string;
  /** What a client has to trust. */
  cert(): Buffer;
  /** Takes another pair, as tools that renew do: each file is replaced by a new one. */
  renew(): void;
  remove(): void;
}

export function makeCertificate(): CertificateOnDisk {
  const folder = mkdtempSync(join(tmpdir(), 'presage-tls-'));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const renew = () => {
    const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost';
    const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    spawnSync('openssl', [...request.split(' '), ...names, '-keyout', `${keyFile}.new`, '-out', `${certFile}.new`]);
    for (const file of [certFile, keyFile]) renameSync(`${file}.new`, file);
  };
  renew();
  return {
    certFile,
    keyFile,
    cert: () => readFileSync(certFile),
    renew,
    remove: () => rmSync(folder, { recursive: true }),
  };
}
