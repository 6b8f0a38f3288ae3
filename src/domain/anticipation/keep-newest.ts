/** Drops the entries that were set first until `max` are left. */
export function keepNewest(map: Map<string, unknown>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return;
    map.delete(key);
  }
}
