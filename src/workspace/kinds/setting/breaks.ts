/** What of the variables that are read and set no longer fits those on the other side. */
import { firstBy } from '../../../base/grouped.ts'
import { placeOf } from '../../../domain/shared-contract.ts'
import {
  type BrokenSetting,
  isCommonName,
  keyOf,
  type ProvidedSetting,
  type SettingShape,
} from './contract.ts'

type Of<Side> = ProvidedSetting & { shape: Extract<SettingShape, { side: Side }> }

export function settingBreaks(
  before: readonly ProvidedSetting[],
  after: readonly ProvidedSetting[],
): BrokenSetting[] {
  return [
    ...readBreaks(only(before, 'read'), only(after, 'read')),
    ...setBreaks(only(before, 'set'), only(after, 'set')),
  ]
}

function only<Side extends SettingShape['side']>(all: readonly ProvidedSetting[], side: Side): Of<Side>[] {
  return all.filter((one): one is Of<Side> => one.shape.side === side)
}

/** Who is no longer asked for a variable may go on to set it; only one that has another name now is missed. */
function readBreaks(before: readonly Of<'read'>[], after: readonly Of<'read'>[]): BrokenSetting[] {
  const gone = missingIn(before, after)
  const fresh = missingIn(after, before)
  const renamed = new Map(
    gone.flatMap((one) => {
      const next = renamedTo(one, gone, fresh, (other) => other.path === one.path)
      return next ? [[one, next] as const] : []
    }),
  )
  const taken = new Set([...renamed.values()].map(({ shape }) => shape.name))
  const old = new Map(before.map((one) => [one.shape.name, one]))
  const others = [...new Set([...before, ...after].map(({ shape }) => shape.name))].filter(
    (name) => !isCommonName(name),
  )
  const seen = new Set<string>()
  return [
    ...[...renamed].map(([one, next]) => renameBreak(one, next, 'set', others)),
    ...after.flatMap((one) => {
      const { name, need } = one.shape
      const was = old.get(name)
      const isNew =
        need === 'required' && was?.shape.need !== 'required' && !taken.has(name) && !seen.has(name)
      seen.add(name)
      return isNew ? [requiredBreak(one, was ?? null, others)] : []
    }),
  ]
}

/** A container that is no longer deployed needs nothing. */
function setBreaks(before: readonly Of<'set'>[], after: readonly Of<'set'>[]): BrokenSetting[] {
  const blocks = new Set(after.map(({ shape }) => shape.block))
  const gone = missingIn(before, after).filter(({ shape }) => blocks.has(shape.block))
  const fresh = missingIn(after, before)
  return gone.map((one) => {
    const next = renamedTo(one, gone, fresh, (other) => other.shape.block === one.shape.block)
    if (next) return renameBreak(one, next, 'read', [])
    const { name } = one.shape
    return {
      ...{ kind: 'setting', name: one.name, how: 'removed', what: `\`${name}\` is no longer set` },
      before: placeOf(one),
      after: null,
      keys: [keyOf(name)],
      shape: { side: 'read', of: 'unset', name, renamedTo: null, others: [] },
    }
  })
}

/** Those whose name none of the others has, each once. */
function missingIn<One extends ProvidedSetting>(all: readonly One[], others: readonly One[]): One[] {
  const names = new Set(others.map(({ shape }) => shape.name))
  return firstBy(
    all.filter(({ shape }) => !names.has(shape.name)),
    ({ shape }) => shape.name,
  )
}

/** The new name that is most alike, or the only one, in the same place; null where several may be meant. */
function renamedTo<One extends ProvidedSetting>(
  one: One,
  gone: readonly One[],
  fresh: readonly One[],
  isNear: (other: One) => boolean,
): One | null {
  const near = fresh.filter(isNear)
  const likeness = (a: One, b: One) =>
    sharedWords(a.shape.name, b.shape.name) * 2 + (needOf(a) === needOf(b) ? 1 : 0)
  const [best, second] = near.toSorted((a, b) => likeness(one, b) - likeness(one, a))
  if (!best) return null
  if (second && likeness(one, best) === likeness(one, second)) return null
  const isUnlike = sharedWords(one.shape.name, best.shape.name) === 0
  if (isUnlike && (near.length > 1 || needOf(one) !== 'required' || needOf(best) !== 'required')) return null
  const rival = gone
    .filter(isNear)
    .some((other) => other !== one && likeness(other, best) > likeness(one, best))
  return rival ? null : best
}

function needOf({ shape }: ProvidedSetting): string {
  return shape.side === 'read' ? shape.need : ''
}

function sharedWords(a: string, b: string): number {
  const words = new Set(b.split('_'))
  return a.split('_').filter((word) => words.has(word)).length
}

function renameBreak(
  one: ProvidedSetting,
  next: ProvidedSetting,
  side: 'read' | 'set',
  others: readonly string[],
): BrokenSetting {
  const [old, now] = [one.shape.name, next.shape.name]
  const verb = side === 'set' ? 'read' : 'set'
  return {
    ...{ kind: 'setting', name: one.name, how: 'renamed', renamedTo: next.name },
    what: `\`${now}\` is ${verb} in place of \`${old}\``,
    before: placeOf(one),
    after: placeOf(next),
    keys: [keyOf(old)],
    shape: {
      side,
      of: 'renamed',
      name: old,
      renamedTo: now,
      others: others.filter((name) => name !== old && name !== now),
    },
  }
}

function requiredBreak(one: Of<'read'>, was: Of<'read'> | null, others: readonly string[]): BrokenSetting {
  const { name } = one.shape
  const siblings = others.filter((other) => other !== name)
  return {
    ...{ kind: 'setting', name: one.name, how: 'required' },
    what: was ? `\`${name}\` has to be set now` : `the new variable \`${name}\` has to be set`,
    before: was ? placeOf(was) : null,
    after: placeOf(one),
    keys: siblings.map(keyOf),
    shape: { side: 'set', of: 'required', name, renamedTo: null, others: siblings },
  }
}
