import { ServerCredentials } from '@grpc/grpc-js';
import { handshakeTimeoutMs, tlsOptions, type Certificate } from '../certificate.ts';

/** TLS 1.3 only and renewable, neither of which `ServerCredentials.createSsl` can be told. */
export class TlsCredentials extends ServerCredentials {
  constructor(certificate: Certificate) {
    super({ handshakeTimeout: handshakeTimeoutMs }, tlsOptions(certificate));
    certificate.onRenewal?.((renewed) => this.updateSecureContextOptions(tlsOptions(renewed)));
  }

  override _equals(other: ServerCredentials): boolean {
    return this === other;
  }
}
