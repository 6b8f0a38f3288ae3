import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';

/** The program `moto_server` of the PyPI package `moto[server]`: AWS' API on this machine. Undefined: it is not here. */
export const motoServer = [
  process.env['MOTO_SERVER'],
  ...(process.env['PATH'] ?? '').split(':').map((folder) => `${folder}/moto_server`),
].find((path) => path !== undefined && existsSync(path));

/** AWS KMS as far as its client can tell; sets where the client looks for it until it is stopped. */
export async function startKms(): Promise<{ newKey(): Promise<string>; stop(): Promise<void> }> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(motoServer!, ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_KMS: url,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  for (let n = 0; n < 600 && !(await isUp(url)); n++) await new Promise((resolve) => setTimeout(resolve, 50));
  const { CreateKeyCommand, KMSClient } = await import('@aws-sdk/client-kms');
  const client = new KMSClient({});
  return {
    newKey: async () => (await client.send(new CreateKeyCommand({}))).KeyMetadata!.Arn!,
    async stop() {
      client.destroy();
      const gone = once(server, 'exit');
      server.kill();
      await gone;
    },
  };
}

const isUp = (url: string) =>
  fetch(`${url}/moto-api/data.json`).then(
    (answer) => answer.ok,
    () => false,
  );
