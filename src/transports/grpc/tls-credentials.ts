import { ServerCredentials } from '@grpc/grpc-js';
import { handshakeTimeout, secureContext, type Certificate } from '../certificate.ts';

/** TLS 1.3 only and renewable, neither of which `ServerCredentials.createSsl` can be told. */
export class TlsCredentials extends ServerCredentials {
  constructor(certificate: Certificate) {
    super({ handshakeTimeout }, secureContext(certificate));
    certificate.onRenewal?.((renewed) => this.updateSecureContextOptions(secureContext(renewed)));
  }

  override _equals(other: ServerCredentials): boolean {
    return this === other;
  }
}
