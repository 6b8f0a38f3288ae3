import { describe, expect, test } from 'vitest';
import { createApp, type App } from '../../src/app.ts';
import type { Signal } from '../../src/domain/anticipation/stream-messages.ts';
import type { Memory } from '../../src/domain/memories/memory.ts';
import { configured } from '../support/configured.ts';
import { brokenRules } from '../support/consistency.ts';
import { entityCalled, namesOf } from '../support/entities.ts';
import { day, type Person } from '../support/person.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();

test('a corrected memory keeps its id, is found by its new words and no more by its former ones', async () => {
  const ada = await world.user('ada');
  await ada.says('My locker at the climbing hall is number 118.', day(1));
  const [locker] = await ada.memories();
  const corrected = await world.app.correctMemory(ada.access, locker!.id, {
    ...ada.named,
    content: 'My cabinet at the swimming pool is number 243.',
    metadata: { reviewed: true },
  });
  expect(corrected).toMatchObject({
    id: locker!.id,
    type: locker!.type,
    content: 'My cabinet at the swimming pool is number 243.',
    metadata: { reviewed: true },
    confidence: 1,
  });
  expect(corrected.evidence.map(({ quote }) => quote)).toEqual([
    'My locker at the climbing hall is number 118.',
    'My cabinet at the swimming pool is number 243.',
  ]);
  const found = await ada.memories({ q: 'swimming cabinet' }); // also the passage that had the very words
  expect(found.map(({ id }) => id)).toContain(locker!.id);
  expect(new Set(found.map(({ content }) => content))).toEqual(new Set([corrected.content]));
  expect(await ada.memories({ q: 'climbing' })).toEqual([]);
  expect(await ada.recalls('the cabinet at the swimming pool')).toContain(corrected.content);
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});

test('the sentence in which a corrected memory was said among others is corrected with it', async () => {
  const ada = await world.user('ada');
  await ada.says("I'm allergic to penicillin, and I live in Porto.", day(1));
  const [allergy] = await ada.memories({ q: 'allergic', type: 'facts' });
  await world.app.correctMemory(ada.access, allergy!.id, { ...ada.named, content: "I'm allergic to amoxicillin." });
  expect(await ada.memories({ q: 'penicillin' })).toEqual([]);
  const [passage] = await ada.memories({ type: 'episodes' });
  expect(passage!.content).toBe("I'm allergic to amoxicillin, and I live in Porto.");
  expect((await ada.recalls('Am I allergic to any antibiotics?'))[0]).toMatch(/amoxicillin/);
  expect((await ada.memories()).map(({ content }) => content)).toContainEqual(
    expect.stringMatching(/^I live in Porto/),
  );
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});

test('what else was said in the sentence of a corrected memory stays', async () => {
  const ada = await world.user('ada');
  await ada.says('I have a peanut allergy and take warfarin. I like tea trees and I like tea.', day(1));
  const passage = async () => (await ada.memories({ type: 'episodes' }))[0]!.content;
  const typed = async (word: string) => (await ada.memories({ q: word })).find(({ type }) => type !== 'episodes')!;
  const correct = async (word: string, content: string) =>
    world.app.correctMemory(ada.access, (await typed(word)).id, { ...ada.named, content, metadata: { seen: true } });
  const { content: said } = await typed('warfarin');
  await correct('warfarin', said); // which changes no words
  expect(await passage()).toContain('I have a peanut allergy and take warfarin.');
  await correct('warfarin', said.replace('warfarin', 'apixaban'));
  expect(await passage()).toContain('I have a peanut allergy');
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});

test('two memories of one sentence are corrected at once', async () => {
  const ada = await world.user('ada');
  await ada.says("I'm allergic to penicillin, and I live in Porto.", day(1));
  const of = async (word: string) => (await ada.memories({ q: word, type: 'facts' }))[0]!.id;
  const [allergy, home] = [await of('allergic'), await of('Porto')];
  await Promise.all([
    world.app.correctMemory(ada.access, allergy, { ...ada.named, content: "I'm allergic to amoxicillin." }),
    world.app.correctMemory(ada.access, home, { ...ada.named, content: 'I live in Faro.' }),
  ]);
  const [passage] = await ada.memories({ type: 'episodes' });
  expect(passage!.content).toBe("I'm allergic to amoxicillin, and I live in Faro.");
});

test('a passage whose corrected words another one has already is archived', async () => {
  const ada = await world.user('ada');
  for (const food of ['peanuts', 'walnuts']) await ada.says(`I am allergic to ${food}.`, day(1));
  const [walnuts] = await ada.memories({ q: 'walnuts', type: 'facts' });
  await world.app.forgetMemory(ada.access, walnuts!.id, { ...ada.named, cascade: false });
  const [peanuts] = await ada.memories({ q: 'peanuts', type: 'facts' });
  await world.app.correctMemory(ada.access, peanuts!.id, { ...ada.named, content: 'I am allergic to walnuts.' });
  const active = await ada.memories({ status: 'active' });
  expect(active.map(({ content }) => content)).toEqual(['I am allergic to walnuts.', 'I am allergic to walnuts.']);
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});

test('a correction that ended before its passage was corrected is completed by the next', async () => {
  const ada = await world.user('ada');
  await ada.says('I am allergic to peanuts.', day(1));
  const [fact] = await ada.memories({ type: 'facts' });
  const correct = (app: App) =>
    app.correctMemory(ada.access, fact!.id, { ...ada.named, content: 'I am allergic to walnuts.' });
  let resolved = 0;
  const { resolveEntities } = world.deps;
  const dying = createApp({
    ...world.deps,
    resolveEntities: async (...given) => {
      if ((resolved += 1) > 1) throw new Error('the process is gone');
      return resolveEntities(...given);
    },
  });
  await expect(correct(dying)).rejects.toThrow('the process is gone');
  expect(await ada.memories({ q: 'peanuts' })).toHaveLength(1);
  await correct(world.app);
  expect(await ada.memories({ q: 'peanuts' })).toEqual([]);
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});

test('corrections at once leave one value, in the memory and in its passage', async () => {
  const ada = await world.user('ada');
  await ada.says('I am allergic to peanuts.', day(1));
  const [fact] = await ada.memories({ type: 'facts' });
  const foods = ['walnuts', 'almonds', 'cashews', 'pistachios'];
  await Promise.all(
    foods.map((food) =>
      world.app.correctMemory(ada.access, fact!.id, { ...ada.named, content: `I am allergic to ${food}.` }),
    ),
  );
  const active = await ada.memories({ status: 'active' });
  expect(new Set(active.map(({ content }) => content)).size).toBe(1);
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});

test('a date in the new words is read in the order of day and month that their speaker writes', async () => {
  const ada = await world.user('ada');
  await ada.says('My dentist appointment is on 3/2/2026. My passport expires on 25/11/2026.', day(1));
  const dentist = (await ada.memories()).find(
    ({ type, content }) => type !== 'episodes' && content.includes('3/2/2026'),
  );
  expect(dentist!.eventStart).toEqual(new Date('2026-02-03'));
  const content = 'My dentist appointment is on 4/2/2026.';
  expect((await world.app.correctMemory(ada.access, dentist!.id, { content })).eventStart).toEqual(
    new Date('2026-02-04'),
  );
});

test('what the new words state replaces what else said the former ones, and is replaced by what is said later', async () => {
  const ada = await world.user('ada');
  await ada.says('I live in Leeds.', day(1));
  const [fact] = await ada.memories({ type: 'facts' });
  await world.app.correctMemory(ada.access, fact!.id, { content: 'I live in York.' });
  const recalled = await ada.recalls('Where do I live?');
  expect(recalled[0]).toBe('I live in York.');
  expect(recalled).not.toContain('I live in Leeds.');
  await ada.says('I moved to Hull.', new Date());
  expect((await ada.memories({ type: 'facts', status: 'active' })).map(({ content }) => content)).toEqual([
    'I moved to Hull.',
  ]);
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});

const facts = async (person: Person, status: 'active' | 'superseded') =>
  (await person.memories({ type: 'facts', status })).map(({ content }) => content);

test('a memory is corrected after the first document that said it was replaced', async () => {
  const ada = await world.user('ada');
  const [former, content] = ['I live in Leeds.', 'I live in Bath.'];
  await ada.says(former, day(1), { documentId: 'note' });
  await ada.says(former, day(2));
  await ada.says('I am allergic to walnuts.', day(3), { documentId: 'note', ifExists: 'replace' });
  await world.settle();
  const [home] = await ada.memories({ type: 'facts', q: 'Leeds' });
  const corrected = await world.app.correctMemory(ada.access, home!.id, { ...ada.named, content });
  expect(corrected.evidence.map(({ quote }) => quote)).toEqual([former, content]);
});

test('new words that state no more what the former stated replace nothing', async () => {
  const ada = await world.user('ada');
  await ada.says('I live in York.', day(1));
  await ada.says('I live in Leeds.', day(9));
  const [leeds] = await ada.memories({ type: 'facts', status: 'active' });
  await world.app.correctMemory(ada.access, leeds!.id, { content: 'My brother lives in Leeds.' });
  expect((await facts(ada, 'active')).toSorted()).toEqual(['I live in York.', 'My brother lives in Leeds.']);
  expect(await ada.memories({ status: 'superseded' })).toEqual([]);
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});

test('what was superseded stays so with other words, unless they state something else', async () => {
  const ada = await world.user('ada');
  await ada.says('I live in Leeds.', day(1));
  await ada.says('I moved to York.', day(9));
  const [leeds] = await ada.memories({ type: 'facts', status: 'superseded' });
  const correct = (content: string) => world.app.correctMemory(ada.access, leeds!.id, { content });
  expect(await correct('I live in Bath.')).toMatchObject({ status: 'superseded', validUntil: day(9) });
  expect(await facts(ada, 'active')).toEqual(['I moved to York.']);
  expect(await correct('My brother lives in Bath.')).toMatchObject({ status: 'active', validUntil: null });
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});

test('a passage that is corrected with the statement it repeats replaces it in nothing', async () => {
  const ada = await world.user('ada');
  await ada.says('I live in Leeds.', day(1));
  const [leeds] = await ada.memories({ type: 'facts' });
  await world.app.correctMemory(ada.access, leeds!.id, { content: 'I live in York.' });
  expect(await facts(ada, 'active')).toEqual(['I live in York.']);
  await ada.says('I moved to Hull.', new Date());
  const active = await ada.memories({ status: 'active' });
  expect(new Set(active.map(({ content }) => content))).toEqual(new Set(['I moved to Hull.']));
});

test('who was said to be one stays one where the new words still say so', async () => {
  const ada = await world.user('ada');
  await ada.says('My sister Dana lives in York with Tom.', day(1));
  const [dana] = await ada.memories({ type: 'facts' });
  await world.app.correctMemory(ada.access, dana!.id, { content: 'My sister Dana lives in York.' });
  expect(await namesOf(world, ada)).toEqual([['Dana', 'my sister'], ['York']]);
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});

test('who was said to be one is two where the new words only name both', async () => {
  const ada = await world.user('ada');
  await ada.says('My sister Dana lives in York.', day(1));
  const [dana] = await ada.memories({ type: 'facts' });
  await world.app.correctMemory(ada.access, dana!.id, { content: 'My sister lives in York, near Dana.' });
  expect((await namesOf(world, ada)).toSorted()).toEqual([['Dana'], ['York'], ['my sister']]);
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});

test('a name that only the former words mentioned goes, and one of the new words is found', async () => {
  const ada = await world.user('ada');
  await ada.says('My sister Maria Silva lives in Porto.', day(1));
  for (const { id, content } of await ada.memories())
    await world.app
      .correctMemory(ada.access, id, { content: content.replace('Maria Silva', 'Teresa Costa') })
      .catch((error: { code: string }) => expect(error.code).toBe('conflict'));
  const { data } = await world.app.entities(ada.access, { ...ada.named, kind: 'person' }, { limit: 50 });
  const names = data.flatMap(({ name, aliases }) => [name, ...aliases]);
  expect(names).toContain('Teresa Costa');
  expect(names).not.toContain('Maria Silva');
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});

test('an entity is quoted and spelled as the corrected words do', async () => {
  const ada = await world.user('ada');
  await ada.says('My sister Maria Silva lives in Porto.', day(1));
  const [maria] = await ada.memories({ type: 'facts' });
  const content = 'My sister María Silva lives in Porto, at the river.';
  await world.app.correctMemory(ada.access, maria!.id, { content });
  const { id } = await entityCalled(world, ada, 'María Silva');
  const { evidence } = await world.app.entity(ada.access, id, ada.named);
  const corrected = evidence.filter(({ memoryId, name }) => memoryId === maria!.id && name.endsWith('Silva'));
  expect(corrected).toMatchObject([{ name: 'María Silva', quote: content }]);
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});

test('metadata alone is changed without a trace in the words', async () => {
  const ada = await world.user('ada');
  await ada.says('The spare key hangs in the hall.', day(1), { metadata: { channel: 'chat' } });
  const [key] = await ada.memories();
  const noted = await world.app.correctMemory(ada.access, key!.id, { metadata: { channel: 'phone' } });
  expect(noted).toMatchObject({ metadata: { channel: 'phone' }, content: key!.content, evidence: key!.evidence });
  expect((await world.app.correctMemory(ada.access, key!.id, { metadata: null })).metadata).toBeNull();
});

/** The signals of somebody who asks for their passport, and again once it was `shown` and then corrected. */
async function* askingAgainAfter(shown: Promise<void>, correct: () => Promise<unknown>): AsyncGenerator<Signal> {
  yield { kind: 'session-start', session: { userId: 'ada' } };
  yield { kind: 'message', role: 'user', content: 'Where is my passport?' };
  await shown;
  await correct();
  yield { kind: 'message', role: 'user', content: 'Where is my passport, please?' };
}

test('a stream withdraws the former words before the correction is acknowledged', async () => {
  const ada = await world.user('ada');
  await ada.says('My passport is in the blue drawer of the desk.', day(1));
  const [passport] = await ada.memories({ type: 'facts' });
  let show: (() => void) | undefined;
  const shown = new Promise<void>((resolve) => (show = resolve));
  const source = askingAgainAfter(shown, () =>
    world.app.correctMemory(ada.access, passport!.id, { content: 'My passport is in the safe of the bank.' }),
  );
  const told: string[] = [];
  for await (const update of world.app.anticipate(ada.access, source, AbortSignal.timeout(20_000))) {
    if (update.kind === 'withdrawal') told.push(...update.memoryIds.map((id) => `withdrawn ${id}`));
    if (update.kind !== 'bundle') continue;
    for (const memory of update.memories) told.push('held' in memory ? `held ${memory.id}` : memory.content);
    if (update.memories.length) show?.();
  }
  const withdrawn = told.indexOf(`withdrawn ${passport!.id}`);
  expect(withdrawn).toBeGreaterThan(told.indexOf('My passport is in the blue drawer of the desk.'));
  expect(told.slice(withdrawn)).toContain('My passport is in the safe of the bank.');
  expect(told.slice(withdrawn)).not.toContain('My passport is in the blue drawer of the desk.');
});

describe('a memory of a wrong type', () => {
  const swims = async (person: Person) => {
    await person.says('I go swimming every Monday.', day(1));
    return (await person.memories()).find(({ type }) => type !== 'episodes')!;
  };

  test('is listed and recalled by its new type, and is not made again when its words are said again', async () => {
    const ada = await world.user('ada');
    const swimming = await swims(ada);
    expect(swimming.type).not.toBe('emotions');
    const corrected = await world.app.correctMemory(ada.access, swimming.id, { type: 'emotions' });
    expect(corrected).toEqual({ ...swimming, type: 'emotions', contentVersion: 1 }); // its words and evidence as they were
    const recalled = async (type: Memory['type']) =>
      (await ada.fetches('swimming', { types: [type] })).memories.map(({ id }) => id);
    expect(await recalled('emotions')).toEqual([swimming.id]);
    expect(await recalled(swimming.type)).toEqual([]);
    await ada.says('I go swimming every Monday.', day(8));
    expect(await ada.memories({ type: swimming.type })).toEqual([]);
    expect(await ada.memories({ type: 'emotions' })).toMatchObject([{ id: swimming.id, evidence: [{}, {}] }]);
    expect(await brokenRules(world.deps, ada.access)).toEqual({});
  });

  test('gets its type together with new words, whatever these are taken for', async () => {
    const ada = await world.user('ada');
    const { id } = await swims(ada);
    const correction = { content: 'I live in York.', type: 'preferences' } as const;
    expect(await world.app.correctMemory(ada.access, id, correction)).toMatchObject({ id, ...correction });
    await ada.says('I moved to Hull.', new Date()); // the new words still state where Ada lives
    expect(await ada.memories({ type: 'preferences', status: 'superseded' })).toMatchObject([{ id }]);
    expect(await brokenRules(world.deps, ada.access)).toEqual({});
  });

  test('stays superseded when it was', async () => {
    const ada = await world.user('ada');
    await ada.says('I live in Leeds.', day(1));
    await ada.says('I moved to York.', day(9));
    const [leeds] = await ada.memories({ type: 'facts', status: 'superseded' });
    const corrected = await world.app.correctMemory(ada.access, leeds!.id, { type: 'temporal_events' });
    expect(corrected).toMatchObject({ type: 'temporal_events', status: 'superseded', validUntil: day(9) });
    expect(await facts(ada, 'active')).toEqual(['I moved to York.']);
    expect(await brokenRules(world.deps, ada.access)).toEqual({});
  });

  test('is withdrawn by a stream and sent as it is now', async () => {
    const ada = await world.user('ada');
    await ada.says('My passport is in the blue drawer of the desk.', day(1));
    const [passport] = await ada.memories({ type: 'facts' });
    let show: (() => void) | undefined;
    const shown = new Promise<void>((resolve) => (show = resolve));
    const source = askingAgainAfter(shown, () =>
      world.app.correctMemory(ada.access, passport!.id, { type: 'preferences' }),
    );
    const told: string[] = [];
    for await (const update of world.app.anticipate(ada.access, source, AbortSignal.timeout(20_000))) {
      if (update.kind === 'withdrawal') told.push(...update.memoryIds.map((id) => `withdrawn ${id}`));
      if (update.kind !== 'bundle') continue;
      for (const memory of update.memories)
        if (memory.id === passport!.id) told.push('held' in memory ? 'held' : memory.type);
      if (told.length) show?.();
    }
    expect([...new Set(told)]).toEqual(['facts', `withdrawn ${passport!.id}`, 'preferences']);
  });

  test('does not get one that the configuration does not remember', async () => {
    const { access } = await configured(world, { memory_types: ['episodes', 'facts', 'preferences'] });
    const ada = await world.user('ada', { access });
    await ada.says('I like tea.', day(1));
    const [like] = await ada.memories({ type: 'preferences' });
    const felt = world.app.correctMemory(access, like!.id, { type: 'emotions' });
    await expect(felt).rejects.toMatchObject({ code: 'invalid_input', fields: [{ field: 'type' }] });
    expect(await world.app.correctMemory(access, like!.id, { type: 'facts' })).toMatchObject({ type: 'facts' });
  });

  test('keeps its type where it is an episode, and where another memory says the same as one of the new type', async () => {
    const ada = await world.user('ada');
    await ada.says('My locker at the climbing hall is number 118.', day(1));
    const [episode] = await ada.memories({ type: 'episodes' });
    const refused = world.app.correctMemory(ada.access, episode!.id, { type: 'facts' });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_input', fields: [{ field: 'type' }] });
    const [like] = (await ada.says('I like tea.', day(2)), await ada.memories({ type: 'preferences' }));
    await world.app.correctMemory(ada.access, like!.id, { content: 'I drink tea.', type: 'facts' });
    await ada.says('I like tea.', day(3));
    const [again] = await ada.memories({ type: 'preferences' });
    const same = world.app.correctMemory(ada.access, again!.id, { content: 'I drink tea.', type: 'facts' });
    await expect(same).rejects.toMatchObject({ code: 'conflict' });
  });

  test('is found again by what gets the same words and type, whatever its type was when it was said', async () => {
    const ada = await world.user('ada');
    const swimming = await swims(ada);
    await world.app.correctMemory(ada.access, swimming.id, { type: 'emotions' });
    await ada.says('I like tea.', day(2));
    const [like] = await ada.memories({ type: 'preferences', q: 'tea' });
    await world.app.correctMemory(ada.access, like!.id, { type: 'facts' });
    const same = world.app.correctMemory(ada.access, swimming.id, { content: 'I like tea.', type: 'facts' });
    await expect(same).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(like!.id) });
  });
});

describe('the time of an event', () => {
  const deadline = async (person: Person) => {
    await person.says('I have to hand in the report by 12 March 2026.', day(1));
    return (await person.memories({ q: 'report' })).find(({ dueAt }) => dueAt)!;
  };
  const at = (text: string) => new Date(text);

  test.each([
    { given: { eventStart: at('2026-03-13') }, start: '2026-03-13', end: '2026-03-14', precision: 'day' },
    { given: { eventStart: at('2026-03-13T15:30Z') }, start: '2026-03-13T15:30Z', end: null, precision: 'minute' },
    {
      given: { eventStart: at('2026-04-01'), eventPrecision: 'month' as const },
      start: '2026-04-01',
      end: '2026-05-01',
      precision: 'month',
    },
    { given: { eventEnd: at('2026-03-15') }, start: '2026-03-12', end: '2026-03-15', precision: 'day' },
    { given: { eventEnd: null }, start: '2026-03-12', end: null, precision: 'day' },
    { given: { eventPrecision: 'week' as const }, start: '2026-03-12', end: '2026-03-13', precision: 'week' },
    { given: { eventStart: null }, start: null, end: null, precision: null },
    { given: { eventStart: null, eventEnd: null, eventPrecision: null }, start: null, end: null, precision: null },
  ])('corrected by $given is $start to $end', async ({ given, start, end, precision }) => {
    const ada = await world.user('ada');
    const before = await deadline(ada);
    const corrected = await world.app.correctMemory(ada.access, before.id, given);
    expect(corrected).toEqual({
      ...before,
      contentVersion: 1,
      eventStart: start && at(start),
      eventEnd: end && at(end),
      eventPrecision: precision,
      // What falls due as the event begins goes with it.
      dueAt: start && at(start),
    });
    expect(await brokenRules(world.deps, ada.access)).toEqual({});
  });

  test('is given to a memory that had none, whatever its type', async () => {
    const ada = await world.user('ada');
    await ada.says('My bank is called Tangerine.', day(1));
    const [bank] = await ada.memories({ type: 'facts' });
    const eventStart = at('2026-02-01');
    expect(await world.app.correctMemory(ada.access, bank!.id, { eventStart })).toMatchObject({
      type: 'facts',
      eventStart,
    });
  });

  test('wins over what is read out of new words, which is read where none is given', async () => {
    const ada = await world.user('ada');
    const { id } = await deadline(ada);
    const correct = (content: string, eventStart?: Date) =>
      world.app.correctMemory(ada.access, id, { content, eventStart });
    const first = await correct('I have to hand in the report by 20 March 2026.');
    expect(first.eventStart).toEqual(at('2026-03-20'));
    const given = at('2026-03-27T09:00Z');
    const second = await correct('I have to hand in the report by 21 March 2026.', given);
    expect(second).toMatchObject({ eventStart: given, eventEnd: null, eventPrecision: 'minute', dueAt: given });
    expect(await brokenRules(world.deps, ada.access)).toEqual({});
  });

  test.each([
    { given: { eventStart: at('2026-03-12'), eventEnd: at('2026-03-11') }, field: 'event_end' },
    { given: { eventEnd: at('2026-03-11') }, field: 'event_end' },
    { given: { eventStart: null, eventPrecision: 'day' as const }, field: 'event_precision' },
    { given: { eventStart: null, eventEnd: at('2026-03-11') }, field: 'event_end' },
    { given: { eventStart: new Date(Date.UTC(9999, 0)) }, field: 'event_start' },
    { given: { reason: 'It is wrong.' }, field: 'content' },
  ])('is refused as $given, with the field at fault', async ({ given, field }) => {
    const ada = await world.user('ada');
    const { id } = await deadline(ada);
    const refused = world.app.correctMemory(ada.access, id, given);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_input', fields: [{ field }] });
  });
});

test('the reason of a correction is kept with the memory until it is corrected anew, and no word of it is in the audit', async () => {
  const ada = await world.user('ada');
  await ada.says('My bank is called Tangerine.', day(1));
  const [bank] = await ada.memories({ type: 'facts' });
  const correct = (correction: Parameters<typeof world.app.correctMemory>[2]) =>
    world.app.correctMemory(ada.access, bank!.id, correction);
  const reason = 'Ada was joking about Tangerine.';
  expect(await correct({ content: 'My bank is called Marigold.', reason })).toMatchObject({ correctionReason: reason });
  expect(await correct({ metadata: { reviewed: true } })).toMatchObject({ correctionReason: reason });
  expect(await correct({ type: 'preferences', eventStart: null })).toMatchObject({ correctionReason: null });
  expect(await correct({ metadata: {}, reason })).toMatchObject({ correctionReason: reason });
  const { clientId } = await world.app.administration.instance(world.admin, ada.access.instance);
  const { data } = await world.app.administration.clientAudit(world.admin, clientId, { limit: 100 });
  const corrections = data.filter(({ action, target }) => action === 'memory.correct' && target === bank!.id);
  expect(corrections.map(({ after }) => after)).toEqual([
    { corrected: ['metadata'] },
    { corrected: ['type', 'event_start'] },
    { corrected: ['metadata'] },
    { corrected: ['content'] },
  ]);
  expect(JSON.stringify(data)).not.toMatch(/joking|Tangerine|Marigold/);
});

test('a correction is refused where another memory says the same, where nothing is given, and where there is none', async () => {
  const ada = await world.user('ada');
  await ada.says('I like green tea.', day(1));
  await ada.says('I like black coffee.', day(2));
  const [tea] = await ada.memories({ type: 'preferences', q: 'tea' });
  const same = world.app.correctMemory(ada.access, tea!.id, { content: 'I like black coffee.' });
  await expect(same).rejects.toMatchObject({ code: 'conflict' });
  await expect(async () => world.app.correctMemory(ada.access, tea!.id, {})).rejects.toMatchObject({
    code: 'invalid_input',
    fields: [{ field: 'content' }],
  });
  const bob = { userId: 'bob', content: 'Mine.' };
  await expect(world.app.correctMemory(ada.access, tea!.id, bob)).rejects.toMatchObject({ code: 'not_found' });
});

test('a corrected memory that is forgotten leaves nothing', async () => {
  const ada = await world.user('ada');
  await ada.says('My bank is called Tangerine.', day(1));
  const [bank] = await ada.memories();
  await world.app.correctMemory(ada.access, bank!.id, { content: 'My bank is called Marigold.' });
  const receipt = await world.app.forgetOwner(ada.access, { userId: 'ada' });
  expect(receipt.remaining).toEqual({ rows: 0, vectors: 0, terms: 0, graphLinks: 0 });
  expect(await world.deps.db.document.count({ where: { instanceNumber: ada.access.instanceNumber } })).toBe(0);
  expect(await brokenRules(world.deps, ada.access)).toEqual({});
});
