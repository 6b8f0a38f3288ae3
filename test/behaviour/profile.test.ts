import { expect, test } from 'vitest';
import { openServer, type Agent } from './rest/open-server.ts';

const server = openServer();

type Part = { content: string }[];
const profileOf = async (agent: Agent, path = 'ada') =>
  (await agent.send('GET', `/v1/profiles/${path}`)).json<
    Record<'identity' | 'standing' | 'preferences' | 'recent', Part> & { text: string }
  >();
const contents = (part: Part) => part.map(({ content }) => content);

test('a profile says who a user is, what they want and like, and what was learnt last', async () => {
  const agent = await server.agent();
  const of = { user_id: 'ada' };
  await agent.remembers('My name is Ada Byron.', of);
  await agent.remembers('Always answer me in Portuguese.', of);
  await agent.remembers('I prefer trains to planes.', of);
  await agent.remembers('I live in Leeds.', of);
  await agent.remembers('My name is Bob Tarn.', { user_id: 'bob' });
  const profile = await profileOf(agent);
  expect(contents(profile.identity).toSorted()).toEqual(['I live in Leeds.', 'My name is Ada Byron.']);
  expect(contents(profile.standing)).toEqual(['Always answer me in Portuguese.']);
  expect(contents(profile.preferences)).toEqual(['I prefer trains to planes.']);
  expect(contents(profile.recent)).toEqual([]);
  expect(profile.text).toMatch(/<identity>[^]*Ada Byron[^]*<standing>[^]*Portuguese[^]*<preferences>[^]*trains/);
  expect(profile.text).not.toContain('Bob');
});

test('what was replaced is no part of it', async () => {
  const agent = await server.agent();
  await agent.remembers('I live in Leeds.', { user_id: 'ada', document_created_at: '2026-01-01' });
  await agent.remembers('I moved to York.', { user_id: 'ada', document_created_at: '2026-02-01' });
  expect((await profileOf(agent)).text).not.toContain('Leeds');
});

test('a passage is told where nothing of it is, and neither small talk nor commands are', async () => {
  const agent = await server.agent();
  const conversation = [
    { role: 'user', content: 'I live in Leeds and I have two cats, Biscuit and Crumb.' },
    { role: 'assistant', content: 'Cute!' },
    { role: 'user', content: '/quit' },
    { role: 'user', content: 'The rain came over the hill while the boats lay there.' },
  ];
  await agent.remembers(conversation, { user_id: 'ada' });
  const { identity, recent, text } = await profileOf(agent);
  expect(contents([...identity, ...recent]).filter((content) => content.includes('Leeds'))).toHaveLength(1);
  expect(contents(recent)).toContain('The rain came over the hill while the boats lay there.');
  expect(text).not.toMatch(/Cute|quit/);
});

test.each([
  {
    language: 'English',
    told: "I live in Porto, I work as a plumber, I'm married to Rita and I'm allergic to penicillin",
    identity: ['I live in Porto', 'I work as a plumber', "I'm married to Rita", "I'm allergic to penicillin"],
    happened: 'I visited my doctor',
  },
  {
    language: 'German',
    told: 'Ich wohne in Kiel. Ich arbeite als Klempner. Meine Tochter Lena studiert Medizin. Ich bin allergisch gegen Penicillin.',
    identity: [
      'Ich wohne in Kiel.',
      'Ich arbeite als Klempner.',
      'Meine Tochter Lena studiert Medizin.',
      'Ich bin allergisch gegen Penicillin.',
    ],
    happened: 'Ich war gestern beim Arzt.',
  },
])('who a user is outlasts what they say of their days, in $language', async ({ told, identity, happened }) => {
  const agent = await server.agent();
  const days = Array.from({ length: 15 }, (_, day) => [
    { role: 'user', content: `The bus number ${day} came over the hill` },
    { role: 'assistant', content: `Take line ${day} then, it goes past the lake.` },
  ]).flat();
  await agent.remembers([{ role: 'user', content: told }, ...days, { role: 'user', content: happened }], {
    user_id: 'ada',
    document_type: 'ai-chat-conversation',
  });
  const profile = await profileOf(agent);
  expect(contents(profile.identity).toSorted()).toEqual(identity.toSorted());
  expect(profile.text).not.toContain('past the lake');
});

test('of what a user said last, statements come before passages, and questions not at all', async () => {
  const agent = await server.agent();
  const said = [
    'I want to lose 5 kilos',
    'The rain came over the hill while the boats lay there.',
    'What should I cook for Tom?',
  ];
  for (const content of said) {
    const document = [{ role: 'user', content }];
    await agent.remembers(document, { user_id: 'ada', document_type: 'ai-chat-conversation' });
  }
  expect(contents((await profileOf(agent)).recent)).toEqual(said.slice(0, 2));
});

test('of whom nothing is remembered there is none', async () => {
  const agent = await server.agent();
  expect(await profileOf(agent)).toMatchObject({ status: 404 });
  await agent.remembers('I live in Leeds.', { user_id: 'ada', customer_id: 'acme' });
  expect(contents((await profileOf(agent, 'ada?customer_id=acme')).identity)).toContain('I live in Leeds.');
  expect(await profileOf(agent, 'ada?customer_id=zeta')).toMatchObject({ status: 404 });
});
