import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { credentials, makeGenericClientConstructor, status, type ServiceDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { protoPath as healthProto } from 'grpc-health-check';
import { describe, expect, test } from 'vitest';
import { end, openClient, says, start } from './open-client.ts';
import { startStandIn } from './stand-in.ts';

const found = async () => ({ memories: [], totalTokens: 0 });
const ours = 'presage.anticipation.v1.Anticipation';

describe('health', () => {
  test.each(['', ours])('of "%s" is SERVING, asked without a key', async (service) => {
    await using server = await startStandIn(found);
    const health = clientOf(healthProto, 'grpc.health.v1.Health', server.address);
    const answer = await new Promise((resolve) => {
      health['check']?.({ service }, (_error: Error | null, told: unknown) => resolve(told));
    });
    expect(answer).toEqual({ status: 'SERVING' });
    health.close();
  });

  test('turns to NOT_SERVING when the server stops', async () => {
    await using server = await startStandIn(found);
    const health = clientOf(healthProto, 'grpc.health.v1.Health', server.address);
    const watch = health['watch']?.({ service: ours });
    watch.on('error', () => {});
    expect(await once(watch, 'data')).toEqual([{ status: 'SERVING' }]);
    const told = once(watch, 'data');
    await server.close(1_000);
    expect(await told).toEqual([{ status: 'NOT_SERVING' }]);
    health.close();
  });
});

test('reflection tells of the services, without a key', async () => {
  await using server = await startStandIn(found);
  const require = createRequire(import.meta.url);
  const proto = require.resolve('@grpc/reflection/build/proto/grpc/reflection/v1/reflection.proto');
  const reflection = clientOf(proto, 'grpc.reflection.v1.ServerReflection', server.address);
  const call = reflection['serverReflectionInfo']?.();
  call.on('error', () => {}); // that the server closed it is no news
  const ask = async (question: object) => {
    const answer = once(call, 'data');
    call.write(question);
    return (await answer)[0];
  };
  const { listServicesResponse } = await ask({ listServices: '' });
  const names = listServicesResponse.service.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining([ours, 'grpc.health.v1.Health']));
  const { fileDescriptorResponse } = await ask({ fileContainingSymbol: ours });
  const files = Buffer.concat(fileDescriptorResponse.fileDescriptorProto).toString('latin1');
  for (const name of ['SessionStart', 'event_precision', 'MEMORY_TYPE_TEMPORAL_EVENTS']) expect(files).toContain(name);
  call.end();
  reflection.close();
});

describe.runIf(spawnSync('openssl', ['version']).status === 0)('with a certificate', () => {
  test('it speaks TLS 1.3, and nothing below', async () => {
    const tls = selfSigned();
    await using server = await startStandIn(found, { tls });
    using client = openClient(server.address.replace('127.0.0.1', 'localhost'), credentials.createSsl(tls.cert));
    const stream = client.anticipate({ key: 'good' });
    stream.send(start(), says('hi'), end);
    expect(await stream.next()).toMatchObject({ kind: 'bundle' });
    expect((await stream.ended).code).toBe(status.OK);

    const port = Number(server.address.split(':')[1]);
    const old = connect({ port, host: '127.0.0.1', maxVersion: 'TLSv1.2', rejectUnauthorized: false });
    const [refusal] = await once(old, 'error');
    expect(String(refusal)).toMatch(/protocol version|ECONNRESET/i);
  });
});

function clientOf(proto: string, service: string, address: string) {
  const definitions = loadSync(proto, { enums: String, longs: String });
  // A service is what was asked for.
  const Client = makeGenericClientConstructor(definitions[service] as ServiceDefinition, service);
  return new Client(address, credentials.createInsecure());
}

function selfSigned() {
  const folder = mkdtempSync(join(tmpdir(), 'presage-tls-'));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const request = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'.split(
    ' ',
  );
  const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  spawnSync('openssl', ['req', ...request, ...names, '-keyout', key, '-out', cert]);
  const made = { cert: readFileSync(cert), key: readFileSync(key) };
  rmSync(folder, { recursive: true });
  return made;
}
