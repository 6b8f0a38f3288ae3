import { expect, test } from 'vitest';
import { day } from '../support/person.ts';
import { nearly } from '../support/nearly.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();

test.each(['fast', 'accurate'] as const)('an agent may ask of "the user" what the user said, in %s', async (mode) => {
  const ada = await world.user('ada');
  await ada.says('I work as a nurse on night shifts.', day(1));
  await ada.says('My brother repairs old clocks in Bath.', day(2));
  for (const [asked, said] of [
    ['What does the user do for work?', 'What do I do for work?'],
    ["What is the user's job?", 'What is my job?'],
  ] as const) {
    const found = async (question: string) =>
      (await ada.fetches(question, { mode })).memories.map(({ content, relevance }) => ({ content, relevance }));
    const ofUser = await found(asked);
    expect(ofUser[0]!.content).toContain('nurse');
    expect(ofUser).toEqual(nearly(await found(said)));
  }
});
