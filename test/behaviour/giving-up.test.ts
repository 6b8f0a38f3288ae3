import { expect, test } from 'vitest';
import { submitHeld } from '../support/submit-held.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();

test.each([
  { case: 'after many tries that ended with a word, it goes on', past: { attempt: 100 }, status: 'completed' },
  { case: 'after many workers that ended at it, it is given up', past: { deaths: 100 }, status: 'failed' },
])('a document: $case', async ({ past, status }) => {
  const ada = await world.user('ada');
  const document = { document: 'I keep ducks.', documentType: 'note', mode: 'fast', ...ada.named } as const;
  const { id } = await submitHeld(world.d, ada.access, document);
  await world.d.db.job.updateMany({ where: { i: ada.access.i }, data: { ...past, runAt: new Date(0) } });
  world.d.wake();
  await world.settle();
  expect(await world.app.ingestion(ada.access, id)).toMatchObject({ status });
});
