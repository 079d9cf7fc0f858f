/**
 * What one must see, besides the diff, to notice a fault. Taken from names and from what a fix changed later, not from
 * our resolver: a name counts when exactly one definition of the tree has it, and where it can mean that one.
 */
import { z } from 'zod'
import {
  type ChangeSet,
  type CodeTree,
  findDefinitions,
  isTestPath,
  type SymbolSite,
} from '../../src/index.ts'
import type { LineRange } from '../cases/eval-case.ts'

export const NeededUnit = z.object({
  /**
   * `listed`: the case itself names it as showing the fault; `fixed`: around lines that the fix changed outside the
   * diff; `used`: named by faulty lines; `user`: names what holds them.
   */
  kind: z.enum(['listed', 'fixed', 'used', 'user']),
  path: z.string(),
  /** The lines of the head of which half must be seen. */
  lines: z.array(z.number().int().positive()),
})
export type NeededUnit = z.infer<typeof NeededUnit>

export type FaultTruth = {
  /** The faulty lines. */
  places: readonly LineRange[]
  /** Further places that show the fault. */
  also: readonly LineRange[]
  /** By path the text of lines that the fix changed; empty when no fix is known. */
  fixed: ReadonlyMap<string, readonly string[]>
}

const mostNames = 40
const mostUsers = 10
const definitionLines = 10
const shortestMended = 8

/** Without what the diff shows by itself. */
export async function neededUnits(
  truth: FaultTruth,
  tree: CodeTree,
  change: ChangeSet,
): Promise<NeededUnit[]> {
  const shown = shownLines(change)
  const isShown = (path: string, line: number) => shown.get(path)?.has(line) ?? false
  const places = truth.places.filter(({ side }) => side === 'right')
  const units = [
    ...listedUnits(truth.also),
    ...(await fixedUnits(truth.fixed, tree, isShown)),
    ...(await usedUnits(places, tree)),
    ...(await userUnits(places, tree)),
  ]
  const unseen = units
    .map((unit) => ({ ...unit, lines: unit.lines.filter((line) => !isShown(unit.path, line)) }))
    .filter(({ lines }) => lines.length > 0)
  const known = new Set<string>()
  return unseen.filter(({ path, lines }) => {
    const key = `${path}:${lines.join(',')}`
    return !known.has(key) && known.add(key)
  })
}

/** Units of which at least half of the lines are held, as indices. */
export function unitsHeld(
  units: readonly NeededUnit[],
  held: ReadonlyMap<string, ReadonlySet<number>>,
): number[] {
  return units.flatMap(({ path, lines }, at) =>
    lines.filter((line) => held.get(path)?.has(line)).length * 2 >= lines.length ? [at] : [],
  )
}

function shownLines(change: ChangeSet): Map<string, Set<number>> {
  return new Map(
    change.files.map(({ path, hunks }) => [
      path,
      new Set(hunks.flatMap(({ lines }) => lines.flatMap((line) => line.new ?? []))),
    ]),
  )
}

function listedUnits(also: readonly LineRange[]): NeededUnit[] {
  return also
    .filter(({ side }) => side === 'right')
    .map(({ file, start, end }) => ({ kind: 'listed', path: file, lines: range(start, end) }))
}

/** Lines of the head whose text the fix found changed, inside the definition that holds them there. */
async function fixedUnits(
  fixed: FaultTruth['fixed'],
  tree: CodeTree,
  isShown: (path: string, line: number) => boolean,
): Promise<NeededUnit[]> {
  const units = new Map<string, NeededUnit>()
  for (const [path, texts] of fixed) {
    const facts = await tree.world.facts(path)
    if (!facts) continue
    const now = ((await tree.world.text(path)) ?? '').split('\n')
    for (const text of texts.map((one) => one.trim())) {
      if (text.length < shortestMended) continue
      const [place, ...others] = now.flatMap((other, at) => (other.trim() === text ? [at + 1] : []))
      if (place === undefined || others.length > 0 || isShown(path, place)) continue
      const index = facts.symbols.findLastIndex(
        ({ startLine, endLine }) => startLine <= place && place <= endLine,
      )
      const unit = units.get(`${path}:${index}`) ?? { kind: 'fixed', path, lines: [] }
      unit.lines.push(place)
      units.set(`${path}:${index}`, unit)
    }
  }
  return [...units.values()]
}

/** A name on a faulty line. */
type Use = { path: string; line: number; language: string; isLocal: boolean }

async function usedUnits(places: readonly LineRange[], tree: CodeTree): Promise<NeededUnit[]> {
  const uses = new Map<string, Use>()
  for (const { file: path, start, end } of places) {
    const facts = await tree.world.facts(path)
    for (const { name, line, shadowed: isLocal } of facts?.references ?? [])
      if (line >= start && line <= end && name.length > 2 && !uses.has(name))
        uses.set(name, { path, line, language: facts?.language ?? '', isLocal })
  }
  const units: NeededUnit[] = []
  for (const [name, use] of [...uses].slice(0, mostNames)) {
    const [only, ...others] = (await findDefinitions(tree, name)).definitions
    if (!only || others.length > 0 || !(await canMean(use, only, tree))) continue
    const { startLine, endLine } = only
    const last = Math.min(endLine, startLine + definitionLines - 1)
    units.push({ kind: 'used', path: only.path, lines: range(startLine, last) })
  }
  return units
}

/**
 * Whether the name can be this definition's at all. What merely shares it is needed by nobody: code of another language, a
 * local of another function, what a test defines for itself, and whatever has the name of a local of the place.
 */
async function canMean(use: Use, site: SymbolSite, tree: CodeTree): Promise<boolean> {
  if (familyOf(use.language) !== familyOf(site.language)) return false
  if ((site.isTest || isTestPath(site.path)) && !isTestPath(use.path)) return false
  const around = await functionAround(site, tree)
  if (!around) return !use.isLocal
  return site.path === use.path && around.startLine <= use.line && use.line <= around.endLine
}

async function functionAround({ path, line, name }: SymbolSite, tree: CodeTree) {
  const facts = await tree.world.facts(path)
  let at = facts?.symbols.findIndex((symbol) => symbol.nameLine === line && symbol.name === name) ?? -1
  while (facts && at >= 0) {
    at = facts.parents[at] ?? -1
    const holder = facts.symbols[at]
    if (holder && /function|method/.test(holder.kind)) return holder
  }
  return null
}

const families = [
  ['typescript', 'tsx', 'javascript'],
  ['c', 'cpp'],
  ['java', 'kotlin', 'scala'],
]

/** Languages whose code can name one another's. */
function familyOf(language: string): string {
  return families.find((family) => family.includes(language))?.[0] ?? language
}

async function userUnits(places: readonly LineRange[], tree: CodeTree): Promise<NeededUnit[]> {
  const units: NeededUnit[] = []
  const asked = new Set<string>()
  for (const { file, start } of places) {
    const facts = await tree.world.facts(file)
    const around = facts?.symbols.findLast(
      ({ kind, startLine, endLine }) =>
        startLine <= start && start <= endLine && /function|method/.test(kind),
    )
    if (!around || around.name.length < 4 || asked.has(around.name)) continue
    asked.add(around.name)
    if ((await findDefinitions(tree, around.name)).definitions.length !== 1) continue
    const files = (await tree.mentions([around.name])).get(around.name) ?? []
    for (const path of files.slice(0, mostUsers)) {
      const found = (await tree.world.facts(path))?.references.find(
        ({ name, role }) => name === around.name && role === 'call',
      )
      if (found) units.push({ kind: 'user', path, lines: [found.line] })
    }
  }
  return units.slice(0, mostUsers)
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}
