/** Of all these schemas, by name, those that `from` refers to, and what they refer to in turn. */
export function reachable(schemas, from) {
  const found = {};
  const waiting = [...from];
  while (waiting.length > 0) {
    const text = JSON.stringify(waiting.pop());
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found[name]) continue;
      found[name] = schemas[name];
      waiting.push(found[name]);
    }
  }
  return found;
}
