import { setImmediate } from 'node:timers/promises';

/** A wait that nobody notices. */
const turnMs = 8;

/** Maps the items in order, and yields to other work on the thread every few milliseconds. */
export async function mapYielding<Item, Made>(
  items: readonly Item[],
  work: (item: Item, n: number) => Made,
): Promise<Made[]> {
  const made: Made[] = [];
  let since = performance.now();
  for (const [n, item] of items.entries()) {
    made.push(work(item, n));
    if (performance.now() - since < turnMs) continue;
    await setImmediate();
    since = performance.now();
  }
  return made;
}
