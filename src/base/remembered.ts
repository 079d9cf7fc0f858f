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

/** A function that makes what it answers once for each object, and keeps it for as long as the object lives. */
export function oncePer<Owner extends object, Value>(make: (owner: Owner) => Value): (owner: Owner) => Value {
  const values = new WeakMap<Owner, Value>()
  return (owner) => remembered(values, owner, make)
}

/** Made when it is asked for the first time. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
