import { buildSchema } from 'graphql';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { permissionOf } from '../../../src/app/permissions.ts';
import { typeDefs } from '../../../src/transports/graphql/schema.ts';
import { useCaseOfField } from '../../../src/transports/graphql/use-cases.ts';
import { leastCall } from '../../support/least-argument.ts';
import { newAdminToken } from '../rest/open-server.ts';
import { openWorld } from '../../support/world.ts';
import { cookieOf, openDashboard, ownPage } from './open-dashboard.ts';

const world = openWorld();
const dashboard = openDashboard(world);
const behindProxy = openDashboard(world, { isBehindProxy: true });
const password = 'correct horse battery';

let people = 0;
const newEmail = () => `person-${(people += 1)}@example.com`;

let owner: string;
beforeAll(async () => {
  owner = await dashboard.signIn({ token: await newAdminToken(world, 'owner') });
});

const ranks = ['viewer', 'admin', 'owner'];

const invite = `mutation ($email: String!, $role: AdminRole!, $client: ID) {
  inviteMember(email: $email, role: $role, clientId: $client) { __typename ... on InvitationCreated { path } ... on Problem { message } }
}`;

/** A user with this role, in a client or everywhere; answers their cookie. */
async function member(role: 'OWNER' | 'ADMIN' | 'VIEWER', client?: string, email = newEmail()): Promise<string> {
  const { data } = await dashboard.ask(owner, invite, { variables: { email, role, client } });
  return dashboard.signIn({ link: data.inviteMember.path.split('#')[1], email, password });
}

async function newClient() {
  const { id } = await world.app.administration.createClient(world.admin, { name: 'Acme' });
  const instance = await world.app.createInstance(world.admin, { name: 'agent', clientId: id });
  return { id, instance: instance.id };
}

/** Does this after the next comparison of a password, and before what follows from it. */
function oncePasswordIsCompared(work: () => Promise<unknown>) {
  const { passwords } = world.deps;
  const verify = passwords.verify.bind(passwords);
  vi.spyOn(passwords, 'verify').mockImplementationOnce(async (...given) => {
    const isRight = await verify(...given);
    await work();
    return isRight;
  });
}

const codeOf = ({ errors }: { errors?: { extensions: { code: string } }[] }) => errors?.[0]?.extensions.code;
const viewer = '{ viewer { role clientId email readsContent memberships { clientId role } } }';

describe('signing in', () => {
  test('an admin token opens the dashboard with its role, by a cookie that scripts cannot read', async () => {
    const token = await newAdminToken(world, 'viewer');
    const answer = await dashboard.send('POST', '/dashboard/session', { body: { token }, headers: ownPage });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toMatch(/^presage_session=session_\w{43}; .*HttpOnly; SameSite=Strict$/);
    const { data } = await dashboard.ask(cookieOf(answer), viewer);
    expect(data.viewer).toMatchObject({ role: 'VIEWER', email: null, readsContent: false });
  });

  test('an invitation makes an account, once; then its address and password open the dashboard', async () => {
    const email = newEmail();
    const { data } = await dashboard.ask(owner, invite, { variables: { email, role: 'ADMIN' } });
    const link = data.inviteMember.path.split('#')[1];
    const joined = await dashboard.signIn({ link, email, password });
    expect((await dashboard.ask(joined, viewer)).data.viewer).toMatchObject({ role: 'ADMIN', email });
    await expect(dashboard.signIn({ link, email, password })).rejects.toThrow('401');
    const again = await dashboard.signIn({ email: email.toUpperCase(), password });
    expect((await dashboard.ask(again, viewer)).data.viewer).toMatchObject({ email });
  });

  test('an invitation for somebody else, a short password and an unknown link are refused', async () => {
    const { data } = await dashboard.ask(owner, invite, { variables: { email: newEmail(), role: 'ADMIN' } });
    const link = data.inviteMember.path.split('#')[1];
    await expect(dashboard.signIn({ link, email: newEmail(), password })).rejects.toThrow('403');
    await expect(dashboard.signIn({ link, email: newEmail(), password: 'short' })).rejects.toThrow('400');
    await expect(dashboard.signIn({ link: 'invitation_x', email: newEmail(), password })).rejects.toThrow('401');
  });

  test('a wrong password and an unknown address are told alike, and guessing has an end', async () => {
    const email = newEmail();
    await member('VIEWER', undefined, email);
    const tried = async (body: object) => {
      const answer = await dashboard.send('POST', '/dashboard/session', { body, headers: ownPage });
      return { status: answer.status, detail: (await answer.json()).detail };
    };
    const wrong = await tried({ email, password: 'wrong' });
    expect(wrong).toEqual(await tried({ email: newEmail(), password: 'wrong' }));
    expect(wrong.status).toBe(401);
    for (let n = 0; n < 7; n += 1) await tried({ email, password: 'wrong' });
    expect(await tried({ email, password })).toMatchObject({ status: 429 });
  });

  test('behind a proxy, whoever guesses keeps nobody else out, and is told by no address of their own', async () => {
    const token = await newAdminToken(world, 'admin');
    const tries = (given: string, from: string) =>
      behindProxy.send('POST', '/dashboard/session', {
        body: { token: given },
        headers: { ...ownPage, 'x-forwarded-for': from },
      });
    for (let n = 1; n <= 8; n++) expect((await tries('wrong', `192.0.2.${n}, 198.51.100.1`)).status).toBe(401);
    expect((await tries(token, '192.0.2.9, 198.51.100.1')).status).toBe(429);
    expect((await tries(token, '198.51.100.2')).status).toBe(204);
  });

  test('guesses that are sent together are no more than those sent one after the other', async () => {
    const email = newEmail();
    await member('VIEWER', undefined, email);
    const guess = () =>
      dashboard.send('POST', '/dashboard/session', { body: { email, password: 'wrong' }, headers: ownPage });
    const statuses = (await Promise.all(Array.from({ length: 16 }, guess))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(8);
    expect(statuses.filter((status) => status === 429)).toHaveLength(8);
  });

  test('of two invitations that a new address accepts at once, the second is asked to be opened again', async () => {
    const email = newEmail();
    const links: string[] = [];
    for (const { id: client } of [await newClient(), await newClient()]) {
      const { data } = await dashboard.ask(owner, invite, { variables: { email, role: 'ADMIN', client } });
      links.push(data.inviteMember.path.split('#')[1]);
    }
    const accept = (link: string) =>
      dashboard.send('POST', '/dashboard/account', { body: { link, email, password }, headers: ownPage });
    const answers = await Promise.all(links.map(accept));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    const again = await accept(links[answers.findIndex(({ status }) => status === 409)]!);
    expect((await dashboard.ask(cookieOf(again), viewer)).data.viewer.memberships).toHaveLength(2);
  });

  test('who is removed while their password is compared is told as if nobody had the address', async () => {
    const [email, client] = [newEmail(), await newClient()];
    const cookie = await member('ADMIN', client.id, email);
    const { userId } = (await dashboard.ask(cookie, '{ viewer { userId } }')).data.viewer;
    const remove = `mutation { changeMember(userId: "${userId}", clientId: "${client.id}") { __typename } }`;
    oncePasswordIsCompared(() => dashboard.ask(owner, remove));
    await expect(dashboard.signIn({ email, password })).rejects.toThrow('401');
  });

  test('whoever holds no invitation is not told who has an account', async () => {
    const email = newEmail();
    await member('VIEWER', undefined, email);
    const { data } = await dashboard.ask(owner, invite, { variables: { email: newEmail(), role: 'ADMIN' } });
    const joins = async (link: string, address: string) => {
      const body = { link, email: address, password };
      const answer = await dashboard.send('POST', '/dashboard/account', { body, headers: ownPage });
      return { status: answer.status, detail: (await answer.json()).detail };
    };
    for (const link of ['invitation_x', data.inviteMember.path.split('#')[1]])
      expect(await joins(link, email)).toEqual(await joins(link, newEmail()));
  });

  test('a link of the first start opens the dashboard once', async () => {
    const caller = await world.app.authenticate(`Bearer ${await newAdminToken(world, 'owner')}`);
    if (caller.kind !== 'admin') throw new Error('an admin token opens administration');
    const { secret: link } = await world.app.members.createSignInLink(caller.admin);
    const cookie = await dashboard.signIn({ link });
    expect((await dashboard.ask(cookie, viewer)).data.viewer).toMatchObject({ role: 'OWNER' });
    await expect(dashboard.signIn({ link })).rejects.toThrow('401');
  });

  test('signing out ends the session, and signing out everywhere ends all of them', async () => {
    const email = newEmail();
    const one = await member('ADMIN', undefined, email);
    const other = await dashboard.signIn({ email, password });
    await dashboard.send('DELETE', '/dashboard/session', { headers: { ...ownPage, cookie: one } });
    expect(codeOf(await dashboard.ask(one, viewer))).toBe('unauthenticated');
    expect((await dashboard.ask(other, 'mutation { signOutEverywhere { sessions } }')).data).toEqual({
      signOutEverywhere: { sessions: 1 },
    });
    expect(codeOf(await dashboard.ask(other, viewer))).toBe('unauthenticated');
  });

  test('a session ends with the admin token that it stands on', async () => {
    const token = await newAdminToken(world, 'admin');
    const cookie = await dashboard.signIn({ token });
    const caller = await world.app.authenticate(`Bearer ${token}`);
    if (caller.kind !== 'admin') throw new Error('an admin token opens administration');
    await world.app.administration.revokeAdminToken(world.admin, caller.admin.tokenId);
    expect(codeOf(await dashboard.ask(cookie, viewer))).toBe('unauthenticated');
  });
});

describe('what other pages cannot do', () => {
  test.each([
    { case: 'a form of another page', headers: { 'sec-fetch-site': 'cross-site' } },
    { case: 'a page of a neighbouring domain', headers: { 'presage-csrf': '1', 'sec-fetch-site': 'same-site' } },
    { case: 'an origin that is not ours', headers: { 'presage-csrf': '1', origin: 'https://evil.example' } },
    { case: 'an origin that is none', headers: { 'presage-csrf': '1', origin: 'null' } },
  ])('$case reaches nothing with the cookie', async ({ headers }) => {
    const body = { query: 'mutation { createClient(name: "planted") { __typename } }' };
    for (const [method, path, sent] of [
      ['POST', '/graphql', body],
      ['POST', '/graphql/stream', { query: 'subscription { __typename }' }],
      ['POST', '/dashboard/session', { token: 'x' }],
      ['DELETE', '/dashboard/session', undefined],
    ] as const) {
      const answer = await dashboard.send(method, path, { body: sent, headers: { ...headers, cookie: owner } });
      expect([path, answer.status]).toEqual([path, 403]);
    }
  });

  test('a cookie opens nothing where a credential is given beside it', async () => {
    const answer = await dashboard.send('POST', '/graphql', {
      body: { query: viewer },
      headers: { ...ownPage, cookie: owner, authorization: 'Bearer nobody' },
    });
    expect(answer.status).toBe(401);
  });

  test('a cookie that somebody else chose is not taken over by signing in', async () => {
    const planted = `presage_session=session_${'a'.repeat(43)}`;
    const token = await newAdminToken(world, 'viewer');
    const answer = await dashboard.send('POST', '/dashboard/session', {
      body: { token },
      headers: { ...ownPage, cookie: planted },
    });
    expect(cookieOf(answer)).not.toBe(planted);
    expect(codeOf(await dashboard.ask(planted, viewer))).toBe('unauthenticated');
  });
});

describe('roles', () => {
  test('a member of one client reaches nothing of another, by whatever field', async () => {
    const [own, other] = [await newClient(), await newClient()];
    const cookie = await member('OWNER', own.id);
    const ask = (query: string) => dashboard.ask(cookie, query);
    expect((await ask('{ clients { nodes { id } totalCount } instances { nodes { id } totalCount } }')).data).toEqual({
      clients: { nodes: [{ id: own.id }], totalCount: 1 },
      instances: { nodes: [{ id: own.instance }], totalCount: 1 },
    });
    const problem = '__typename ... on Problem { message }';
    const refused = [
      `{ client(id: "${other.id}") { id } }`,
      `{ instance(id: "${other.instance}") { id } }`,
      `mutation { renameClient(id: "${other.id}", name: "mine") { ${problem} } }`,
      `mutation { changeInstanceState(id: "${other.instance}", event: SUSPEND) { ${problem} } }`,
      `mutation { purgeInstance(id: "${other.instance}") { ${problem} } }`,
      `mutation { createKey(input: { instanceId: "${other.instance}" }) { ${problem} } }`,
      `mutation { inviteMember(email: "a@b", role: OWNER, clientId: "${other.id}") { ${problem} } }`,
    ];
    for (const query of refused) {
      const { data, errors } = await ask(query);
      const [answer] = Object.values(data ?? {}) as ({ __typename?: string } | null)[];
      const isRefused = answer === null || answer?.__typename === 'NotFound' || errors?.length > 0;
      expect([query, isRefused]).toEqual([query, true]);
    }
    for (const query of [
      `{ members(clientId: "${other.id}") { nodes { email } } }`,
      `{ expiringMemories(instanceId: "${other.instance}") { nodes { id } } }`,
      `{ memories(instanceId: "${other.instance}") { nodes { id } } }`,
    ]) {
      expect([query, codeOf(await ask(query))]).toEqual([query, 'not_found']);
    }
    for (const query of [
      '{ adminTokens { nodes { id } } }',
      '{ masterKeyRotation { done } }',
      '{ members { nodes { email } } }',
      'mutation { createAdminToken(role: OWNER) { secret } }',
      'mutation { createClient(name: "another") { __typename } }',
      'mutation { inviteMember(email: "a@b", role: OWNER) { __typename } }',
    ]) {
      expect([query, codeOf(await ask(query))]).toEqual([query, 'forbidden']);
    }
  });

  test('a viewer reads no content, and an admin gives no roles', async () => {
    const client = await newClient();
    const [looking, changing] = [await member('VIEWER', client.id), await member('ADMIN', client.id)];
    const content = `{ memories(instanceId: "${client.instance}", filter: { q: "tea" }) { nodes { id } } }`;
    expect(codeOf(await dashboard.ask(looking, content))).toBe('forbidden');
    expect(
      codeOf(await dashboard.ask(looking, `mutation { renameClient(id: "${client.id}", name: "x") { __typename } }`)),
    ).toBe('forbidden');
    for (const cookie of [looking, changing]) {
      const variables = { email: newEmail(), role: 'OWNER', client: client.id };
      expect(codeOf(await dashboard.ask(cookie, invite, { variables }))).toBe('forbidden');
    }
  });

  test('a viewer and an admin of a client are refused every mutation that asks for a higher role', async () => {
    const client = await newClient();
    const roots = buildSchema(typeDefs).getMutationType()!.getFields();
    const named = { instanceId: client.instance, clientId: client.id };
    let tried = 0;
    for (const [role, rank] of [
      ['VIEWER', 0],
      ['ADMIN', 1],
    ] as const) {
      const cookie = await member(role, client.id);
      for (const [name, field] of Object.entries(roots)) {
        const permission = permissionOf(useCaseOfField.Mutation[name as keyof typeof useCaseOfField.Mutation]);
        const isOpen =
          permission.admin !== undefined && ranks.indexOf(permission.admin) <= rank && permission.withinClient;
        if (isOpen) continue;
        const answer = await dashboard.ask(cookie, `mutation { ${leastCall(field, named)} { __typename } }`);
        expect([role, name, codeOf(answer)]).toEqual([role, name, 'forbidden']);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(60);
  });

  test('a user of two clients acts in the one that the request names, with the role there', async () => {
    const [one, other] = [await newClient(), await newClient()];
    const email = newEmail();
    await member('VIEWER', one.id, email);
    const cookie = await member('ADMIN', other.id, email);
    const as = async (client: string) =>
      (await dashboard.ask(cookie, viewer, { headers: { 'presage-client': client } })).data?.viewer;
    expect(await as(one.id)).toMatchObject({ role: 'VIEWER', clientId: one.id });
    expect(await as(other.id)).toMatchObject({ role: 'ADMIN', clientId: other.id });
    const third = await newClient();
    const refused = await dashboard.ask(cookie, viewer, { headers: { 'presage-client': third.id } });
    expect(codeOf(refused)).toBe('forbidden');
  });

  test('who is removed is signed out, nobody changes their own role, and both are in the audit', async () => {
    const client = await newClient();
    const boss = await member('OWNER', client.id);
    const cookie = await member('ADMIN', client.id);
    const { data } = await dashboard.ask(boss, `{ members(clientId: "${client.id}") { nodes { userId role } } }`);
    const [self, colleague] = data.members.nodes;
    const change = (user: string) =>
      dashboard.ask(
        boss,
        `mutation { changeMember(userId: "${user}", clientId: "${client.id}") { __typename ... on Problem { message } } }`,
      );
    expect((await change(self.userId)).data.changeMember).toMatchObject({ __typename: 'InvalidInput' });
    expect((await change(colleague.userId)).data.changeMember).toEqual({ __typename: 'MemberChanged' });
    expect(codeOf(await dashboard.ask(cookie, viewer))).toBe('unauthenticated');
    const audit = await dashboard.ask(boss, `{ client(id: "${client.id}") { audit { nodes { action actor } } } }`);
    expect(audit.data.client.audit.nodes).toContainEqual({ action: 'member.remove', actor: `user:${self.userId}` });
  });
});

describe('what somebody left behind', () => {
  const change = `mutation ($user: ID!, $client: ID, $role: AdminRole) {
    changeMember(userId: $user, clientId: $client, role: $role) { __typename } }`;
  const userOf = async (cookie: string, client?: string) =>
    (await dashboard.ask(cookie, '{ viewer { userId } }', { headers: client ? { 'presage-client': client } : {} })).data
      .viewer.userId as string;
  const inviteAs = async (cookie: string, client: string) => {
    const email = newEmail();
    const { data } = await dashboard.ask(cookie, invite, { variables: { email, role: 'OWNER', client } });
    return { link: data.inviteMember.path.split('#')[1] as string, email, password };
  };

  test.each([
    { as: 'an owner of the client', of: 'client', role: null },
    { as: 'an owner of the client', of: 'client', role: 'VIEWER' },
    { as: 'an owner of every client', of: undefined, role: null },
  ])('links of $as open no more when their role is $role', async ({ of, role }) => {
    const [client, other] = [await newClient(), await newClient()];
    const where = of && client.id;
    const [leaving, staying] = [await member('OWNER', where), await member('OWNER', client.id)];
    const [theirs, colleagues] = [await inviteAs(leaving, client.id), await inviteAs(staying, client.id)];
    const elsewhere = await inviteAs(owner, other.id);
    const variables = { user: await userOf(leaving), client: where, role };
    expect((await dashboard.ask(owner, change, { variables })).data.changeMember.__typename).toBe('MemberChanged');
    await expect(dashboard.signIn(theirs)).rejects.toThrow('401');
    await dashboard.signIn(colleagues);
    await dashboard.signIn(elsewhere);
  });

  test('a link that is under way when the role or the token of its maker ends is not made', async () => {
    const client = await newClient();
    const [leaving, staying] = [await member('OWNER', client.id), await member('VIEWER', client.id)];
    const [leavingId, stayingId] = [await userOf(leaving), await userOf(staying)];
    const token = await newAdminToken(world, 'owner');
    const callers = [
      await world.app.openSession({ secret: leaving.split('=')[1]! }),
      await world.app.authenticate(`Bearer ${token}`),
    ];
    const [asMember, asHolder] = callers.map((caller) => {
      if (caller.kind !== 'admin') throw new Error('a session and an admin token open administration');
      return caller.admin;
    });
    const variables = { user: leavingId, client: client.id, role: 'VIEWER' };
    await dashboard.ask(owner, change, { variables });
    await world.app.administration.revokeAdminToken(world.admin, asHolder!.tokenId);
    for (const admin of [asMember!, asHolder!]) {
      const invited = { email: newEmail(), role: 'owner', clientId: client.id } as const;
      const ended = { code: 'forbidden', message: expect.stringContaining('has ended') };
      await expect(world.app.members.invite(admin, invited)).rejects.toMatchObject(ended);
      const reset = { userId: stayingId, clientId: client.id };
      await expect(world.app.members.createPasswordReset(admin, reset)).rejects.toMatchObject(ended);
    }
  });

  test('what a subscription tells ends with the role and the client that it began in', async () => {
    const [client, other] = [await newClient(), await newClient()];
    const email = newEmail();
    const [demoted, moved] = [await member('ADMIN', client.id), await member('ADMIN', client.id, email)];
    await member('ADMIN', other.id, email);
    const watched = await Promise.all(
      [demoted, moved].map((cookie) =>
        dashboard.send('POST', '/graphql/stream', {
          body: { query: `subscription { memoryCreated(instanceId: "${client.instance}") { content } }` },
          headers: { ...ownPage, cookie, accept: 'text/event-stream' },
        }),
      ),
    );
    for (const [cookie, role] of [
      [demoted, 'VIEWER'],
      [moved, null],
    ] as const) {
      const variables = { user: await userOf(cookie), client: client.id, role };
      await dashboard.ask(owner, change, { variables });
    }
    for (const stream of watched) expect(await stream.text()).toContain('"code":"unauthenticated"');
  });

  test('links of an admin token open no more when it is revoked', async () => {
    const client = await newClient();
    const cookie = await dashboard.signIn({ token: await newAdminToken(world, 'owner') });
    const theirs = await inviteAs(cookie, client.id);
    const { data } = await dashboard.ask(owner, '{ adminTokens(first: 1) { nodes { id } } }');
    const [{ id }] = data.adminTokens.nodes;
    await dashboard.ask(owner, `mutation { revokeAdminToken(id: "${id}") { __typename } }`);
    expect(codeOf(await dashboard.ask(cookie, viewer))).toBe('unauthenticated');
    await expect(dashboard.signIn(theirs)).rejects.toThrow('401');
  });
});

describe('another password', () => {
  const reset = `mutation ($user: ID!, $client: ID) { createPasswordReset(userId: $user, clientId: $client) {
    __typename ... on DashboardLink { path } ... on Problem { message } } }`;
  const idOf = async (email: string, client?: string) => {
    const { data } = await dashboard.ask(
      owner,
      'query ($client: ID) { members(clientId: $client, first: 100) { nodes { userId email } } }',
      {
        variables: { client },
      },
    );
    return data.members.nodes.find((each: { email: string }) => each.email === email).userId as string;
  };
  const choose = (link: string, chosen: string) =>
    dashboard.send('POST', '/dashboard/password', { body: { link, password: chosen }, headers: ownPage });

  test('is chosen by a link, once; the former one and every session of it open nothing any more', async () => {
    const email = newEmail();
    const before = await member('ADMIN', undefined, email);
    const made = async () =>
      (await dashboard.ask(owner, reset, { variables: { user: await idOf(email) } })).data.createPasswordReset.path;
    const [replaced, path] = [await made(), await made()];
    const link = path.split('#')[1];
    expect(path).toMatch(/^\/dashboard\/reset#password_\w{43}$/);
    expect((await choose(replaced.split('#')[1], 'another good password')).status).toBe(401);
    expect((await choose(link, 'short')).status).toBe(400);
    await expect(dashboard.signIn({ link })).rejects.toThrow('401');
    await expect(dashboard.signIn({ link, email: newEmail(), password })).rejects.toThrow('401');
    const again = (await made()).split('#')[1];
    const answer = await choose(again, 'another good password');
    expect((await dashboard.ask(cookieOf(answer), viewer)).data.viewer).toMatchObject({ email });
    expect(codeOf(await dashboard.ask(before, viewer))).toBe('unauthenticated');
    await expect(dashboard.signIn({ email, password })).rejects.toThrow('401');
    await dashboard.signIn({ email, password: 'another good password' });
    expect((await choose(again, 'a third good password')).status).toBe(401);
  });

  test('leaves no session of the former one, which was compared while the other was chosen', async () => {
    const [email, client] = [newEmail(), await newClient()];
    await member('ADMIN', undefined, email);
    const chooses = async (chosen: string) => {
      const { data } = await dashboard.ask(owner, reset, { variables: { user: await idOf(email) } });
      await choose(data.createPasswordReset.path.split('#')[1], chosen);
    };
    oncePasswordIsCompared(() => chooses('another good password'));
    await expect(dashboard.signIn({ email, password })).rejects.toThrow('401');
    const { data } = await dashboard.ask(owner, invite, { variables: { email, role: 'ADMIN', client: client.id } });
    const link = data.inviteMember.path.split('#')[1];
    oncePasswordIsCompared(() => chooses('a third good password'));
    await expect(dashboard.signIn({ link, email, password: 'another good password' })).rejects.toThrow('401');
  });

  test('is no way to come in as somebody who also has a role elsewhere', async () => {
    const client = await newClient();
    const boss = await member('OWNER', client.id);
    const email = newEmail();
    await member('OWNER', undefined, email);
    const everywhere = await idOf(email);
    const asked = (user: string, of?: string) => dashboard.ask(boss, reset, { variables: { user, client: of } });
    expect((await asked(everywhere, client.id)).data.createPasswordReset).toMatchObject({ __typename: 'NotFound' });
    await member('VIEWER', client.id, email);
    expect(codeOf(await asked(everywhere, client.id))).toBe('forbidden');
    expect((await asked(everywhere)).data.createPasswordReset).toMatchObject({ __typename: 'NotFound' });
    const own = (await dashboard.ask(boss, '{ viewer { userId } }')).data.viewer.userId;
    expect((await asked(own, client.id)).data.createPasswordReset).toMatchObject({ __typename: 'InvalidInput' });
    const admin = await member('ADMIN', client.id);
    const refused = await dashboard.ask(admin, reset, { variables: { user: own, client: client.id } });
    expect(codeOf(refused)).toBe('forbidden');
  });

  test('is not chosen by a link that was made before the member got a role elsewhere', async () => {
    const client = await newClient();
    const boss = await member('OWNER', client.id);
    const email = newEmail();
    await member('VIEWER', client.id, email);
    const variables = { user: await idOf(email, client.id), client: client.id };
    const { path } = (await dashboard.ask(boss, reset, { variables })).data.createPasswordReset;
    await member('VIEWER', undefined, email);
    expect((await choose(path.split('#')[1], 'another good password')).status).toBe(401);
  });

  test('a link of the command line is made for tokens only, and opens what the token opens', async () => {
    const link = 'mutation { createSignInLink { path expiresAt } }';
    const token = await newAdminToken(world, 'viewer');
    const answer = await dashboard.send('POST', '/graphql', {
      body: { query: link },
      headers: { authorization: `Bearer ${token}` },
    });
    const { path } = (await answer.json()).data.createSignInLink;
    const cookie = await dashboard.signIn({ link: path.split('#')[1] });
    expect((await dashboard.ask(cookie, viewer)).data.viewer).toMatchObject({ role: 'VIEWER' });
    const user = await member('OWNER');
    expect(codeOf(await dashboard.ask(user, link))).toBe('invalid_input');
  });
});

describe('the page', () => {
  test('is served with a policy that lets no other host and no inline script in', async () => {
    const page = await dashboard.send('GET', '/dashboard/i/inst_1/memories', { headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const html = await page.text();
    expect(html).not.toMatch(/<script(?![^>]*src)/);
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    const [script] = /\/dashboard\/assets\/[\w.-]+\.js/.exec(html)!;
    const file = await dashboard.send('GET', script);
    expect(file.headers.get('cache-control')).toContain('immutable');
    expect((await dashboard.send('GET', '/dashboard/assets/nothing.js')).status).toBe(404);
    expect((await dashboard.send('GET', '/dashboard/assets/..%2f..%2f..%2fpackage.json')).status).toBe(404);
  });

  test('is served at a place whose id has dots, and is no file of elsewhere', async () => {
    for (const place of ['i/inst_1/users/ada.lovelace@example.com', '..%2f..%2fpackage.json']) {
      const page = await dashboard.send('GET', `/dashboard/${place}`, { headers: { accept: 'text/html' } });
      expect(page.status).toBe(200);
      expect(await page.text()).toMatch(/^<!doctype html>/i);
    }
  });
});
