import { watchCertificate } from '../adapters/certificate-files/watch-certificate.ts';
import type { Environment } from '../environment.ts';
import type { Telemetry } from '../telemetry.ts';

/**
 * Opens the certificate of both servers, reloaded when its files change; undefined when they speak plain text. Throws
 * when the files cannot be used.
 */
export function openCertificate(environment: Environment, { log }: Pick<Telemetry, 'log'>) {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = environment;
  if (!certFile || !keyFile) return undefined;
  try {
    return watchCertificate(
      { certFile, keyFile },
      {
        renewed: (validUntil) => log.info({ valid_until: validUntil }, 'the TLS certificate was renewed'),
        refused: (error) => log.error({ error }, 'the renewed TLS certificate cannot be used; the last one stays'),
      },
    );
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the files of TLS_CERT_FILE and TLS_KEY_FILE cannot be used: ${reason}`, { cause });
  }
}
