import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A proxy whose connections can be cut: between a client and the real service. */
export async function breakableProxy(target: string) {
  const [host = '', port] = target.replace('http://', '').split(':');
  const sockets = new Set<Socket>();
  let isRefusing = false;
  let cutsAnswers = 0;
  const server = createServer((near) => {
    if (isRefusing) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), host);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    near.pipe(far);
    far.on('data', (bytes: Buffer) => {
      if (cutsAnswers > 0) {
        cutsAnswers -= 1;
        near.destroy(); // the service did it, and nobody heard
      } else near.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Cuts what is open; connections that are opened later go through, unless they are refused. */
    cut,
    refuse(refusing: boolean) {
      isRefusing = refusing;
      if (refusing) cut();
    },
    /** The next so many answers are lost on their way, after the service has done what it was asked. */
    loseAnswers(count: number) {
      cutsAnswers = count;
    },
    close() {
      cut();
      server.close();
    },
  };
}
