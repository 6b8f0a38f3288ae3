import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DomainError } from '../../../src/domain/errors.ts';
import type { OpenApiDocument } from '../../../src/transports/rest/openapi-types.ts';
import { answerChecker, operationsOf, type Operation } from '../../support/openapi.ts';
import { conflicting, succeeding, type Scene } from './admin-scenes.ts';
import { newAdminToken, openServer, type Agent, type Reply, type Request } from './open-server.ts';

const server = openServer();
let operations: Operation[];
let owner: Agent;
let faultOf: ReturnType<typeof answerChecker>;

/** Which answers each route was seen to give, as it documents them. */
const seen = new Map<string, Set<number>>();

beforeAll(async () => {
  owner = server.agentWith(await newAdminToken(server.world, 'owner'));
  const document = (await owner.send('GET', '/v1/openapi.json')).json<OpenApiDocument & Record<string, unknown>>();
  operations = operationsOf(document).filter((operation) => operation['x-least-role']);
  faultOf = answerChecker(document);
});
afterAll(() => vi.restoreAllMocks());

/** Sends the documented example, or what the scene has instead; the answer must be one that is documented. */
async function call(operation: Operation, { ids = {}, query = '', ...scene }: Scene, request: Request = {}) {
  const body = scene.body ?? Object.values(operation.requestBody?.content ?? {})[0]?.example;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? 'nothing'));
  const sent = { ...(body === undefined ? {} : { body }), ...request };
  const answer = await owner.send(operation.method, path + query, sent);
  expect(faultOf(operation, answer.status, answer.json())).toBeNull();
  seen.set(operation.operationId, (seen.get(operation.operationId) ?? new Set()).add(answer.status));
  return answer;
}
const expectStatus = ({ operationId }: Operation, { status, text }: Reply, expected: number) =>
  expect([operationId, status, text]).toEqual([operationId, expected, text]);
const documents = (status: number) => operations.filter(({ responses }) => responses[status]);

test('every route has a scene in which it succeeds, and one for each conflict of its own', () => {
  const names = operations.map(({ operationId }) => operationId);
  expect(Object.keys(succeeding).toSorted()).toEqual(names.toSorted());
  expect(names).toEqual(expect.arrayContaining(Object.keys(conflicting)));
});

describe('generated from the document, every administrators’ route', { timeout: 120_000 }, () => {
  test('succeeds as it documents', async () => {
    for (const operation of operations) {
      const answer = await call(operation, await succeeding[operation.operationId]!(owner));
      expectStatus(operation, answer, Number(Object.keys(operation.responses)[0]));
    }
  });

  test('conflicts with a state that does not allow it', async () => {
    for (const [name, scene] of Object.entries(conflicting)) {
      const operation = operations.find(({ operationId }) => operationId === name)!;
      expectStatus(operation, await call(operation, await scene(owner)), 409);
    }
  });

  test('conflicts with another request under the same key of repetitions', async () => {
    for (const operation of documents(409).filter(({ operationId }) => !conflicting[operationId])) {
      const scene = await succeeding[operation.operationId]!(owner);
      const headers = { 'Idempotency-Key': operation.operationId };
      const first = await call(operation, scene, { headers });
      expect(first.status).toBeLessThan(300);
      expectStatus(operation, await call(operation, { ...scene, body: { other: true } }, { headers }), 409);
    }
  });

  test('knows nothing of what never was, refuses what it does not know, and asks for a credential', async () => {
    for (const operation of operations) {
      if (operation.path.includes('{')) expectStatus(operation, await call(operation, {}), 404);
      else if (operation.responses[404])
        expectStatus(operation, await call(operation, { query: '?client_id=cli_0000000000000000' }), 404);
      expectStatus(operation, await call(operation, { query: '?colour=green' }), 400);
      expectStatus(
        operation,
        await call(operation, {}, { headers: { Authorization: 'Bearer nobody-knows-this' } }),
        401,
      );
    }
  });

  test('answers JSON or nothing', async () => {
    for (const operation of operations) {
      expectStatus(operation, await call(operation, {}, { headers: { Accept: 'image/png' } }), 406);
    }
  });

  test('takes no agent’s key, no other type of body, and none that is too large', async () => {
    const { key } = await server.agent();
    for (const operation of operations) {
      expectStatus(operation, await call(operation, {}, { headers: { Authorization: `Bearer ${key}` } }), 403);
    }
    for (const operation of documents(413)) {
      expectStatus(operation, await call(operation, {}, { raw: 'a=1', headers: { 'Content-Type': 'text/csv' } }), 415);
      expectStatus(operation, await call(operation, {}, { raw: tooLarge(operation) }), 413);
    }
  });

  test.each([
    { status: 500, fault: new Error('the password is Tangerine') },
    { status: 503, fault: new DomainError('unavailable', 'the database does not answer') },
  ])('says nothing of the inside when it cannot answer: $status', async ({ status, fault }) => {
    const down = vi.spyOn(server.world.app, 'authenticate').mockRejectedValue(fault);
    for (const operation of operations) {
      const answer = await call(operation, {});
      expectStatus(operation, answer, status);
      expect(answer.text).not.toContain('Tangerine');
    }
    down.mockRestore();
  });
});

test('so every documented answer was seen, but for an instance of another region', () => {
  const unseen = operations.flatMap(({ operationId, responses }) =>
    Object.keys(responses)
      .filter((status) => status !== '421' && !seen.get(operationId)?.has(Number(status)))
      .map((status) => `${operationId} ${status}`),
  );
  expect(unseen).toEqual([]);
});

/** An import takes as much as a batch does. */
const tooLarge = ({ operationId }: Operation) =>
  `{"name":"${'a'.repeat(operationId === 'importWorldKnowledge' ? 17 << 20 : 3 << 20)}"}`;
