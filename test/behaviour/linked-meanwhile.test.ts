import { expect, test } from 'vitest';
import { resolveEntities } from '../../src/domain/ingestion/resolve-entities.ts';
import { namesOf } from '../support/entities.ts';
import { day } from '../support/person.ts';
import { openWorld } from '../support/world.ts';

/** What happens once, between what a document's names are found to be and what is written of it. */
let meanwhile: (() => Promise<unknown>) | undefined;
const world = openWorld({
  resolve: async (...call) => {
    const found = await resolveEntities(...call);
    const once = meanwhile;
    meanwhile = undefined;
    await once?.();
    return found;
  },
});

test('a no that is said while a document is ingested holds for that document', async () => {
  const ada = await world.user('ada', { customer: 'acme' });
  const bob = await world.user('bob', { access: ada.access, customer: 'acme' });
  await bob.says('Robert Ferrars carried the lamp.', day(1));
  meanwhile = async () => {
    await bob.says('Bob Ferrars carried the ladder.', day(2));
    const [entity] = (await world.app.entities(ada.access, {}, { limit: 10 })).data;
    const [[merge] = []] = await world.app.mergesOfEntities(ada.access, [entity!.id]);
    await world.app.undoMerge(ada.access, merge!.id, {});
  };
  await ada.says('Bob Ferrars carried the rope.', day(3));
  expect(await namesOf(world, bob)).toEqual([['Bob Ferrars'], ['Robert Ferrars']]);
});
