import { DomainError, unavailableError } from '../../domain/errors.ts';

/** The result of each item, in their order, and the number of those that failed. */
interface TakenItems {
  readonly results: readonly object[];
  readonly failed: number;
}

const outage = () => unavailableError('the service failed before it was stored; send it again');

/**
 * Takes what came in one request, one after the other; an item that is refused does not keep the others out. Once the
 * service fails, the rest is not tried: each of a thousand would wait for a database that does not answer. Throws where
 * nothing was taken by then, so that all of it may be sent again.
 */
export async function takeEach<Item>(
  items: readonly Item[],
  take: (item: Item, refusedBefore: number) => Promise<object>,
  refused: (item: Item, error: DomainError) => object,
): Promise<TakenItems> {
  const results: object[] = [];
  let failed = 0;
  let isAway = false;
  for (const item of items) {
    try {
      if (isAway) throw outage();
      results.push(await take(item, failed));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      isAway = error.code === 'unavailable';
      if (isAway && failed === results.length) throw error;
      failed += 1;
      results.push(refused(item, isAway ? outage() : error));
    }
  }
  return { results, failed };
}
