/** A server's certificate chain and private key, in PEM. */
export interface KeyPair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** A key pair that may be renewed while servers run: handshakes that begin afterwards use the new one. */
export interface Certificate extends KeyPair {
  readonly onRenewal?: ((take: (renewed: KeyPair) => void) => void) | undefined;
}

/** TLS 1.3 and nothing older. */
export const tlsOptions = ({ cert, key }: KeyPair) => ({ cert, key, minVersion: 'TLSv1.3' as const });

/** A peer that connects and then says nothing is left after this. */
export const handshakeTimeoutMs = 10_000;
