import type { Entity } from '../../src/domain/entities/entity.ts';
import type { Person } from './person.ts';
import type { World } from './world.ts';

/** The entities that a person's memories mention, as the person may see them. */
export async function entitiesOf({ app }: World, { access, named }: Person, q?: string): Promise<Entity[]> {
  return [...(await app.entities(access, { ...named, q }, { limit: 100 })).data];
}

/** All the names of each, the one it goes by first. */
export const namesOf = async (world: World, person: Person): Promise<string[][]> =>
  (await entitiesOf(world, person)).map(({ name, aliases }) => [name, ...aliases.toSorted()]).toSorted();

/** The one that is called so. */
export async function entityCalled(world: World, person: Person, name: string): Promise<Entity> {
  const [entity] = await entitiesOf(world, person, name);
  if (!entity) throw new Error(`nobody is called ${name}`);
  return entity;
}
