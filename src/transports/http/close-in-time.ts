import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * When the server closes, requests under way have `graceMs` to be answered. Node would wait for its peers for ever: for
 * those who connected and say nothing, as browsers do in advance, and for those who take their time over a body.
 */
export function closeInTime(http: FastifyInstance, { graceMs, isTls }: { graceMs: number; isTls: boolean }): void {
  const silent = new Set<Socket>();
  const met = new WeakSet<Socket>();
  let isClosing = false;
  let deadline: NodeJS.Timeout | undefined;
  const speaks = ({ socket }: { socket: Socket }) => silent.delete(socket);
  http.server.on('request', speaks).on('upgrade', speaks);
  http.server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    if (isClosing) return socket.destroy();
    silent.add(socket);
    // A socket comes again after each offer of another protocol; see `takeUpgrades`.
    if (!met.has(socket)) socket.once('close', () => silent.delete(socket));
    met.add(socket);
    return undefined;
  });
  http.addHook('preClose', async () => {
    isClosing = true;
    for (const socket of silent) socket.destroy();
    deadline = setTimeout(() => http.server.closeAllConnections(), graceMs);
  });
  http.addHook('onClose', async () => clearTimeout(deadline));
}
