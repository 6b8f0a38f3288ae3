import { status } from '@grpc/grpc-js';
import {
  buildSchema,
  getNamedType,
  isCompositeType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
} from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { permissionOf, permissions, type UseCase } from '../../../src/app/permissions.ts';
import type { Access, AdminRole, Principal } from '../../../src/domain/tenancy/access.ts';
import type { Permission } from '../../../src/app/permission.ts';
import { anticipationService, loadDefinitions } from '../../../src/transports/grpc/definition.ts';
import { useCaseOfRpc } from '../../../src/transports/grpc/anticipate.ts';
import { typeDefs } from '../../../src/transports/graphql/schema.ts';
import { useCaseOfField } from '../../../src/transports/graphql/use-cases.ts';
import { memoryTools } from '../../../src/transports/mcp/server.ts';
import { routes } from '../../../src/transports/rest/mount-rest.ts';
import { end, openClient } from '../grpc/open-client.ts';
import { newAdminToken } from '../rest/open-server.ts';
import { leastArgument } from '../../support/least-argument.ts';
import { openDoors } from '../../support/open-doors.ts';
import { openWorld } from '../../support/world.ts';

/**
 * Every route, root field and rpc is tried with every kind of credential, and the outcome has to be the one that the
 * table of permissions says. The walk covers what is mounted: whatever is added to a door without an entry fails here.
 */
const doors = openDoors(openWorld({}));
const { world } = doors;

type Kind = Principal['kind'];
type Outcome = 'unauthenticated' | 'token_expired' | 'forbidden' | 'allowed';

interface Credential {
  readonly name: string;
  /** The Authorization header, made anew for each call where a rate would end too soon. */
  readonly header: () => Promise<string>;
  readonly opens: { readonly kind: Kind; readonly role?: AdminRole } | Exclude<Outcome, 'allowed'>;
}

let own: { access: Access; key: string; id: string };
let credentials: readonly Credential[];

beforeAll(async () => {
  own = await world.instance();
  const { app } = world;
  await app.startConversation(own.access, { conversationId: 'harbour', userId: 'ada' });
  const instruction = { document: 'Always answer me in French.', documentType: 'note', mode: 'fast' } as const;
  await app.submit(own.access, { ...instruction, userId: 'ada' }); // so that those who watch are sent something
  await world.settle();
  const revoked = await app.createKey(world.asAdmin(own.access), { label: null });
  await app.revokeKey(world.asAdmin(own.access), revoked.record.id);
  const suspended = await world.instance();
  await app.administration.changeInstanceState(world.admin, { id: suspended.id, event: 'suspend' });
  const browserOf = async (bound: { userId?: string; conversationId?: string }) =>
    (await app.createBrowserToken(own.access, { ...bound, ttlSeconds: 600 })).token;
  const expired = await browserOf({ userId: 'ada' });
  await world.deps.db.browserToken.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
  const tokens = await Promise.all((['viewer', 'admin', 'owner'] as const).map((role) => newAdminToken(world, role)));

  const fixed = (name: string, header: string, opens: Credential['opens']): Credential => ({
    name,
    header: async () => header,
    opens,
  });
  credentials = [
    fixed('none', '', 'unauthenticated'),
    fixed('a malformed one', 'Basic abc', 'unauthenticated'),
    fixed('an unknown key', `Bearer presage_${'0'.repeat(43)}`, 'unauthenticated'),
    fixed('a revoked key', `Bearer ${revoked.key}`, 'unauthenticated'),
    fixed('a key of a suspended instance', `Bearer ${suspended.key}`, 'forbidden'),
    fixed('an expired browser token', `Bearer ${expired}`, 'token_expired'),
    fixed('a key', `Bearer ${own.key}`, { kind: 'key' }),
    {
      name: 'a browser token of a user',
      header: async () => `Bearer ${await browserOf({ userId: 'ada' })}`,
      opens: { kind: 'browser' },
    },
    {
      name: 'a browser token of a conversation',
      header: async () => `Bearer ${await browserOf({ conversationId: 'harbour' })}`,
      opens: { kind: 'browser' },
    },
    fixed('a viewer', `Bearer ${tokens[0]}`, { kind: 'admin', role: 'viewer' }),
    fixed('an admin', `Bearer ${tokens[1]}`, { kind: 'admin', role: 'admin' }),
    fixed('an owner', `Bearer ${tokens[2]}`, { kind: 'admin', role: 'owner' }),
  ];
});

const ranks: readonly AdminRole[] = ['viewer', 'admin', 'owner'];

/** What the table says of a credential, at a door that takes these kinds. */
function expected({ opens }: Credential, permission: Permission, taken: readonly Kind[]): Outcome {
  if (typeof opens === 'string') return opens;
  const { kind, role } = opens;
  if (!taken.includes(kind) || !permission[kind]) return 'forbidden';
  if (kind !== 'admin') return 'allowed';
  return ranks.indexOf(role!) >= ranks.indexOf(permission.admin!) ? 'allowed' : 'forbidden';
}

/** The refusal of a credential; anything else, such as input that is wrong or names nothing, is past the door. */
function outcomeOf(code: string | undefined): Outcome {
  expect(code).not.toBe('internal');
  return code === 'unauthenticated' || code === 'token_expired' || code === 'forbidden' ? code : 'allowed';
}

/** Sends a request and gives its answer as far as is needed to know the outcome: a stream of events never ends. */
async function send(method: string, path: string, { header, body }: { header: string; body?: unknown }) {
  const left = new AbortController();
  const answer = await fetch(doors.baseUrl + path, {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(header ? { authorization: header } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: left.signal,
  });
  let text = '';
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream');
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (isStream && /^data: ?\{/m.test(text)) break;
  }
  left.abort();
  return { status: answer.status, text };
}

async function walk(
  name: string,
  try_: (credential: Credential) => Promise<Outcome>,
  want: (of: Credential) => Outcome,
) {
  for (const credential of credentials) {
    const told = { what: name, credential: credential.name, outcome: await try_(credential) };
    expect(told).toEqual({ ...told, outcome: want(credential) });
  }
}

describe('REST', () => {
  /** Routes that ask for no credential, and those of GraphQL and MCP, which are walked below. */
  const open = [
    '/docs',
    '/docs/',
    '/docs/start.js',
    '/docs/swagger-ui-bundle.js',
    '/docs/swagger-ui.css',
    '/v1/openapi.json',
  ]
    .concat(['/v1/configuration-schema.json', '/metrics', '/graphql', '/graphql/schema', '/graphql/explorer'])
    .concat(['/graphql/explorer/options.js', '/graphql/explorer/schema.json', '/graphql/explorer/*']);
  const ofOthers = ['POST /graphql', 'POST /graphql/stream', 'POST /mcp'];

  test('what is mounted is what has an entry, and what is open', () => {
    const declared = routes.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
    const mounted = [...doors.mounted].filter((each) => !each.startsWith('HEAD '));
    expect(mounted.toSorted()).toEqual([...declared, ...open.map((path) => `GET ${path}`), ...ofOthers].toSorted());
  });

  test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s',
    { timeout: 120_000 },
    async (name, { method, path, useCase, isForAdministrators, statuses }) => {
      const filled = path.replace('{conversation_id}', 'harbour').replaceAll(/\{\w+\}/g, 'nothing');
      const body = ['POST', 'PUT', 'PATCH'].includes(method)
        ? path.endsWith('/fetch')
          ? { search_queries: ['tea'] }
          : {}
        : undefined;
      await walk(
        name,
        async ({ header }) => {
          const answer = await send(method, filled, { header: await header(), body });
          if (answer.status < 400) expect(statuses).toContain(answer.status);
          return outcomeOf(answer.status < 400 ? undefined : JSON.parse(answer.text).code);
        },
        (of) => expected(of, permissionOf(useCase), isForAdministrators ? ['admin'] : ['key', 'browser']),
      );
    },
  );
});

describe('GraphQL', () => {
  const schema = buildSchema(typeDefs);
  const roots = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!];

  test('every field of the roots has an entry', () => {
    const fields = Object.fromEntries(roots.map((root) => [root.name, Object.keys(root.getFields()).toSorted()]));
    const entries = Object.entries(useCaseOfField).map(([root, of]) => [root, Object.keys(of).toSorted()]);
    expect(Object.fromEntries(entries)).toEqual(fields);
  });

  const fields = roots.flatMap((root) => Object.values(root.getFields()).map((field) => ({ root: root.name, field })));
  test.each(fields.map((each) => [`${each.root}.${each.field.name}`, each] as const))(
    '%s',
    { timeout: 120_000 },
    async (name, { root, field }) => {
      const useCase = (useCaseOfField as unknown as Record<string, Record<string, UseCase>>)[root]![field.name]!;
      await walk(
        name,
        async (credential) => ask(root, field, credential),
        (of) => expected(of, permissionOf(useCase), ['key', 'browser', 'admin']),
      );
    },
  );

  test('a key that names another instance is refused by every field that takes one', async () => {
    const other = await world.instance();
    for (const { root, field } of fields) {
      const names = field.args.find(
        (each) => each.name === 'instanceId' || (field.name === 'instance' && each.name === 'id'),
      );
      if (!names) continue;
      const stranger: Credential = {
        name: 'another',
        header: async () => `Bearer ${other.key}`,
        opens: { kind: 'key' },
      };
      expect([field.name, await ask(root, field, stranger, { [names.name]: own.id })]).toEqual([
        field.name,
        'forbidden',
      ]);
    }
  });
});

/** Asks for one field with what it needs at least. An administrator names the instance. */
async function ask(
  root: string,
  field: GraphQLField<unknown, unknown>,
  { header, opens }: Credential,
  given: Record<string, string> = {},
): Promise<Outcome> {
  const isAdmin = typeof opens === 'object' && opens.kind === 'admin';
  // A subscription to memories never ends by itself: a user that is refused ends it once it is let in.
  const ending = field.name.startsWith('memory') && root === 'Subscription' ? { userId: '' } : {};
  const named = { ...(isAdmin ? { instanceId: own.id } : {}), conversationId: 'harbour', ...ending, ...given };
  const args = field.args
    .filter((each) => each.name in named || (isNonNullType(each.type) && each.defaultValue === undefined))
    .map(
      (each: GraphQLArgument) =>
        `${each.name}: ${each.name in named ? JSON.stringify(named[each.name as keyof typeof named]) : literal(each.type)}`,
    );
  const text = `${root.toLowerCase()} { ${field.name}${args.length ? `(${args.join(', ')})` : ''}${
    isCompositeType(getNamedType(field.type)) ? ' { __typename }' : ''
  } }`;
  const path = root === 'Subscription' ? '/graphql/stream' : '/graphql';
  const answer = await send('POST', path, { header: await header(), body: { query: text } });
  const json = answer.text.startsWith('{') ? answer.text : (/^data: ?(\{.*)$/m.exec(answer.text)?.[1] ?? '{}');
  const { errors = [] } = JSON.parse(json) as { errors?: { message: string; extensions: { code: string } }[] };
  expect({ text, invalid: errors.filter(({ message }) => /syntax|unknown|expected/i.test(message)) }).toEqual({
    text,
    invalid: [],
  });
  return outcomeOf(errors[0]?.extensions.code);
}

/** The least value that the type takes. */
const literal = (type: GraphQLInputType): string => leastArgument(type, { instanceId: own.id });

describe('MCP', () => {
  const calling = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  const missing = /Tool \w+ not found/;

  test.each(memoryTools.map((tool) => [tool.name, tool] as const))(
    '%s',
    { timeout: 120_000 },
    async (name, { useCase }) => {
      await walk(
        name,
        async ({ header }) => {
          const body = { ...calling, params: { name, arguments: {} } };
          const answer = await send('POST', '/mcp', { header: await header(), body });
          const { text } = answer;
          if (answer.status >= 400) return outcomeOf(JSON.parse(text).code);
          // A tool that a credential may not call is no tool of its connection.
          return missing.test(text) ? 'forbidden' : outcomeOf(/"text":"(\w+): /.exec(text)?.[1]);
        },
        (of) => expected(of, permissionOf(useCase), ['key', 'browser']),
      );
    },
  );
});

describe('gRPC', () => {
  test('every rpc of the service has an entry', () => {
    const rpcs = Object.keys(loadDefinitions().described[anticipationService]!);
    expect(Object.keys(useCaseOfRpc)).toEqual(rpcs);
  });

  test.each(Object.entries(useCaseOfRpc))('%s', async (name, useCase) => {
    using client = openClient(doors.grpcAddress);
    const codes: Partial<Record<status, string | undefined>> = {
      [status.OK]: undefined,
      [status.PERMISSION_DENIED]: 'forbidden',
    };
    await walk(
      name,
      async ({ header }) => {
        const stream = client.anticipate({ authorization: await header() });
        stream.send({ sessionStart: { userId: 'ada' } }, end);
        const { code, metadata } = await stream.ended;
        return outcomeOf(code in codes ? codes[code] : String(metadata.get('presage-error-code')[0]));
      },
      (of) => expected(of, permissionOf(useCase), ['key', 'browser', 'admin']),
    );
  });
});

describe('the use cases themselves', () => {
  /** Every use case by its name in the table. */
  const useCasesOf = (app: object, group = ''): [string, (...given: unknown[]) => unknown][] =>
    Object.entries(app).flatMap(([name, each]) =>
      typeof each === 'function' ? [[group + name, each]] : useCasesOf(each as object, `${group}${name}.`),
    );

  test('each has an entry in the table, and each entry a use case', () => {
    const names = useCasesOf(world.app satisfies App).map(([name]) => name);
    expect(Object.keys(permissions).toSorted()).toEqual(names.toSorted());
  });

  test('each refuses whoever the table does not name, before it looks at anything else', async () => {
    const caller = async (header: string) => {
      const known = await world.app.authenticate(header);
      return known.kind === 'admin' ? known.admin : known.access;
    };
    let refused = 0;
    for (const credential of credentials.filter(({ opens }) => typeof opens === 'object')) {
      const known = await caller(await credential.header());
      for (const [name, useCase] of useCasesOf(world.app)) {
        const permission = permissions[name as UseCase];
        if (!permission || expected(credential, permission, ['key', 'browser', 'admin']) === 'allowed') continue;
        const told = await (async () => useCase(known))().then(
          () => 'allowed',
          ({ code }: { code: string }) => code,
        );
        expect({ credential: credential.name, name, told }).toEqual({
          credential: credential.name,
          name,
          told: 'forbidden',
        });
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(200);
  });
});
