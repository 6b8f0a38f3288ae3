import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { credentials, status } from '@grpc/grpc-js';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { watchCertificate } from '../../../src/adapters/certificate-files/watch-certificate.ts';
import { createIdempotency } from '../../../src/domain/tenancy/idempotency.ts';
import { createTelemetry } from '../../../src/telemetry.ts';
import { createGrpcServer, type GrpcServer } from '../../../src/transports/grpc/server.ts';
import { createHttpServer } from '../../../src/transports/http/server.ts';
import { mountRest } from '../../../src/transports/rest/mount-rest.ts';
import { hasOpenssl, makeCertificate, type CertificateOnDisk } from '../../support/certificate.ts';
import { openWorld } from '../../support/world.ts';
import { end, openClient, start } from '../grpc/open-client.ts';

describe.runIf(hasOpenssl)('with a certificate, both doors', () => {
  const world = openWorld();
  const refusals: unknown[] = [];
  let onDisk: CertificateOnDisk;
  let certificate: ReturnType<typeof watchCertificate>;
  let http: FastifyInstance;
  let grpc: GrpcServer;
  /** HTTP's and gRPC's. */
  const ports = () => [(http.server.address() as AddressInfo).port, grpc.port] as const;

  beforeAll(async () => {
    onDisk = makeCertificate();
    const watching = { renewed: () => undefined, refused: (error: unknown) => refusals.push(error), everyMs: 20 };
    certificate = watchCertificate(onDisk, watching);
    const telemetry = createTelemetry({ level: 'silent', process: 'test' });
    const { app, deps } = world;
    const parts = { app, telemetry, idempotency: createIdempotency(deps.db), mount: [mountRest(app, telemetry)] };
    http = createHttpServer({ ...parts, tls: certificate });
    await http.listen({ host: '127.0.0.1', port: 0 });
    grpc = await createGrpcServer({ app, telemetry, address: '127.0.0.1:0', tls: certificate });
  });
  afterAll(async () => {
    certificate.close();
    await http.close();
    await grpc.close(0);
    onDisk.remove();
  });

  /** What a handshake comes to. */
  async function handshake(port: number, maxVersion: 'TLSv1.2' | 'TLSv1.3') {
    const socket = connect({
      port,
      host: '127.0.0.1',
      maxVersion,
      ca: onDisk.cert(),
      ALPNProtocols: ['h2', 'http/1.1'],
    });
    try {
      await once(socket, 'secureConnect');
      return { version: socket.getProtocol(), shown: socket.getPeerX509Certificate()!.fingerprint256 };
    } catch (error) {
      return { refused: String(error) };
    } finally {
      socket.destroy();
    }
  }
  const fingerprint = () => new X509Certificate(onDisk.cert()).fingerprint256;

  test('speak TLS 1.3', async () => {
    for (const port of ports()) {
      expect(await handshake(port, 'TLSv1.3')).toEqual({ version: 'TLSv1.3', shown: fingerprint() });
    }
  });

  test('refuse TLS 1.2', async () => {
    for (const port of ports()) {
      expect(await handshake(port, 'TLSv1.2')).toEqual({
        refused: expect.stringMatching(/protocol version|ECONNRESET/i),
      });
    }
  });

  test('answer an agent', async () => {
    const { key } = await world.instance();
    const answer = await ask('/v1/memories', key);
    expect([answer.status, answer.body]).toEqual([200, { data: [], next_cursor: null }]);
    expect(await streamEnds(key)).toBe(status.OK);
  });

  test('show a renewed certificate to whoever comes next, while open connections go on', async () => {
    const { key } = await world.instance();
    const client = openClient(`localhost:${grpc.port}`, credentials.createSsl(onDisk.cert()));
    const stream = client.anticipate({ key });
    stream.send(start(), { ping: {} });
    await stream.next();
    const before = fingerprint();

    onDisk.renew();
    expect(fingerprint()).not.toBe(before);
    await vi.waitFor(async () => {
      for (const port of ports()) {
        expect(await handshake(port, 'TLSv1.3')).toEqual({ version: 'TLSv1.3', shown: fingerprint() });
      }
    }, 5_000);
    stream.send({ ping: {} });
    expect((await stream.next())?.kind).toBe('pong');
    stream.send(end);
    expect((await stream.ended).code).toBe(status.OK);
    client.client.close();
    expect((await ask('/v1/memories', key)).status).toBe(200);
    expect(await streamEnds(key)).toBe(status.OK);
  });

  test('keep the last good certificate when the new one cannot be used, and say so once', async () => {
    const good = onDisk.cert();
    writeFileSync(onDisk.certFile, 'no certificate');
    refusals.length = 0;
    await vi.waitFor(() => expect(refusals).toHaveLength(1));
    writeFileSync(onDisk.certFile, good);
    for (const port of ports()) expect(await handshake(port, 'TLSv1.3')).toMatchObject({ shown: fingerprint() });
    expect(refusals).toHaveLength(1);
  });

  async function ask(path: string, key: string): Promise<{ status: number | undefined; body: unknown }> {
    const [port] = ports();
    const request = get({ port, path, ca: onDisk.cert(), agent: false, headers: { authorization: `Bearer ${key}` } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const chunks = await response.toArray();
    return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) };
  }

  async function streamEnds(key: string): Promise<status> {
    using client = openClient(`localhost:${grpc.port}`, credentials.createSsl(onDisk.cert()));
    const stream = client.anticipate({ key });
    stream.send(start(), end);
    return (await stream.ended).code;
  }
});

if (!hasOpenssl) process.stderr.write('TLS is NOT TESTED: there is no openssl to make certificates with\n');
