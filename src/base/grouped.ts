/**
 * The items of a list by a key. Each list is grouped once for each way of asking, so that as many questions as it has items
 * take no more time than the list is long.
 */

import { remembered } from './remembered.ts'

const known = new WeakMap<readonly unknown[], Map<unknown, ReadonlyMap<unknown, readonly unknown[]>>>()

/** In their order. `by` must always be the same function, and the list must not change; none for a key that no item has. */
export function itemsBy<Item, Key>(
  list: readonly Item[],
  by: (item: Item) => Key,
  key: Key,
): readonly Item[] {
  const ways = remembered(known, list, () => new Map())
  const groups = remembered<unknown, ReadonlyMap<unknown, readonly unknown[]>>(ways, by, () =>
    Map.groupBy(list, by),
  )
  // One function makes keys and items of one type.
  return (groups as ReadonlyMap<Key, readonly Item[]>).get(key) ?? []
}

/** The first item of each key, in their order. */
export function firstBy<Item>(list: readonly Item[], by: (item: Item) => string): Item[] {
  const found = new Map<string, Item>()
  for (const item of list) {
    const key = by(item)
    if (!found.has(key)) found.set(key, item)
  }
  return [...found.values()]
}
