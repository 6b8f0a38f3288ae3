import DataLoader from 'dataloader';

/** What many are asked for in the same way, such as a page of so many: one call answers those who are asked alike. */
export interface Alike<A, K, V> {
  load(asked: A, of: K): Promise<V>;
}

/** Of somebody who is named by user and customer, those are alike who are named by the same of the two. */
export function alike<A, K extends string | object, V>(
  batch: (asked: A, of: readonly K[]) => Promise<readonly V[]>,
): Alike<A, K, V> {
  const loaders = new Map<string, DataLoader<K, V, string>>();
  return {
    load(asked, of) {
      const way = JSON.stringify([asked, namesIn(of)]);
      const known = loaders.get(way);
      if (known) return known.load(of);
      const loader = new DataLoader<K, V, string>(async (all) => batch(asked, all), {
        cacheKeyFn: (each) => JSON.stringify(each),
        maxBatchSize: 1_000,
      });
      loaders.set(way, loader);
      return loader.load(of);
    },
  };
}

const namesIn = (of: string | object) =>
  typeof of === 'string'
    ? []
    : Object.entries(of)
        .flatMap(([name, value]) => (value === undefined ? [] : name))
        .toSorted();
