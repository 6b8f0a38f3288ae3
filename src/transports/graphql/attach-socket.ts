import { CloseCode, type Server } from 'graphql-ws';
import type { WebSocket } from 'ws';

/** A peer that answers no ping for this long is gone. */
const pingEveryMs = 15_000;

/** The most answers that may wait for a slow peer: beyond it, no more of its requests are read until they have left. */
const mostWaitingBytes = 1 << 20;

/** Speaks the protocol over a socket until it closes; then calls `ended`, with the error that closed it if one did. */
export function attachSocket<E extends Record<PropertyKey, unknown>>(
  protocol: Server<E>,
  socket: WebSocket,
  extra: E,
  ended: (error?: unknown) => void,
): void {
  let isAlive = true;
  const pinging = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, pingEveryMs);
  socket.on('pong', () => {
    isAlive = true;
  });
  // Errors of a socket (a frame too large, a reset) are its peer's doing; the socket closes itself.
  socket.on('error', () => undefined);

  const fail = (error: unknown) => {
    if (isUnexpectedMessage(error)) return socket.close(CloseCode.BadRequest, 'Invalid message received');
    ended(error);
    socket.close(CloseCode.InternalServerError, 'Internal server error');
  };
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      close: (code, reason) => socket.close(code, reason),
      send: (text) =>
        new Promise((resolve) => {
          // A failed send closes the socket, and that ends all.
          socket.send(text, () => {
            if (socket.bufferedAmount <= mostWaitingBytes) socket.resume();
            resolve();
          });
          if (socket.bufferedAmount > mostWaitingBytes) socket.pause();
        }),
      onMessage: (take) => socket.on('message', (message: Buffer) => void take(message.toString()).catch(fail)),
    },
    extra,
  );
  socket.once('close', (code, reason) => {
    clearInterval(pinging);
    ended();
    closed(code, String(reason)).catch(ended);
  });
}

/** Whether the peer sent a message that only servers send, for which graphql-ws throws an error. */
const isUnexpectedMessage = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Unexpected message of type');
