import type { Collection, WeaviateClient } from 'weaviate-client';
import type { VectorSpace } from '../../domain/vectors/vector-recipe.ts';
import type { Access } from '../../domain/tenancy/access.ts';
import {
  collectionNameOf,
  createCollection,
  isNotFoundError,
  isAlreadyExistsError,
  presageCollections,
} from './collections.ts';
import type { WeaviateConnection } from './weaviate-connection.ts';

export type Tenant = Collection;
export type TenantReference = Pick<Access, 'instance'>;

/** Weaviate's tenants: an instance has one in each collection that holds vectors of it. */
export class Tenants {
  readonly #connection: WeaviateConnection;

  constructor(connection: WeaviateConnection) {
    this.#connection = connection;
  }

  /** Runs `work` on the instance's tenant; resolves with `absent` where there is none yet. */
  within<T extends {} | null>(
    { instance }: TenantReference,
    collection: string,
    absent: T,
    work: (tenant: Tenant) => Promise<T>,
  ): Promise<T> {
    return this.#connection.run(
      (client) => work(client.collections.use(collection).withTenant(instance)),
      (error) => (isNotFoundError(error) ? absent : undefined),
    );
  }

  /** Names of all collections of ours, whatever their space. */
  collections(): Promise<string[]> {
    return this.#connection.run(presageCollections, () => undefined);
  }

  /** Makes it, and its collection, unless they are there. */
  async ensure({ instance }: TenantReference, space: VectorSpace): Promise<void> {
    await this.#done(isAlreadyExistsError, async (client) => {
      if (!(await client.collections.exists(collectionNameOf(space)))) await createCollection(client, space);
    });
    await this.#done(isAlreadyExistsError, (client) =>
      client.collections.use(collectionNameOf(space)).tenants.create([{ name: instance }]),
    );
  }

  /** Removes a tenant with all that it holds. */
  async remove({ instance }: TenantReference, collection: string): Promise<void> {
    await this.#done(isNotFoundError, (client) => client.collections.use(collection).tenants.remove([instance]));
  }

  /** Does something that may be done already. */
  #done(isDone: (error: unknown) => boolean, work: (client: WeaviateClient) => Promise<unknown>) {
    return this.#connection.run(
      async (client) => (await work(client), true),
      (error) => (isDone(error) ? true : undefined),
    );
  }
}
