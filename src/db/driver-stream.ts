import { Duplex } from 'node:stream';

/** Stands in for the driver's socket, and leads to an embedded Postgres instead of a network. */
export abstract class DriverStream extends Duplex {
  connect(): this {
    queueMicrotask(() => this.emit('connect'));
    return this;
  }
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}

  override _read(): void {}
}
