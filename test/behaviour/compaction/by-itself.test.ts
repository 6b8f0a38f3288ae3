import { describe, expect, test } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { transaction } from '../../../src/db/database.ts';
import type { CompactionStrategy } from '../../../src/domain/compaction/compaction.ts';
import { defaultConfiguration } from '../../../src/domain/configurations/configuration.ts';
import { enqueueCompactionJob } from '../../../src/domain/conversations/enqueue-compaction-job.ts';
import { unavailableError } from '../../../src/domain/errors.ts';
import type { LanguageModel } from '../../../src/domain/extraction/language-model.ts';
import { newUuid } from '../../../src/domain/ids.ts';
import { configured } from '../../support/configured.ts';
import { openDoors } from '../../support/open-doors.ts';
import { openClient } from '../grpc/open-client.ts';
import { chatter, talkIn, type Talk } from './talk.ts';

const doors = openDoors();
const { world } = doors;

const order = 'Always answer me in metric units.';

/** A conversation of an instance where they are compacted by themselves after so many tokens. */
async function compactedAfter(tokens: number): Promise<Talk> {
  const compaction = { ...defaultConfiguration.compaction, strategy: 'balanced' as const, automatic_tokens: tokens };
  return talkIn(world, { of: await configured(world, { compaction }) });
}

describe('where the configuration says so', () => {
  test('a conversation is compacted by itself, each time so much was said', async () => {
    const ada = await compactedAfter(300);
    await ada.says(order, ...chatter(2));
    await ada.remembered();
    expect(await ada.versions()).toBe(0);
    await ada.says(...chatter(12));
    await ada.remembered();
    expect(await ada.versions()).toBe(1);
    const first = await world.app.compactions.version(ada.access, { conversationId: 'harbour' });
    expect(first.systemPrompt).toContain(order);
    expect(first.strategy).toBe('balanced');
    await ada.says(...chatter(2, 'mill'));
    await ada.remembered();
    expect(await ada.versions()).toBe(1);
    await ada.says(...chatter(12, 'mill'));
    await ada.remembered();
    expect(await ada.versions()).toBe(2);
  });

  test('and else it is not', async () => {
    const ada = await talkIn(world);
    await ada.says(...chatter(20));
    await ada.remembered();
    expect(await ada.versions()).toBe(0);
  });
});

describe('a language model', () => {
  /** Answers what `write` makes of the passages to keep. */
  const modelThat = (write: (passages: readonly string[]) => string) => {
    const asked: string[] = [];
    const model: LanguageModel = {
      model: 'stand-in',
      async answer(messages, { used }) {
        const content = messages[1]!.content;
        asked.push(content);
        used({ input: 100, output: 10 });
        const { passages_to_keep: passages } = JSON.parse(content) as { passages_to_keep: string[] };
        return JSON.stringify({ narrative: write(passages) });
      },
    };
    const app = createApp({ ...world.deps, languageModels: new Map([['default', model]]) });
    return {
      asked,
      compact: (talk: Talk, strategy: CompactionStrategy = 'balanced', targetTokens?: number) =>
        app.compactions.compact(talk.access, { conversationId: 'harbour', strategy, targetTokens }),
    };
  };

  /** Compacts a talk with a narrative that begins with these words. */
  const compactedAs = (talk: Talk, words: string) =>
    modelThat((passages) => `${words} ${passages.join(' ')}`).compact(talk, 'adaptive');

  const compactedAfterMoving = async (talk: Talk) => {
    await talk.says('I moved to York.', ...chatter(2));
    await talk.remembered();
    return compactedAs(talk, 'York is.');
  };

  test('writes the narrative where it keeps every passage', async () => {
    const ada = await talkIn(world);
    await ada.says(order, ...chatter(20));
    const { compact, asked } = modelThat((passages) => `[0] Ada came to the harbour and said: ${passages.join(' ')}`);
    const compaction = await compact(ada);
    expect(asked).toHaveLength(1);
    expect(compaction.systemPrompt).toContain(`Ada came to the harbour and said: ${order}`);
    expect(compaction).toMatchObject({ validationScore: 1, qualityWarning: null });
  });

  test('is refused when it loses one, and the rules write in its place', async () => {
    const ada = await talkIn(world);
    await ada.says(order, ...chatter(20));
    const { compact, asked } = modelThat(() => 'Ada wants other units.');
    const compaction = await compact(ada);
    expect(asked).toHaveLength(2);
    expect(compaction.systemPrompt).toContain(order);
    expect(compaction.systemPrompt).not.toContain('other units');
    expect(compaction.qualityWarning).toMatch(/refused/);
  });

  test('is refused when it tells what was replaced, which it is shown', async () => {
    const ada = await talkIn(world);
    await ada.says('I live in Leeds.', ...chatter(8), 'I moved to York.', ...chatter(8));
    await ada.remembered();
    const { compact, asked } = modelThat((passages) => `I live in Leeds. ${passages.join(' ')}`);
    const compaction = await compact(ada);
    expect(JSON.parse(asked[0]!)).toMatchObject({
      replaced_passages: [expect.stringContaining('Leeds')],
      most_tokens: expect.any(Number),
    });
    expect(compaction.systemPrompt).not.toContain('Leeds');
    expect(compaction.qualityWarning).toMatch(/refused/);
  });

  test('is refused when it takes more than its room, and the rules write in its place', async () => {
    const ada = await talkIn(world);
    await ada.says(order, ...chatter(40));
    const { compact, asked } = modelThat((passages) => `${'So it went on. '.repeat(500)}${passages.join(' ')}`);
    const compaction = await compact(ada, 'balanced', 400);
    expect(asked).toHaveLength(2);
    expect(compaction.compactedTokens).toBeLessThanOrEqual(440);
    expect(compaction.systemPrompt).toContain(order);
    expect(compaction.systemPrompt).not.toContain('So it went on.');
    expect(compaction.qualityWarning).toMatch(/refused/);
  });

  test('is not asked where what must be kept leaves no room', async () => {
    const ada = await talkIn(world);
    await ada.says(order, ...chatter(20));
    const { compact, asked } = modelThat((passages) => passages.join(' '));
    expect((await compact(ada, 'balanced', 5)).qualityWarning).toMatch(/more than the target of 5/);
    expect(asked).toEqual([]);
  });

  test('is gone on from no more once something was replaced, as it may have told that in other words', async () => {
    const ada = await talkIn(world);
    await ada.says('I live in Leeds.', ...chatter(20));
    await ada.remembered();
    const first = await compactedAs(ada, 'Leeds is her home.');
    expect(first.systemPrompt).toContain('Leeds is her home.');
    const second = await compactedAfterMoving(ada);
    expect(second.extendsPrevious).toBe(false);
    expect(second.systemPrompt).not.toContain('Leeds');
  });

  test('that does not answer is told as that', async () => {
    const ada = await talkIn(world);
    await ada.says(order, ...chatter(20));
    const { compact } = modelThat(() => {
      throw unavailableError('the model is gone');
    });
    expect((await compact(ada)).qualityWarning).toMatch(/did not answer/);
  });
});

/** As much as several calls may add, of which a compaction reads the last. */
const muchTalk = Array.from({ length: 30 }, (_, n) => `${n} ${'word '.repeat(19_990)}`.slice(0, 99_990));

test('of a conversation that is too long to be read whole, the last is compacted, and the version before is gone on from', async () => {
  const ada = await talkIn(world);
  for (let at = 0; at < muchTalk.length; at += 10) await ada.says(...muchTalk.slice(at, at + 10));
  await ada.says(order, ...chatter(3));
  await ada.remembered();
  const first = await ada.compacts({ targetTokens: 1_000 });
  expect(first.qualityWarning).toMatch(/^nothing before turn \d+ was read/);
  expect(first.systemPrompt).toContain(order);
  await ada.says('Never send me links.');
  const second = await ada.compacts({ targetTokens: 1_000 });
  expect(second).toMatchObject({ version: 2, extendsPrevious: true });
  expect(second.systemPrompt).toContain('Never send me links.');
});

test('of what was said before all that is read, a text that is begun anew keeps what still holds', async () => {
  const ada = await talkIn(world);
  await ada.says(order, 'I live in Leeds.', ...chatter(3));
  await ada.remembered();
  const first = await ada.compacts({ strategy: 'balanced' });
  for (let at = 0; at < muchTalk.length; at += 10) await ada.says(...muchTalk.slice(at, at + 10));
  await ada.remembered();
  const extended = await ada.compacts({ strategy: 'balanced' });
  const anew = await ada.compacts({ strategy: 'conservative' });
  expect(anew.extendsPrevious).toBe(false);
  for (const { systemPrompt, pins, memories } of [extended, anew]) {
    expect(systemPrompt).toContain(order);
    expect(pins).toEqual(expect.arrayContaining([...first.pins]));
    expect(memories).toEqual(expect.arrayContaining([...first.memories]));
  }
  const elsewhere = await talkIn(world, { of: ada, conversationId: 'mill' });
  await elsewhere.says('I moved to York.');
  await elsewhere.remembered();
  const { systemPrompt, pins, memories } = await ada.compacts({ strategy: 'conservative' });
  expect(systemPrompt).toContain(order);
  expect(JSON.stringify([systemPrompt, pins, memories])).not.toContain('Leeds');
});

test('a conversation at which three workers ended is given up, and the version before stays', async () => {
  const ada = await talkIn(world);
  const { instanceNumber } = ada.access;
  await ada.says(order, ...chatter(12));
  await ada.compacts();
  await ada.says(...chatter(12, 'mill'));
  const { id: conversationId } = await world.deps.db.conversation.findFirstOrThrow({ where: { instanceNumber } });
  const payload = { conversationId, isRequested: true };
  await world.deps.db.job.create({
    data: {
      id: newUuid(),
      queue: 'compact-conversation',
      instanceNumber,
      payload,
      runAt: new Date(0),
      workerCrashes: 3,
    },
  });
  world.deps.wake();
  await world.settle();
  expect(await ada.versions()).toBe(1);
});

test('a conversation by the id of a job of another instance is compacted, and that job is left alone', async () => {
  const { access: other } = await world.instance();
  const leased = { id: newUuid(), queue: 'compact-conversation', instanceNumber: other.instanceNumber, attempt: 1 };
  const payload = { conversationId: newUuid(), isRequested: true };
  const lockedUntil = new Date(Date.now() + 3_600_000);
  const job = await world.deps.db.job.create({ data: { ...leased, payload, runAt: new Date(0), lockedUntil } });
  const ada = await talkIn(world, { conversationId: job.id });
  await ada.says(order, ...chatter(12));
  await world.app.compactions.enqueue(ada.access, { conversationId: job.id });
  expect(await world.deps.db.job.findUnique({ where: { id: job.id } })).toEqual(job);
  await world.deps.db.job.delete({ where: { id: job.id } });
  world.deps.wake();
  await world.settle();
  expect(await ada.versions()).toBe(1);
});

test('a conversation that is still being ingested keeps no other waiting, and is compacted later', async () => {
  const [ada, bob] = [await talkIn(world), await talkIn(world)];
  for (const talk of [ada, bob]) {
    await talk.says(order, ...chatter(3));
    await talk.remembered();
  }
  const setStatus = (status: string) =>
    world.deps.db.ingestion.updateMany({ where: { instanceNumber: ada.access.instanceNumber }, data: { status } });
  await setStatus('queued');
  for (const { access, conversationId } of [ada, bob]) await world.app.compactions.enqueue(access, { conversationId });
  await expect.poll(bob.versions, { timeout: 8_000 }).toBe(1);
  expect(await ada.versions()).toBe(0);
  await setStatus('completed');
  await world.settle();
  expect(await ada.versions()).toBe(1);
});

test('a compaction that was requested is made, also where one without a request is enqueued after it', async () => {
  const ada = await talkIn(world);
  await ada.says(order, ...chatter(12));
  const { instanceNumber } = ada.access;
  const { id: conversationId } = await world.deps.db.conversation.findFirstOrThrow({ where: { instanceNumber } });
  await transaction(world.deps.db, async (tx) => {
    await enqueueCompactionJob(tx, ada.access, { conversationId, isRequested: true });
    await enqueueCompactionJob(tx, ada.access, { conversationId });
  });
  world.deps.wake();
  await world.settle();
  expect(await ada.versions()).toBe(1);
});

test('a stream tells the newest compaction of its conversation when it starts', async () => {
  const ada = await talkIn(world);
  await ada.says(order, ...chatter(10));
  const { id, systemPrompt } = await ada.compacts();
  using client = openClient(doors.grpcAddress);
  const stream = client.anticipate({ key: ada.key });
  stream.send({ sessionStart: { userId: 'ada', conversationId: 'harbour' } });
  expect(await stream.next()).toMatchObject({
    kind: 'summary',
    summary: { compactionId: id, version: 1, text: systemPrompt },
  });
  stream.hangUp();
  await stream.ended;
});
