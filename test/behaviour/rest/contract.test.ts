import { createConfig, lintFromString } from '@redocly/openapi-core';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../../src/transports/rest/openapi-types.ts';
import { newAdminToken, openServer, type Agent } from './open-server.ts';
import { answerChecker, operationsOf, valuesOf, type Operation } from '../../support/openapi.ts';

const server = openServer();
const roles = ['owner', 'admin', 'viewer'] as const;
let document: OpenApiDocument;
let operations: Operation[];
let admins: Record<(typeof roles)[number], Agent>;
let agent: Agent;
let faultOf: ReturnType<typeof answerChecker>;

beforeAll(async () => {
  document = (await server.agentWith('').send('GET', '/v1/openapi.json')).json<
    OpenApiDocument & Record<string, unknown>
  >();
  operations = operationsOf(document);
  faultOf = answerChecker(document);
  const tokens = await Promise.all(roles.map((role) => newAdminToken(server.world, role)));
  admins = Object.fromEntries(roles.map((role, n) => [role, server.agentWith(tokens[n]!)])) as typeof admins;
  agent = await server.agent();
});

const ofAdministrators = () => operations.filter((operation) => operation['x-least-role']);
const exampleOf = ({ requestBody }: Operation) => Object.values(requestBody?.content ?? {})[0]?.example;
const filled = (path: string, values: Readonly<Record<string, string>>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? 'nothing'));

test('the document lints clean', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      'tag-description': 'off', // the names of the groups say it
      'no-ambiguous-paths': 'off', // a word stands before a parameter: `batch` is no id of ours
    },
  });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

describe('every administrators’ route', () => {
  /** Sends it as an ordinary caller would, about things that are not there. */
  const call = (by: Agent, operation: Operation, more: { body?: unknown; query?: string } = {}) => {
    const body = 'body' in more ? more.body : exampleOf(operation);
    const path = filled(operation.path, {}) + (more.query ?? '');
    return by.send(operation.method, path, body === undefined ? {} : { body });
  };

  test('there are the 38 and the import and the dry run beside them, each with an id of its own', () => {
    expect(ofAdministrators().length).toBeGreaterThanOrEqual(40);
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(operations.length);
  });

  test.each(roles)('takes the role %s or refuses it, as it documents', async (role) => {
    for (const operation of ofAdministrators()) {
      const mayCall = roles.indexOf(role) <= roles.indexOf(operation['x-least-role'] as typeof role);
      const answer = await call(admins[role], operation);
      expect([operation.operationId, answer.status === 403]).toEqual([operation.operationId, !mayCall]);
      expect(faultOf(operation, answer.status, answer.json())).toBeNull();
    }
  });

  test('names a field that it does not know, and refuses what is no object', async () => {
    for (const operation of ofAdministrators().filter(({ requestBody }) => requestBody?.content['application/json'])) {
      const strange = await call(admins.owner, operation, { body: { colour: 'green' } });
      expect([operation.operationId, strange.status]).toEqual([operation.operationId, 400]);
      expect(strange.json<{ errors: { field: string }[] }>().errors.map(({ field }) => field)).toContain('colour');
      for (const body of [[], 7, null]) expect((await call(admins.owner, operation, { body })).status).toBe(400);
    }
  });

  test('names a parameter that it does not know, and one that is wrong', async () => {
    for (const operation of ofAdministrators()) {
      const isPaged = operation.parameters.some(({ name }) => name === 'cursor');
      for (const [query, field] of [['?colour=green', 'colour'], ...(isPaged ? [['?limit=0', 'limit']] : [])]) {
        const answer = await call(admins.owner, operation, { query: query! });
        expect([operation.operationId, answer.status]).toEqual([operation.operationId, 400]);
        expect(answer.json()).toMatchObject({ errors: [{ field }] });
      }
    }
  });
});

test('requests made of the schemas, and of nothing sensible, find no fault of ours', async () => {
  const { id } = await server.world.instance();
  const known = {
    instance_id: id,
    client_id: (await server.world.app.administration.clients(server.world.admin, {}, { limit: 1 })).data[0]!.id,
  };
  // What ends the things that the other requests are about is tried on others.
  const isLasting = ({ operationId }: Operation) => !/^(?:purge|archive)/.test(operationId);
  for (const operation of operations.filter(isLasting)) {
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
    const requests = fc.record({
      ids: fc.record(Object.fromEntries(inPath.map((name) => [name, idsOf(known[name as keyof typeof known])]))),
      query: fc.record(Object.fromEntries(inQuery.map(({ name, schema }) => [name, valuesOf(schema, document)])), {
        requiredKeys: [],
      }),
      body: bodiesOf(operation),
    });
    const by = operation['x-least-role'] ? admins.owner : agent;
    for (const { ids, query, body } of fc.sample(requests, { numRuns: 6, seed: 7 })) {
      const values = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(asText(value))}`);
      const path = `${filled(operation.path, ids)}${values.length ? `?${values.join('&')}` : ''}`;
      const answer = await by.send(operation.method, path, body === undefined ? {} : { body });
      expect({ path, body, status: answer.status, text: answer.text }).toMatchObject({
        status: expect.toSatisfy(isNoFault),
      });
      if (Object.values(ids).includes('..')) continue; // a client takes it for the folder above, which is another route
      if (answer.headers.get('content-type')?.includes('json') && !answer.text.includes('\n')) {
        expect({ path, body, fault: faultOf(operation, answer.status, answer.json()) }).toMatchObject({ fault: null });
      }
    }
  }
});

const isNoFault = (status: number) => status < 500;
const asText = (value: unknown) => (typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value));

const idsOf = (known: string | undefined) =>
  fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map((text) => text.toWellFormed()),
    fc.constantFrom(
      '0',
      'inst_0000000000000000',
      'cli_ffffffffffffffff',
      "' OR 1=1 --",
      '..',
      ...(known ? [known, known, known] : []),
    ),
  );

function bodiesOf({ requestBody }: Operation): fc.Arbitrary<unknown> {
  const schema = requestBody?.content['application/json']?.schema;
  return schema
    ? fc.oneof({ weight: 9, arbitrary: valuesOf(schema, document) }, { weight: 1, arbitrary: fc.jsonValue() })
    : fc.constant(undefined);
}
