import type { MessagePort } from 'node:worker_threads';
import { DriverStream } from './driver-stream.ts';

/** A connection that ends in PGlite's thread. What comes after it was closed reaches no other one. */
export class PgliteStream extends DriverStream {
  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    super();
    this.#port = port.on('message', ({ buffer, byteOffset, byteLength }: Uint8Array) =>
      this.push(Buffer.from(buffer, byteOffset, byteLength)),
    );
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#port.postMessage(new Uint8Array(chunk));
    queueMicrotask(done); // what is written meanwhile goes as one message: waking a thread takes as long as a statement
  }
  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), '', done);
  }
  override _final(done: () => void): void {
    this.#port.close();
    this.push(null);
    done();
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#port.close();
    done(error);
  }
}
