import { describe, expect, test } from 'vitest';
import { brokenRules } from '../support/consistency.ts';
import { day } from '../support/person.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();

test('a later residence replaces the earlier one, with the passage that said nothing else', async () => {
  const ada = await world.user('ada');
  await ada.says('I live in Leeds.', day(1));
  await ada.says('I moved to York.', day(9));
  const recalled = await ada.recalls('Where do I live?');
  expect(recalled[0]).toBe('I moved to York.');
  expect(recalled).not.toContain('I live in Leeds.');
  const [leeds] = await ada.memories({ status: 'superseded', type: 'facts' });
  const [york] = await ada.memories({ status: 'active', type: 'facts' });
  expect(leeds).toMatchObject({ content: 'I live in Leeds.', validUntil: day(9), supersededBy: york!.id });
});

test('the order of arrival does not matter', async () => {
  const ada = await world.user('ada');
  await ada.says('I moved to York.', day(9));
  await ada.says('I live in Leeds.', day(1));
  expect(await ada.recalls('Where do I live?')).not.toContain('I live in Leeds.');
  expect((await ada.recalls('Where do I live?'))[0]).toBe('I moved to York.');
});

test.each(['fast', 'accurate'] as const)('as_of sees what held then, %s', async (mode) => {
  const ada = await world.user('ada');
  await ada.says('I live in Leeds.', day(1));
  await ada.says('I moved to York.', day(9));
  const then = await ada.recalls('Where do I live?', { asOf: day(5), mode });
  expect(then).toContain('I live in Leeds.');
  expect(then).not.toContain('I moved to York.');
  const before = await ada.recalls('Where do I live?', { asOf: day(0), mode });
  expect(before).toEqual([]);
});

test.each(['fast', 'accurate'] as const)(
  'the value that holds leads, before what was only imagined, %s',
  async (mode) => {
    const ada = await world.user('ada');
    await ada.says('I live in Leeds.', day(1));
    await ada.says(
      'If I ever move to London I would want to live in Hackney, where I could live by the canal.',
      day(2),
    );
    await ada.says('Where would you live, if you could live anywhere?', day(3));
    await ada.says('We moved to Bath last week.', day(4));
    await ada.says("```python\nname = 'where do I live'\n```", day(5));
    expect((await ada.recalls('Where do I live?', { mode }))[0]).toBe('We moved to Bath last week.');
    expect((await ada.recalls('Where do I live?', { mode, asOf: day(2) }))[0]).toBe('I live in Leeds.');
    expect(new Set(await ada.recalls('Where do I live?', { mode })).size).toBeGreaterThan(1);
    const bob = await world.user('bob', { access: ada.access });
    await bob.says('I like canals.', day(1));
    expect(await bob.recalls('Where do I live?', { mode })).toEqual(['I like canals.']);
  },
);

test('what stands beside a superseded passage keeps nothing of it, until it is given back', async () => {
  const ada = await world.user('ada');
  const talk = ['I live in Leeds.', 'The heron stands in the reeds at dawn.'].map((content) => ({
    role: 'user',
    content,
  }));
  await ada.says(talk, day(1));
  const vectorBeside = async () =>
    (await snapshotOf(world.deps, ada)).vectors.find(([content]) => String(content).includes('heron'))!.at(-1);
  const before = await vectorBeside();
  const { memoryIds } = await ada.says('I moved to York.', day(9));
  expect(await vectorBeside()).not.toBe(before);
  for (const id of memoryIds) await world.app.forgetMemory(ada.access, id, { cascade: false });
  expect(await vectorBeside()).toBe(before);
});

test('a passage that says more than the old value stays', async () => {
  const ada = await world.user('ada');
  await ada.says('I live in Leeds. The beech hedge behind the house is my pride.', day(1));
  await ada.says('I moved to York.', day(9));
  expect(await ada.recalls('What is my pride?', { types: ['episodes'] })).toContain(
    'I live in Leeds. The beech hedge behind the house is my pride.',
  );
});

test.each(['fast', 'accurate'] as const)(
  'a passage that holds an old value never comes before the new one, %s',
  async (mode) => {
    const ada = await world.user('ada');
    const passage = 'I live in Leeds and I am allergic to peanuts.';
    await ada.says(passage, day(1));
    const asked = { mode, types: ['episodes', 'facts'] } as const;
    const before = await ada.recalls('Where do I live?', asked);
    await ada.says('I moved to York.', day(9));
    const recalled = await ada.recalls('Where do I live?', asked);
    expect(before[0]).toContain('Leeds');
    expect(recalled.indexOf('I moved to York.')).toBe(0);
  },
);

test('the new value comes along even when nothing of it is asked for', async () => {
  const ada = await world.user('ada');
  await ada.says('I live in Leeds and I am allergic to peanuts.', day(1));
  await ada.says('I moved to York.', day(9));
  await ada.says('I moved to Hull.', day(12));
  const { memories } = await ada.fetches('Leeds', { mode: 'fast', maxResults: 2, explain: true });
  expect(memories.map(({ content }) => content)).toEqual([
    'I moved to Hull.',
    'I live in Leeds and I am allergic to peanuts.',
  ]);
  expect(memories[0]!.parts).toEqual({ replaces: memories[0]!.score });
  expect(memories.map(({ possiblyOutdatedBy }) => possiblyOutdatedBy)).toEqual([null, memories[0]!.id]);
});

test('as_of, the value that held then comes before the one before it', async () => {
  const ada = await world.user('ada');
  const passage = 'I live in Leeds and I am allergic to peanuts.';
  await ada.says(passage, day(1));
  await ada.says('I moved to York.', day(9));
  await ada.says('I moved to Hull.', day(12));
  const then = await ada.recalls('Where do I live?', { asOf: day(10) });
  expect(then[0]).toBe('I moved to York.');
  expect(then).not.toContain('I moved to Hull.');
  const earlier = await ada.recalls('Where do I live?', { asOf: day(5) });
  expect(earlier[0]).toContain('I live in Leeds');
  expect(earlier).not.toContain('I moved to York.');
});

test('forgetting the later statement gives the earlier one back', async () => {
  const ada = await world.user('ada');
  await ada.says('I live in Leeds.', day(1));
  const { memoryIds } = await ada.says('I moved to York.', day(9));
  for (const id of memoryIds) await world.app.forgetMemory(ada.access, id, { cascade: false });
  expect((await ada.recalls('Where do I live?'))[0]).toBe('I live in Leeds.');
  expect(await ada.memories({ status: 'superseded' })).toEqual([]);
});

describe('a superseding that was taken back', () => {
  async function undone() {
    const ada = await world.user('ada');
    await ada.says('I live in Leeds.', day(1));
    await ada.says('I moved to York.', day(9));
    const [old] = await ada.memories({ status: 'superseded', type: 'facts' });
    expect(old!.supersededReason).toContain('replaces or ends');
    const memory = await world.app.undoSupersede(ada.access, old!.id, ada.named);
    expect(memory).toMatchObject({ id: old!.id, status: 'active', validUntil: null, supersededReason: null });
    return ada;
  }

  test('leaves both, and the passages that say them', async () => {
    const ada = await undone();
    expect(await ada.memories({ status: 'superseded' })).toEqual([]);
    const recalled = await ada.recalls('Where do I live?');
    expect(recalled).toContain('I live in Leeds.');
    expect(recalled).toContain('I moved to York.');
    expect(await brokenRules(world.deps, ada.access)).toEqual({});
  });

  test('does not come back when either is said again, and a third value replaces both', async () => {
    const ada = await undone();
    await ada.says('I live in Leeds!', day(12));
    await ada.says('I moved to York', day(14));
    expect(await ada.memories({ status: 'superseded' })).toEqual([]);
    await ada.says('I moved to Hull.', day(20));
    const active = await ada.memories({ status: 'active', type: 'facts' });
    expect(active.map(({ content }) => content)).toEqual(['I moved to Hull.']);
  });

  test('leaves nothing once the memories are forgotten', async () => {
    const ada = await undone();
    for (const { id } of await ada.memories()) await world.app.forgetMemory(ada.access, id, { cascade: false });
    expect(await world.deps.db.supersessionUndone.count({ where: { instanceNumber: ada.access.instanceNumber } })).toBe(
      0,
    );
    await ada.says('I live in Leeds.', day(31));
    await ada.says('I moved to York.', day(32));
    expect(await ada.memories({ status: 'superseded', type: 'facts' })).toHaveLength(1);
  });

  test('is a conflict for a memory that nothing replaced', async () => {
    const ada = await undone();
    const [memory] = await ada.memories();
    const again = world.app.undoSupersede(ada.access, memory!.id, {});
    await expect(again).rejects.toMatchObject({ code: 'conflict' });
  });
});

test.each([
  { case: 'as they arrive', order: [0, 1, 2] },
  { case: 'the middle one last', order: [0, 2, 1] },
  { case: 'backwards', order: [2, 1, 0] },
])('a return to an old value counts: $case', async ({ order }) => {
  const ada = await world.user('ada');
  const said = [
    ['I live in Leeds.', 1],
    ['I moved to York.', 9],
    ['I live in Leeds.', 20],
  ] as const;
  for (const n of order) await ada.says(said[n]![0], day(said[n]![1]));
  const active = await ada.memories({ status: 'active', type: 'facts' });
  expect(active.map(({ content }) => content)).toEqual(['I live in Leeds.']);
});

test('within one document the last value holds', async () => {
  const ada = await world.user('ada');
  const turns = ['I live in Leeds.', 'I moved to York.', 'I live in Leeds.', 'I moved to Hull.'];
  await ada.says(
    turns.map((content) => ({ role: 'user', content })),
    day(1),
  );
  const active = await ada.memories({ status: 'active', type: 'facts' });
  expect(active.map(({ content }) => content)).toEqual(['I moved to Hull.']);
});

test('within a pasted conversation the last value holds', async () => {
  const ada = await world.user('ada');
  await ada.says('User: I live in Leeds.\nAssistant: How do you like it?\nUser: I moved to York.', day(1));
  const active = await ada.memories({ status: 'active', type: 'facts' });
  expect(active.map(({ content }) => content)).toEqual(['I moved to York.']);
});

test.each([
  ['I live in Leeds.', 'My sister moved to York.'],
  ['I live in Leeds.', 'I lived in York for a week.'],
  ['I live in Leeds.', 'I used to live in York.'],
  ['I live in Leeds.', 'She said "I live in York".'],
  ['I live in Leeds.', 'Bob told me: I live in York.'],
  ['I live in Leeds.', 'What if I moved to York?'],
  ['I live in Leeds.', 'Suppose I live in York.'],
  ['I live in Leeds.', 'I live in York during term time.'],
  ['I live in Leeds.', "I haven't moved to York."],
  ['I live in Leeds.', 'I moved to York, or so my mother thinks.'],
  ['I live in Leeds.', 'I moved to York for a week.'],
  ['I live in Leeds.', 'I live in York when I visit my aunt.'],
  ['I work at Quillon.', 'I work at Larkfield on Fridays.'],
  ['I work at Quillon.', 'I used to work at Larkfield.'],
  ['I work at Quillon.', 'I work for Odile.'],
  ['My manager is Jorun.', 'My manager is Norwegian.'],
  ['I have a dog called Biscuit.', 'I have a dog called Pepper.'],
  ['I speak French.', 'I speak Basque.'],
  ['I am allergic to walnuts.', 'I am allergic to kiwis.'],
  ['My favourite film is Amelie.', 'My favourite book is Dune.'],
  ['My phone number is 555-0134.', 'My work phone number is 555-0178.'],
  ['I am 34 years old.', 'I am 40 weeks pregnant.'],
  ['I am married.', 'I was single in 2019.'],
  ['I drive a Volvo.', 'I drive a Scania at work.'],
  ['I work at Quillon.', 'I quit my job at Larkfield.'],
  ['I used to work at Quillon.', 'I work at Quillon.'],
  ['I quit my job at Quillon.', 'I work at Larkfield.'],
  ['I work at Quillon.', 'I almost quit my job.'],
  ['I live in York.', "I don't live in Leeds anymore."],
  ['I live in Leeds.', 'I left Leeds for the weekend.'],
  ['I love coffee.', "I don't like coffee from the machine."],
  ['I love coffee.', "I don't like coffee right now."],
  ['I love coffee.', 'My sister hates coffee.'],
  ['I love tea.', 'I used to love coffee.'],
  ['I am allergic to walnuts.', 'I am not allergic to milk.'],
  ['Always answer in French.', 'Always answer my mails in Dutch.'],
  ['Answer in Dutch.', 'Stop answering in French.'],
  ['Never use bullet points.', 'Never use emojis.'],
  ['Never use bullet points.', 'You can use tables again.'],
  ['My name is Ada.', 'My name is Ada Brandt.'],
  ['My meeting with Lee is on March 3rd.', 'My meeting with Lee is on March 5th.'],
  ['My flight is on January 9th at 9am.', 'My flight is on March 3rd at 9am.'],
  ['My flight to Oslo is on March 3rd.', 'My flight to Rome is on March 5th.'],
  ["I'm going to Oslo in March.", 'I cancelled the Rome trip.'],
  ['I have a boyfriend, Tim.', 'Tom and I broke up.'],
  ['My partner Tom works at Quillon.', 'Tom works at Larkfield.'],
  ['My brother Tom works at Quillon.', 'My friend Tom works at Larkfield.'],
])('"%s" outlives "%s"', async (first, later) => {
  const ada = await world.user('ada');
  await ada.says(first, day(1));
  await ada.says(later, day(9));
  expect(await ada.memories({ status: 'superseded' })).toEqual([]);
});

test.each([
  ['Always answer in French.', 'From now on answer in Dutch, not French.'],
  ['Reply in French please.', 'Please reply in Dutch from now on.'],
  ['Always answer in French.', 'Stop answering in French.'],
  ['Call me Ada.', 'Actually, call me Addie.'],
  ['My name is Ada.', 'My name is Adam now.'],
  ['Keep your answers short.', 'Please give me detailed answers from now on.'],
  ['Keep your answers short.', 'You can give me longer answers now.'],
  ['Never use bullet points.', 'Bullet points are fine now.'],
  ["Don't use emojis.", 'Emojis are fine after all.'],
  ['Never send me reminders.', 'You can send me reminders again.'],
  ['I am allergic to walnuts.', "It turns out I'm not allergic to walnuts."],
  ['I am a vegetarian.', "I'm not a vegetarian anymore."],
  ['I love coffee.', 'I hate coffee now.'],
  ['I love coffee.', "I don't like coffee anymore."],
  ['I work at Quillon.', 'I quit my job at Quillon.'],
  ['I work at Quillon.', 'I got laid off.'],
  ['I work at Quillon.', 'I work for Larkfield now.'],
  ['I live in Leeds.', "I don't live in Leeds anymore."],
  ['I drive a Volvo.', 'We sold the Volvo.'],
  ['I have a boyfriend, Tim.', 'Tim and I broke up.'],
  ['I have a dog called Biscuit.', 'Biscuit died last week.'],
  ['My flight is on March 3rd at 9am.', 'My flight is on March 5th at 9am.'],
  ['My meeting with Lee is on March 3rd at 3pm.', 'The meeting with Lee has been moved to March 5th at 10am.'],
  ["I'm going to Oslo in March.", 'I cancelled the Oslo trip.'],
  ['My partner Tom works at Quillon.', 'Tom now works at Larkfield.'],
])('"%s" is over with "%s"', async (first, later) => {
  const ada = await world.user('ada');
  await ada.says(first, day(1));
  await ada.says(later, day(9));
  const typed = (memories: readonly { type: string; content: string }[]) =>
    memories.filter(({ type }) => type !== 'episodes').map(({ content }) => content);
  expect(typed(await ada.memories({ status: 'superseded' }))).toEqual([first]);
  expect(typed(await ada.memories({ status: 'active' }))).toHaveLength(1);
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});

test('an end that is forgotten gives back what it ended', async () => {
  const ada = await world.user('ada');
  await ada.says('I work at Quillon.', day(1));
  const { memoryIds } = await ada.says('I quit my job at Quillon.', day(9));
  for (const id of memoryIds) await world.app.forgetMemory(ada.access, id, { cascade: false });
  expect(await ada.memories({ status: 'superseded' })).toEqual([]);
});

test('an end that was taken back leaves both', async () => {
  const ada = await world.user('ada');
  await ada.says('I work at Quillon.', day(1));
  await ada.says('I quit my job at Quillon.', day(9));
  const [old] = await ada.memories({ status: 'superseded', type: 'facts' });
  await world.app.undoSupersede(ada.access, old!.id, ada.named);
  expect(await ada.memories({ status: 'superseded' })).toEqual([]);
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});

test("another person's move is not mine", async () => {
  const ada = await world.user('ada');
  await ada.says('I live in Leeds.', day(1));
  await ada.says('My sister moved to York.', day(9));
  expect(await ada.memories({ status: 'superseded' })).toEqual([]);
});

test("one user's statement never retires another's", async () => {
  const ada = await world.user('ada');
  const bob = await world.user('bob', { access: ada.access });
  await ada.says('I live in Leeds.', day(1));
  await bob.says('I moved to York.', day(9));
  expect((await ada.recalls('Where do I live?'))[0]).toBe('I live in Leeds.');
});
