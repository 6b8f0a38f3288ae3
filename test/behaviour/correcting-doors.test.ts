import { describe, expect, test } from 'vitest';
import { openDoors } from '../support/open-doors.ts';
import { day } from '../support/person.ts';
import { openClient } from './mcp/open-client.ts';
import { newAdminToken } from './rest/open-server.ts';

/** How each door has the type, the times and the reason of a correction. */
const doors = openDoors();
const { world } = doors;

async function banking() {
  const made = await world.instance();
  const ada = await world.user('ada', made);
  await ada.says('My bank is called Tangerine.', day(1));
  const [bank] = await ada.memories({ type: 'facts' });
  return { ...made, id: bank!.id };
}

const correction = { type: 'temporal_events', event_start: '2026-06-01', event_precision: 'month', reason: 'A note.' };
const corrected = {
  type: 'temporal_events',
  event_start: '2026-06-01T00:00:00.000Z',
  event_end: '2026-07-01T00:00:00.000Z',
  event_precision: 'month',
};
const cleared = { type: 'temporal_events', event_start: null, event_end: null, event_precision: null };

describe('REST', () => {
  test('takes a type and times, and null for no event; the reason is in no answer', async () => {
    const { key, id } = await banking();
    const patch = (body: object) => doors.send(key, 'PATCH', `/v1/memories/${id}?user_id=ada`, body);
    const told = await patch(correction);
    expect(told.json()).toMatchObject({ id, ...corrected });
    expect(told.text).not.toContain('A note.');
    expect((await patch({ event_start: null })).json()).toMatchObject({ id, ...cleared });
  });

  test.each([
    [{ type: 'episodes' }, 'type'],
    [{ type: 'feelings' }, 'type'],
    [{ event_start: 'tomorrow' }, 'event_start'],
    [{ event_start: '2026-06-01', event_end: '2026-05-01' }, 'event_end'],
    [{ event_end: '2026-05-01' }, 'event_end'],
    [{ event_start: '2026-06-01', event_precision: 'decade' }, 'event_precision'],
    [{ type: 'facts', reason: 'x'.repeat(1_001) }, 'reason'],
    [{ reason: 'A note.' }, 'content'],
    [{ type: 'facts', valid_from: '2026-06-01' }, 'valid_from'],
  ])('refuses %j by its field', async (body, field) => {
    const { key, id } = await banking();
    const told = await doors.send(key, 'PATCH', `/v1/memories/${id}`, body);
    expect([told.status, told.json().errors?.map((each: { field: string }) => each.field)]).toEqual([400, [field]]);
  });

  test('knows no such memory for a stranger, and for whoever asks on behalf of somebody else', async () => {
    const [{ key, id }, stranger] = [await banking(), await world.instance()];
    expect((await doors.send(stranger.key, 'PATCH', `/v1/memories/${id}`, correction)).status).toBe(404);
    expect((await doors.send(key, 'PATCH', `/v1/memories/${id}?user_id=bob`, correction)).status).toBe(404);
    expect((await doors.send(key, 'GET', `/v1/memories/${id}`)).json()).toMatchObject({ type: 'facts' });
  });
});

describe('GraphQL', () => {
  const mutation = `mutation ($input: CorrectMemoryInput!, $i: ID) { correctMemory(input: $input, instanceId: $i) {
    ... on Memory { type eventStart eventEnd eventPrecision correctionReason }
    ... on InvalidInput { fields { field } } } }`;

  test('takes a type and times, null for no event, and tells the reason', async () => {
    const { key, id } = await banking();
    const correct = async (input: object) =>
      (await doors.ask(key, mutation, { input: { memoryId: id, ...input } })).json().data.correctMemory;
    const given = { type: 'TEMPORAL_EVENTS', eventStart: '2026-06-01T00:00:00Z', eventPrecision: 'month' };
    expect(await correct({ ...given, reason: 'A note.' })).toMatchObject({
      type: 'TEMPORAL_EVENTS',
      eventEnd: corrected.event_end,
      correctionReason: 'A note.',
    });
    expect(await correct({ eventStart: null })).toMatchObject({
      eventStart: null,
      eventEnd: null,
      eventPrecision: null,
      correctionReason: null,
    });
    expect(await correct({ type: 'EPISODES' })).toMatchObject({ fields: [{ field: 'type' }] });
    expect(await correct({ eventEnd: '2026-06-01T00:00:00Z' })).toMatchObject({ fields: [{ field: 'eventEnd' }] });
  });

  test('refuses a viewer', async () => {
    const { access, id } = await banking();
    const viewer = await newAdminToken(world, 'viewer');
    const variables = { input: { memoryId: id, type: 'PREFERENCES' }, i: access.instance };
    const { errors } = (await doors.ask(viewer, mutation, variables)).json();
    expect(errors[0].extensions.code).toBe('forbidden');
    expect(await world.app.memory(access, id, {})).toMatchObject({ type: 'facts' });
  });
});

test('MCP takes a type and times, and names the field at fault', async () => {
  const { key: credential, id: memoryId } = await banking();
  await using server = await openClient(doors, { transport: 'HTTP', era: '2025-11-25', credential, user: 'ada' });
  const { memory } = await server.call('correct', { memory_id: memoryId, ...correction });
  const { type, event_start } = corrected;
  expect(memory).toMatchObject({ memory_id: memoryId, type, event_start, content: 'My bank is called Tangerine.' });
  await expect(server.call('correct', { memory_id: memoryId, type: 'episodes' })).rejects.toThrow(/type/);
  await expect(server.call('correct', { memory_id: memoryId })).rejects.toThrow(/content: is required/);
});
