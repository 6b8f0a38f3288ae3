/** Memoises `make` by the object, for as long as the object lives. */
export function oncePer<Key extends object, Value extends object | string>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const existing = made.get(key);
    if (existing !== undefined) return existing;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
