/** Breaking and compatible changes of a world, each labelled with every place in another repository that no longer fits. */
import type { BreakHow, SharedKind } from '../../src/domain/shared-contract.ts'
import { Random } from '../../test/helpers/random.ts'
import type { SceneChange } from './scene.ts'
import { type Place, type PlacedScene, split, type World, withoutMarks } from './world.ts'

export type LabelledChange = {
  /** `package-b03`: kind, breaking or fitting, number. */
  id: string
  kind: SharedKind
  how: BreakHow | 'fits'
  /** `npm library: a method is removed`. */
  what: string
  repository: string
  /** What the head has of each changed path; null where it was removed. */
  files: Map<string, string | null>
  /** All must be found; a finding anywhere else is false. None for a compatible change, and for one that nobody notices. */
  places: Place[]
  /** Places where a finding is right and none is right too. */
  tolerated: Place[]
}

/** `each` breaking and `each` compatible changes of every kind, evenly over its scenes and what is done to them. */
export function drawChanges(world: World, each: number): LabelledChange[] {
  const random = new Random(world.seed * 7919 + 1)
  const kinds = [...new Set(world.scenes.map(({ kind }) => kind))]
  return kinds.flatMap((kind) =>
    [true, false].flatMap((breaking) => {
      const all = world.scenes
        .filter((placed) => placed.kind === kind)
        .flatMap((placed) => placed.scene.changes.map((change) => ({ placed, change })))
        .filter(({ change: [, how] }) => (how !== 'fits') === breaking)
      return evenly(random.shuffled(all), ({ placed, change }) => `${placed.scene.title}: ${change[0]}`)
        .slice(0, each)
        .map(({ placed, change }, at) => {
          const id = `${kind}-${breaking ? 'b' : 'c'}${String(at + 1).padStart(2, '0')}`
          return label(world, placed, change, id)
        })
    }),
  )
}

/** The first of every name, then the second of every name, and so on. */
function evenly<Item>(items: readonly Item[], nameOf: (one: Item) => string): Item[] {
  const seen = new Map<string, number>()
  const ranked = items.map((one) => {
    const rank = seen.get(nameOf(one)) ?? 0
    seen.set(nameOf(one), rank + 1)
    return { one, rank }
  })
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ one }) => one)
}

function label(world: World, placed: PlacedScene, change: SceneChange, id: string): LabelledChange {
  const [what, how, breaks] = change
  const marks = breaks === '' ? [] : breaks.split(',')
  const placesOf = (names: readonly string[]) =>
    merged(names.flatMap((name) => placed.places.get(name) ?? [])).filter(
      ({ repository }) => repository !== placed.repository,
    )
  for (const mark of marks)
    if (!placed.places.has(mark.replace('~', ''))) missing(placed, change, `no line has the mark ${mark}`)
  return {
    id,
    kind: placed.kind,
    how,
    what: `${placed.scene.title}: ${what}`,
    repository: placed.repository,
    files: edited(world, placed, change),
    places: placesOf(marks.filter((mark) => !mark.startsWith('~'))),
    tolerated: placesOf(marks.flatMap((mark) => (mark.startsWith('~') ? [mark.slice(1)] : []))),
  }
}

/** Marks of one change in the same file stay places of their own only where they share no line. */
function merged(places: readonly Place[]): Place[] {
  const found: Place[] = []
  for (const place of places) {
    const same = found.find(
      (one) =>
        one.repository === place.repository &&
        one.path === place.path &&
        one.lines.some((line) => place.lines.includes(line)),
    )
    if (same) same.lines = [...new Set([...same.lines, ...place.lines])]
    else found.push({ ...place })
  }
  return found
}

function edited(world: World, placed: PlacedScene, change: SceneChange): Map<string, string | null> {
  const [first = ''] = Object.keys(placed.scene.files)
  const { home } = split(first)
  const before = new Map(
    Object.entries(placed.scene.files).flatMap(([address, text]) => {
      const { home: of, path } = split(address)
      return of === home ? [[path, text] as const] : []
    }),
  )
  const after = new Map<string, string>(before)
  const edits = change.slice(3)
  for (let at = 0; at < edits.length; at += 2)
    edit(after, edits[at] ?? '', edits[at + 1] ?? '', placed, change)
  const files = new Map<string, string | null>()
  const rendered = (path: string, text: string) => {
    const { path: at, text: shown } = placed.render(`${home} ${path}`, text)
    return [at, withoutMarks(shown)] as const
  }
  for (const [path, text] of before) if (!after.has(path)) files.set(rendered(path, text)[0], null)
  for (const [path, text] of after) if (before.get(path) !== text) files.set(...rendered(path, text))
  const known = world.repositories.get(placed.repository)?.files
  for (const [path, text] of files)
    if (known?.get(path) === (text ?? undefined)) missing(placed, change, `${path} does not change`)
  if (files.size === 0) missing(placed, change, 'nothing changes')
  return files
}

function edit(
  files: Map<string, string>,
  from: string,
  to: string,
  placed: PlacedScene,
  change: SceneChange,
) {
  const path = from.slice(1)
  if (from.startsWith('+')) files.set(path, to)
  else if (from.startsWith('-') && files.has(path)) files.delete(path)
  else if (from.startsWith('>') && files.has(path)) {
    files.set(to, files.get(path) ?? '')
    files.delete(path)
  } else {
    const having = [...files].filter(([, text]) => text.includes(from))
    const [[at, text] = ['', '']] = having
    const parts = text.split(from)
    if (having.length !== 1 || parts.length !== 2)
      missing(placed, change, `\`${from}\` is in ${having.length} files, ${parts.length - 1} times`)
    files.set(at, parts.join(to))
  }
}

function missing(placed: PlacedScene, [what]: SceneChange, why: string): never {
  throw new Error(`Scene ${placed.scene.title}, ${what}: ${why}`)
}
