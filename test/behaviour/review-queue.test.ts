import { beforeAll, describe, expect, test } from 'vitest';
import type { Access } from '../../src/domain/tenancy/access.ts';
import { entityCalled, namesOf } from '../support/entities.ts';
import { openDoors } from '../support/open-doors.ts';
import { day, type Person } from '../support/person.ts';

const doors = openDoors();

/** A user with a doubt: Mrs. Brandt may be Odile Brandt. */
async function inDoubt(): Promise<{ ada: Person; key: string; access: Access }> {
  const { access, key } = await doors.world.instance();
  const ada = await doors.world.user('ada', { access });
  await ada.says('I met Odile Brandt at the harbour.', day(1));
  await ada.says('Mrs. Brandt repaired the harmonium.', day(2));
  return { ada, key, access };
}

const queued = async (key: string, query = '') =>
  (await doors.send(key, 'GET', `/v1/review-queue${query}`)).json().data;

describe('over REST', () => {
  test('a pair is shown with both sides, their evidence and the reasons', async () => {
    const { key } = await inDoubt();
    const [review] = await queued(key);
    expect(review).toMatchObject({ status: 'open', review_id: expect.stringMatching(/^rev_/) });
    expect(review.score).toBeGreaterThanOrEqual(0.6);
    expect(review.score).toBeLessThan(0.95);
    const sides = [review.left, review.right].map((side) => ({
      name: side.entity.name,
      quote: side.evidence[0].quote,
    }));
    expect(sides.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'Mrs. Brandt', quote: 'Mrs. Brandt repaired the harmonium.' },
      { name: 'Odile Brandt', quote: 'I met Odile Brandt at the harbour.' },
    ]);
    expect(review.features).toContainEqual({ name: 'courtesy-and-family', value: 1, weight: expect.any(Number) });
  });

  test('confirmed, the two are one, and undone, two again', async () => {
    const { ada, key } = await inDoubt();
    const [review] = await queued(key);
    const confirmed = await doors.send(key, 'POST', `/v1/review-queue/${review.review_id}/confirm`);
    expect(confirmed.status).toBe(200);
    const { merge, entity } = confirmed.json();
    expect(entity).toMatchObject({ name: expect.stringContaining('Brandt'), mentions: (await ada.memories()).length });
    expect(await namesOf(doors.world, ada)).toHaveLength(1);
    expect(await queued(key)).toEqual([]);
    const detail = (await doors.send(key, 'GET', `/v1/entities/${entity.entity_id}`)).json();
    expect(detail.merges).toEqual([merge]);
    expect(detail.evidence).toHaveLength(entity.mentions);

    const undone = await doors.send(key, 'POST', `/v1/merges/${merge.merge_id}/undo`);
    expect(
      undone
        .json()
        .entities.map((each: { name: string }) => each.name)
        .toSorted(),
    ).toEqual(['Mrs. Brandt', 'Odile Brandt']);
    expect(await namesOf(doors.world, ada)).toHaveLength(2);
    const again = await doors.send(key, 'POST', `/v1/merges/${merge.merge_id}/undo`);
    expect({ status: again.status, code: again.json().code }).toEqual({ status: 409, code: 'conflict' });
  });

  test('rejected, the two are never proposed or linked again', async () => {
    const { ada, key } = await inDoubt();
    const [review] = await queued(key);
    const rejected = await doors.send(key, 'POST', `/v1/review-queue/${review.review_id}/reject`);
    expect(rejected.json()).toMatchObject({ review_id: review.review_id, status: 'rejected' });
    await ada.says('Mrs. Brandt and Odile Brandt came to dinner. Mrs. Brandt sang.', day(3));
    expect(await queued(key)).toEqual([]);
    expect(await namesOf(doors.world, ada)).toHaveLength(2);
    const late = await doors.send(key, 'POST', `/v1/review-queue/${review.review_id}/confirm`);
    expect({ status: late.status, code: late.json().code }).toEqual({ status: 409, code: 'conflict' });
  });

  test('of two who answer at once, one is told that the other was first', async () => {
    const { ada, key } = await inDoubt();
    const [review] = await queued(key);
    const answers = await Promise.all(
      ['confirm', 'confirm', 'reject'].map((answer) =>
        doors.send(key, 'POST', `/v1/review-queue/${review.review_id}/${answer}`),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const isConfirmed = answers[2]!.status === 409;
    expect(await namesOf(doors.world, ada)).toHaveLength(isConfirmed ? 1 : 2);
  });

  test('any two can be merged, and an entity split, by whoever knows better', async () => {
    const { ada, key, access } = await inDoubt();
    const { data } = await doors.world.app.entities(access, {}, { limit: 10 });
    const [one, other] = data;
    const body = { source_entity_id: one!.id, target_entity_id: other!.id };
    const merged = (await doors.send(key, 'POST', '/v1/entities/merge', body)).json();
    expect(merged.merge).toMatchObject({
      reason: 'manual',
      source_entity_id: one!.id,
      target_entity_id: other!.id,
      score: null,
    });
    expect(await queued(key)).toEqual([]);
    expect((await doors.send(key, 'POST', '/v1/entities/merge', body)).status).toBe(409);
    expect((await doors.send(key, 'GET', `/v1/entities/${one!.id}`)).json().entity_id).toBe(other!.id);

    const [memory] = await ada.memories({ entityId: other!.id, type: 'episodes' });
    const split = { entity_id: other!.id, memory_ids: [memory!.id] };
    const divided = (await doors.send(key, 'POST', '/v1/entities/split', split)).json();
    expect(divided.new_entity.mentions).toBe(1);
    expect(divided.entity.mentions).toBe((await ada.memories()).length - 1);
    expect(await namesOf(doors.world, ada)).toHaveLength(2);
  });

  test.each([
    { case: 'no memory', body: { entity_id: 'ent_x', memory_ids: [] }, status: 400, field: 'memory_ids' },
    { case: 'no entity', body: { memory_ids: ['mem_x'] }, status: 400, field: 'entity_id' },
    { case: 'an entity that is none', body: { entity_id: 'ent_x', memory_ids: ['mem_x'] }, status: 404 },
  ])('a split of $case is refused', async ({ body, status, field }) => {
    const { key } = await doors.world.instance();
    const told = await doors.send(key, 'POST', '/v1/entities/split', body);
    expect(told.status).toBe(status);
    if (field) expect(told.json().errors[0].field).toBe(field);
  });

  test('a long queue comes page by page', async () => {
    const { ada, key } = await inDoubt();
    for (const family of ['Okafor', 'Lund', 'Dahl']) {
      await ada.says(`I met Odile ${family} at the harbour.`, day(3));
      await ada.says(`Mrs. ${family} repaired the harmonium of the ${family} family.`, day(4));
    }
    const all = await queued(key, '?limit=100');
    const pages = [];
    let cursor = '';
    do {
      const page = (await doors.send(key, 'GET', `/v1/review-queue?limit=1${cursor}`)).json();
      pages.push(...page.data);
      cursor = page.next_cursor ? `&cursor=${page.next_cursor}` : '';
    } while (cursor);
    expect(all.length).toBeGreaterThanOrEqual(4);
    expect(pages).toEqual(all);
  });
});

describe('whoever asks for one user', () => {
  /** Two users of one customer, and what each says. */
  async function colleagues() {
    const { access } = await doors.world.instance();
    const ada = await doors.world.user('ada', { access, customer: 'acme' });
    return { access, ada, bob: await doors.world.user('bob', { access, customer: 'acme' }) };
  }

  test('is told by an answer of no more than that user may read', async () => {
    const { access, ada, bob } = await colleagues();
    for (const person of [ada, bob]) {
      await person.says('I met Odile Brandt at the harbour.', day(1));
      await person.says('Mrs. Brandt repaired the harmonium.', day(2));
    }
    const [review] = (await doors.world.app.reviews(access, ada.named, { limit: 10 })).data;
    const { entity } = await doors.world.app.confirmReview(access, review!.id, ada.named);
    expect(entity.mentions).toBe((await ada.memories()).length);
  });

  test('undoes no merge of names that this user never said', async () => {
    const { access, ada, bob } = await colleagues();
    await bob.says('Jorun Dahl carried the lamp.', day(1));
    await bob.says('Petra Hawksworth carried the ladder.', day(1));
    await ada.says('Soren Lund carried the rope.', day(1));
    const [jorun, petra, soren] = await Promise.all([
      entityCalled(doors.world, bob, 'Jorun Dahl'),
      entityCalled(doors.world, bob, 'Petra Hawksworth'),
      entityCalled(doors.world, ada, 'Soren Lund'),
    ]);
    const { merge } = await doors.world.app.mergeEntities(access, { sourceId: jorun.id, targetId: petra.id });
    await doors.world.app.mergeEntities(access, { sourceId: soren.id, targetId: petra.id });
    await expect(doors.world.app.undoMerge(access, merge.id, ada.named)).rejects.toMatchObject({ code: 'not_found' });
    expect(await namesOf(doors.world, bob)).toHaveLength(1);
  });
});

test('a split that would leave one user nothing of the entity is refused to whoever asks for that user', async () => {
  const { world } = doors;
  const { access } = await world.instance();
  const ada = await world.user('ada', { access, customer: 'acme' });
  const bob = await world.user('bob', { access, customer: 'acme' });
  for (const person of [ada, bob]) await person.says('Jorun Dahl carried the lamp.', day(1));
  const { id } = await entityCalled(world, ada, 'Jorun Dahl');
  const memoryIds = (await ada.memories()).map((memory) => memory.id);
  const split = { entityId: id, memoryIds };
  await expect(world.app.splitEntity(access, { ...split, ...ada.named })).rejects.toMatchObject({ code: 'conflict' });
  expect((await world.app.entities(access, {}, { limit: 10 })).data).toHaveLength(1);
  await world.app.splitEntity(access, split);
  expect((await world.app.entities(access, {}, { limit: 10 })).data).toHaveLength(2);
});

describe('over GraphQL', () => {
  let ada: Person;
  let key: string;
  beforeAll(async () => ({ ada, key } = await inDoubt()));

  test('the queue, an answer and its undoing, in one story', async () => {
    const queue = `{ entityMatchReviews { nodes { id score features { name weight }
      left { entity { id name aliases } evidence { name quote memory { content } } } right { entity { id name } } } pageInfo { hasNextPage } } }`;
    const [review] = (await doors.ask(key, queue)).json().data.entityMatchReviews.nodes;
    expect(review.left.evidence[0].memory.content).toContain('Brandt');

    const confirm = `mutation { confirmEntityMatch(id: "${review.id}") { __typename ... on Problem { message }
      ... on Merge { id reason score undoneAt entity { id aliases evidence { name } merges { id } } } } }`;
    const merge = (await doors.ask(key, confirm)).json().data.confirmEntityMatch;
    expect(merge).toMatchObject({ reason: 'CONFIRMED', undoneAt: null, entity: { merges: [{ id: merge.id }] } });
    expect(merge.entity.aliases).toHaveLength(1);
    expect(new Set(merge.entity.evidence.map((each: { name: string }) => each.name))).toEqual(
      new Set(['Mrs. Brandt', 'Odile Brandt']),
    );
    expect((await doors.ask(key, confirm)).json().data.confirmEntityMatch).toMatchObject({ __typename: 'Conflict' });

    const undo = `mutation { undoMerge(id: "${merge.id}") { __typename ... on Merge { undoneAt } ... on Problem { message } } }`;
    expect((await doors.ask(key, undo)).json().data.undoMerge.undoneAt).not.toBeNull();
    expect(await namesOf(doors.world, ada)).toHaveLength(2);
    expect((await doors.ask(key, undo)).json().data.undoMerge).toMatchObject({ __typename: 'Conflict' });
  });

  test.each([
    ['rejectEntityMatch(id: "rev_x") { __typename }', 'NotFound'],
    ['mergeEntities(sourceEntityId: "ent_x", targetEntityId: "ent_y") { __typename }', 'NotFound'],
    ['splitEntity(entityId: "ent_x", memoryIds: []) { __typename }', 'InvalidInput'],
    ['splitEntity(entityId: "ent_x", memoryIds: ["mem_x"]) { __typename }', 'NotFound'],
    ['undoMerge(id: "mrg_x") { __typename }', 'NotFound'],
  ])('%s: %s', async (field, outcome) => {
    const told = (await doors.ask(key, `mutation { ${field} }`)).json();
    expect(Object.values(told.data)).toEqual([{ __typename: outcome }]);
  });
});
