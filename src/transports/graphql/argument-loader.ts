import DataLoader from 'dataloader';

/** Loads fields that take arguments, such as a page: keys that are loaded with equal arguments share one call. */
export interface ArgumentLoader<A, K, V> {
  load(args: A, key: K): Promise<V>;
}

/**
 * Makes a loader of one request. `batch` has equal arguments for all its keys, and keys of one form: where keys name a
 * user and a customer, those that name the same of the two are loaded together.
 */
export function argumentLoader<A, K extends string | object, V>(
  batch: (args: A, keys: readonly K[]) => Promise<readonly V[]>,
): ArgumentLoader<A, K, V> {
  const loaders = new Map<string, DataLoader<K, V, string>>();
  return {
    load(args, key) {
      const group = JSON.stringify([args, namesIn(key)]);
      const existing = loaders.get(group);
      if (existing) return existing.load(key);
      const loader = new DataLoader<K, V, string>(async (keys) => batch(args, keys), {
        cacheKeyFn: (each) => JSON.stringify(each),
        maxBatchSize: 1_000,
      });
      loaders.set(group, loader);
      return loader.load(key);
    },
  };
}

const namesIn = (key: string | object) =>
  typeof key === 'string'
    ? []
    : Object.entries(key)
        .flatMap(([name, value]) => (value === undefined ? [] : name))
        .toSorted();
