import DataLoader from 'dataloader';
import type { App } from '../../app.ts';
import type { Page, PageRequest } from '../../domain/cursor.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Entity } from '../../domain/entities/entity.ts';
import type { Memory } from '../../domain/memories/memory.ts';
import type { Access } from '../../domain/tenancy/access.ts';

/** The memories of one entity, a page of them. */
export interface EntityPage {
  readonly entityId: string;
  readonly page: PageRequest;
}

/** Children of many parents in one call of the app; a request has its own, so that nothing outlives it. */
export interface Loaders {
  readonly entities: DataLoader<string, Entity | null>;
  readonly memories: DataLoader<string, Memory | null>;
  readonly memoriesOfEntity: DataLoader<EntityPage, Page<Memory>, string>;
}

const perCall = { maxBatchSize: 1_000 };
const byContent = { cacheKeyFn: ({ entityId, page }: EntityPage) => `${entityId}/${page.limit}/${page.cursor ?? ''}` };

/** `reader` is the whole instance's access, or one that is being narrowed: nothing beyond it is ever loaded. */
export const createLoaders = (app: App, reader: Access | Promise<Access>): Loaders => ({
  entities: new DataLoader(async (ids) => app.entitiesByIds(await reader, ids), perCall),
  memories: new DataLoader(async (ids) => app.memoriesByIds(await reader, ids), perCall),
  memoriesOfEntity: new DataLoader(async (wanted) => {
    const access = await reader;
    return Promise.all(wanted.map(({ entityId, page }) => app.memories(access, { entityId }, page)));
  }, byContent),
});

/** Null instead of `not_found`. */
export async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return null;
    throw error;
  }
}
