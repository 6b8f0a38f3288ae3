// Reads streams as bytes, by HTTP/2 alone: what it costs to read must not be what is measured.
import { connect } from 'node:http2';
import { answer } from './child.mjs';
import { service } from './wire.mjs';

const streamsEach = 100;
const windowBytes = 16 << 20;
let bytes = 0;

answer({
  /** Resolves when every stream has begun to flow. */
  async open({ address, streams }) {
    const sessions = [];
    const flowing = Array.from({ length: streams }, (_, n) => {
      if (n % streamsEach === 0) sessions.push(connected(address));
      return opened(sessions.at(-1));
    });
    await Promise.all(flowing);
  },
  bytes: () => bytes,
});

function connected(address) {
  const session = connect(`http://${address}`, { settings: { initialWindowSize: windowBytes } });
  session.once('connect', () => session.setLocalWindowSize(windowBytes));
  return session;
}

function opened(session) {
  const stream = session.request({
    ':method': 'POST',
    ':path': service.Anticipate.path,
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: 'Bearer any',
  });
  const start = service.Anticipate.requestSerialize({ sessionStart: { userId: 'ada' } });
  const head = Buffer.alloc(5);
  head.writeUInt32BE(start.length, 1);
  stream.write(Buffer.concat([head, start]));
  stream.on('data', (part) => (bytes += part.length));
  stream.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    stream.once('data', resolve);
    stream.once('trailers', (trailers) => reject(new Error(`a stream ended: ${JSON.stringify(trailers)}`)));
    stream.once('close', () => reject(new Error('a stream was closed')));
  });
}
