/** What was made for a key before, or else made now. */
export function remembered<Key, Value>(
  values: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: (key: Key) => Value,
): Value {
  const known = values.get(key)
  if (known !== undefined) return known
  const made = make(key)
  values.set(key, made)
  return made
}
