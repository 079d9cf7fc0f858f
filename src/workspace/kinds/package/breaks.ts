/** What of the packages of the base its users no longer find at the head, or no longer in the same form. */

import { compareText } from '../../../base/compare-text.ts'
import { itemsBy } from '../../../base/grouped.ts'
import { type BreakHow, placeOf, type SharedPlace } from '../../../domain/shared-contract.ts'
import { goneOrRenamed } from '../../places.ts'
import { callBreak } from './call-break.ts'
import type { BrokenExport, BrokenShape, PackageShape, ProvidedExport, Thing } from './contract.ts'
import { memberName, nounOf, wholeOf } from './names.ts'

type Of<Is> = ProvidedExport & { shape: Extract<PackageShape, { is: Is }> }

export function packageBreaks(
  before: readonly ProvidedExport[],
  after: readonly ProvidedExport[],
): BrokenExport[] {
  const packages = only(before, 'package')
  const alone = only(before, 'export').filter((one) => !packages.some((pack) => isSamePackage(pack, one)))
  // Another package of the repository may provide it under the same name.
  const isElsewhere = ({ name, shape }: BrokenExport) =>
    itemsBy(after, nameOf, name).some(
      (one) => one.shape.is !== 'package' && one.shape.package !== shape.package,
    )
  const isGone = (one: BrokenExport) =>
    one.how !== 'removed' || one.shape.of === 'package' || one.shape.of === 'member' || !isElsewhere(one)
  return merged([
    ...packages.flatMap((pack) => breaksOf(pack, before, after)).filter(isGone),
    ...alone.map((one) => goneBreak(one, null, placeOf(one), [one.name])),
  ])
}

function breaksOf(
  pack: Of<'package'>,
  before: readonly ProvidedExport[],
  after: readonly ProvidedExport[],
): BrokenExport[] {
  const now = itemsBy(only(after, 'package'), nameOf, pack.name).find((one) => isSamePackage(one, pack))
  if (!now) return [packageBreak(pack, before, after)]
  const sides = { pack, now, before: sideOf(pack, before), after: sideOf(pack, after) }
  return sides.before.modules.flatMap((module) => {
    const there = itemsBy(sides.after.modules, nameOf, module.name).find(
      ({ shape }) => shape.isCommand === module.shape.isCommand,
    )
    return there ? exportBreaks(sides, module, there) : [moduleBreak(sides, module)]
  })
}

const nameOf = ({ name }: ProvidedExport) => name
const contentOf = ({ shape: { symbol, thing } }: Of<'export'>) =>
  JSON.stringify([symbol, thing?.body ?? null])
const moduleOf = ({ shape }: Of<'export'>) => shape.module

/** What a package provides on one side; each list is asked for what has a name, thousands of times in a large package. */
type Side = { all: readonly ProvidedExport[]; modules: Of<'module'>[]; exports: Of<'export'>[] }
type Sides = { pack: Of<'package'>; now: Of<'package'>; before: Side; after: Side }

function sideOf(pack: Of<'package'>, provided: readonly ProvidedExport[]): Side {
  const all = provided.filter((one) => isSamePackage(one, pack))
  return { all, modules: only(all, 'module'), exports: only(all, 'export') }
}

function only<Is extends PackageShape['is']>(all: readonly ProvidedExport[], is: Is): Of<Is>[] {
  return all.filter((one): one is Of<Is> => one.shape.is === is)
}

function isSamePackage({ shape: a }: ProvidedExport, { shape: b }: ProvidedExport): boolean {
  return a.ecosystem === b.ecosystem && a.package === b.package
}

/** A package of another name in the same folder is the same one, renamed. */
function packageBreak(
  pack: Of<'package'>,
  before: readonly ProvidedExport[],
  after: readonly ProvidedExport[],
): BrokenExport {
  const isNew = (one: ProvidedExport) => !only(before, 'package').some((other) => isSamePackage(one, other))
  const next = only(after, 'package').find(
    (one) => one.path === pack.path && one.shape.ecosystem === pack.shape.ecosystem && isNew(one),
  )
  const noun = nounOf(pack.shape.ecosystem)
  return {
    kind: 'package',
    name: pack.name,
    ...goneOrRenamed(pack, next, {
      gone: `the ${noun} \`${pack.name}\` is no longer published from here`,
      renamed: ({ name }) => `the ${noun} \`${pack.name}\` is now called \`${name}\``,
    }),
    keys: pack.shape.keys,
    shape: shapeOf(
      pack.shape,
      'package',
      only(before, 'module')
        .filter((module) => isSamePackage(module, pack))
        .map(nameOf),
    ),
  }
}

function moduleBreak({ before, after }: Sides, module: Of<'module'>): BrokenExport {
  const own = itemsBy(before.exports, moduleOf, module.name)
  const isHidden = [before, after].some(({ exports }) => itemsBy(exports, nameOf, module.name).length > 0)
  // All of them went where the first one did.
  const like = (one: Of<'export'>) => itemsBy(after.exports, contentOf, contentOf(one))
  const next = (own[0] ? like(own[0]) : [])
    .flatMap(({ shape }) => itemsBy(after.modules, nameOf, shape.module))
    .find(
      ({ name }) =>
        itemsBy(before.all, nameOf, name).length === 0 &&
        own.every((one) => like(one).some(({ shape }) => shape.module === name)),
    )
  return {
    kind: 'package',
    name: module.name,
    ...goneOrRenamed(module, next, {
      gone: whyGone(module),
      renamed: ({ name }) => `\`${module.name}\` is now \`${name}\``,
    }),
    keys: module.shape.keys,
    shape: { ...shapeOf(module.shape, 'module', [module.name]), isHidden },
  }
}

function whyGone({ name, shape }: Of<'module'>): string {
  return shape.isCommand
    ? `the command \`${name}\` is no longer installed by \`${shape.package}\``
    : `\`${name}\` can no longer be imported`
}

function exportBreaks(sides: Sides, module: Of<'module'>, there: Of<'module'>): BrokenExport[] {
  const old = itemsBy(sides.before.exports, moduleOf, module.name)
  const now = new Map(itemsBy(sides.after.exports, moduleOf, module.name).map((one) => [one.name, one]))
  const { also, inner } = there.shape
  const isLeft = ({ symbol, thing }: Of<'export'>['shape']) =>
    symbol.split('::').some((part) => also.includes(part)) || (thing === null && inner.includes(symbol))
  const gone = old.filter(({ name, shape }) => !now.has(name) && !isLeft(shape))
  const oldNames = new Set(old.map(nameOf))
  const fresh = [...now.values()].filter(({ name }) => !oldNames.has(name))
  return [
    ...(there.shape.isOpen
      ? []
      : gone.map((one) =>
          goneBreak(one, renamedTo(one, gone, fresh), whereItWent(sides, one), namesOf(one, oldNames)),
        )),
    ...old.flatMap((one) => {
      const other = now.get(one.name)
      const [was, is] = [one.shape.thing, other?.shape.thing]
      return was && is ? thingBreaks(one, was, is, makersOf(one, old)) : []
    }),
  ]
}

/** The one new export with the same body, or of the same definition, where no other one that went could be meant. */
function renamedTo(
  one: Of<'export'>,
  gone: readonly Of<'export'>[],
  fresh: readonly Of<'export'>[],
): Of<'export'> | null {
  const isAlike = (a: Of<'export'>, b: Of<'export'>) => isSameThing(a.shape.thing, b.shape.thing)
  const candidates = fresh.filter((other) => isAlike(one, other))
  const rivals = gone.filter((other) => candidates.some((candidate) => isAlike(other, candidate)))
  return candidates.length === 1 && rivals.length === 1 ? (candidates[0] ?? null) : null
}

function isSameThing(a: Thing | null, b: Thing | null): boolean {
  if (!a || !b) return false
  return (
    (a.path === b.path && a.name === b.name && a.name !== 'default') || (a.body !== null && a.body === b.body)
  )
}

/** Its own, and that through a default import, which is the whole module where nothing is exported as such. */
function namesOf(
  { name, shape: { ecosystem, module, symbol } }: Of<'export'>,
  all: ReadonlySet<string>,
): string[] {
  const whole = wholeOf(ecosystem, module)
  return whole === null || all.has(whole) ? [name] : [name, memberName(ecosystem, whole, symbol)]
}

function goneBreak(
  one: Of<'export'>,
  next: Of<'export'> | null,
  before: SharedPlace,
  targets: readonly string[],
): BrokenExport {
  const { shape, name } = one
  return {
    kind: 'package',
    name,
    ...goneOrRenamed(before, next, {
      gone: `\`${shape.symbol}\` is no longer exported by \`${shape.module}\``,
      renamed: (other) => `\`${shape.symbol}\` is now called \`${other.shape.symbol}\``,
    }),
    keys: shape.keys,
    shape: shapeOf(shape, 'export', targets),
  }
}

/** The line that the change took away: what is still defined was only no longer passed on. */
function whereItWent({ pack, now }: Sides, { shape: { trail } }: Of<'export'>): SharedPlace {
  const [first] = trail
  const found = trail.findLast(({ path, name }) => {
    const isChanged = pack.shape.defined[path] !== undefined
    return isChanged && !(now.shape.defined[path] ?? []).includes(name)
  })
  const changed = trail.find(({ path }) => pack.shape.defined[path] !== undefined)
  return placeOf(found ?? changed ?? first ?? pack)
}

/** Exports whose result is of this type: what they return has its members. */
function makersOf({ shape: { symbol } }: Of<'export'>, all: readonly Of<'export'>[]): string[] {
  return itemsBy(all, resultOf, symbol).map(({ name }) => `${name}()`)
}

const resultOf = ({ shape }: Of<'export'>) => typeOfResult(shape.thing?.returns ?? null)

/** `*Client`, `Promise<Client>`, `(*Client, error)`: the name of the type without what is around it. */
function typeOfResult(written: string | null): string | null {
  return (
    /^\(?(?:[&*\s]|mut\s|(?:Promise|Result|Option|Awaitable|Optional|Box|Arc)\s{0,4}[<[]){0,40}([A-Za-z_]\w*)/.exec(
      written ?? '',
    )?.[1] ?? null
  )
}

function thingBreaks(one: Of<'export'>, was: Thing, is: Thing, makers: readonly string[]): BrokenExport[] {
  const own = shapeBreak(one, one.name, one.shape.symbol, 'export', was, is)
  if (is.isOpen && is.members.length === 0) return own
  return [...own, ...was.members.flatMap((member) => memberBreaks(one, was, is, member, makers))]
}

function memberBreaks(
  one: Of<'export'>,
  was: Thing,
  is: Thing,
  member: Thing,
  makers: readonly string[],
): BrokenExport[] {
  const name = memberName(one.shape.ecosystem, one.name, member.name)
  const label = memberName(one.shape.ecosystem, one.shape.symbol, member.name)
  const targets = [name, ...makers.map((maker) => memberName(one.shape.ecosystem, maker, member.name))]
  const there = is.members.find((other) => other.name === member.name)
  if (there) return shapeBreak(one, name, label, 'member', member, there, targets)
  if (is.isOpen) return []
  const fresh = is.members.filter(
    (other) => isSameBody(member, other) && !was.members.some((old) => old.name === other.name),
  )
  const [next] = fresh
  const renamed =
    next && fresh.length === 1
      ? { ...next, name: memberName(one.shape.ecosystem, one.name, next.name) }
      : null
  return [
    {
      kind: 'package',
      name,
      ...goneOrRenamed(member, renamed, {
        gone: `\`${label}\` was removed`,
        renamed: () => `\`${label}\` is now called \`${next?.name}\``,
      }),
      keys: one.shape.keys,
      shape: shapeOf(one.shape, 'member', targets),
    },
  ]
}

function isSameBody(a: Thing, b: Thing): boolean {
  return a.body !== null && a.body === b.body
}

function shapeBreak(
  { shape }: Of<'export'>,
  name: string,
  label: string,
  of: BrokenShape['of'],
  was: Thing,
  is: Thing,
  targets: readonly string[] = [name],
): BrokenExport[] {
  const call =
    was.parameters && is.parameters
      ? callBreak(was.parameters, is.parameters, shape.ecosystem === 'pypi')
      : null
  const awaited = becomesPromise(was, is)
  if (!call && !awaited) return []
  const base = shapeOf(shape, of, targets)
  const how: BreakHow = call?.how ?? 'changed'
  return [
    {
      kind: 'package',
      name,
      how,
      what: call ? call.what : `\`${label}\` has to be awaited now`,
      before: placeOf(was),
      after: placeOf(is),
      keys: shape.keys,
      shape: {
        ...base,
        how: call ? 'call' : 'awaited',
        before: was.parameters ?? [],
        after: is.parameters ?? [],
        movedFrom: call?.movedFrom ?? null,
        isWeak: was.returns === null,
      },
    },
  ]
}

/** A result that was written down and is now promised: what only says nothing about it may have been a promise before. */
function becomesPromise(was: Thing, is: Thing): boolean {
  if (was.isAsync || was.returns === null) return false
  const result = was.returns.replace(/\s+/g, '')
  const now = is.returns?.replace(/\s+/g, '') ?? ''
  if (now === `Promise<${result}>`) return true
  return is.isAsync && now === result && !/Promise|Awaitable|Coroutine|Future|Task/.test(result)
}

function shapeOf(
  { ecosystem, package: name }: PackageShape,
  of: BrokenShape['of'],
  targets: readonly string[],
): BrokenShape {
  const call = { before: [], after: [], movedFrom: null, isWeak: false, isHidden: false }
  return { ecosystem, package: name, of, targets, how: 'gone', ...call }
}

/** One definition may be provided under several names; what happened to it is said once, under the shortest. */
function merged(breaks: readonly BrokenExport[]): BrokenExport[] {
  const groups = Map.groupBy(breaks, ({ before, after, how, what, shape }) => {
    const { ecosystem, package: pack, of } = shape
    // A member is called after the type that it was reached through, an export is said to be gone from its module.
    const said = shape.how === 'gone' && of === 'member' ? '' : what.replace(/ by `[^`]*`$/, '')
    return JSON.stringify([ecosystem, pack, of, how, before, after, said])
  })
  return [...groups.values()].flatMap((group) => {
    const [first] = group.toSorted((a, b) => a.name.length - b.name.length || compareText(a.name, b.name))
    if (!first) return []
    const keys = [...new Set(group.flatMap((one) => one.keys))]
    const targets = [...new Set(group.flatMap(({ shape }) => shape.targets))]
    return [{ ...first, keys, shape: { ...first.shape, targets } }]
  })
}
