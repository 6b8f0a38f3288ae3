import { ServerCredentials } from '@grpc/grpc-js';

export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** TLS 1.3 only, which `ServerCredentials.createSsl` cannot be told. */
export class TlsCredentials extends ServerCredentials {
  constructor({ cert, key }: Tls) {
    super({ minVersion: 'TLSv1.3' }, { cert, key });
  }

  override _equals(other: ServerCredentials): boolean {
    return this === other;
  }
}
