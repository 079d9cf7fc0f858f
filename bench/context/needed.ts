/**
 * What one must see, besides the diff, to notice a fault. Told from names and from the later fix, not from our resolver:
 * a name counts when exactly one definition of the tree has it.
 */
import type { CodeTree } from '../../src/code-index/query/contract.ts'
import { definitionsNamed } from '../../src/code-index/query/definitions.ts'
import { symbolOf } from '../../src/code-index/resolve/symbols.ts'
import type { ChangeSet } from '../../src/domain/change-set.ts'
import { type ContextCase, git, linesMendedBy } from './cases.ts'

export type Unit = {
  /** `mended`: around lines that the fix changed outside the diff; `used`: named by faulty lines; `user`: names them. */
  kind: 'mended' | 'used' | 'user'
  path: string
  /** The lines of which half must be seen. */
  lines: number[]
}

const mostNames = 40
const mostUsers = 10
const definitionLines = 10

export async function neededUnits(
  one: ContextCase & { folder: string },
  tree: CodeTree,
  change: ChangeSet,
): Promise<Unit[]> {
  const shown = shownLines(change)
  const isShown = (path: string, line: number) => shown.get(path)?.has(line) ?? false
  const units = [
    ...(await mendedUnits(one, tree, isShown)),
    ...(await usedUnits(one, tree)),
    ...(await userUnits(one, tree)),
  ]
  return units
    .map((unit) => ({ ...unit, lines: unit.lines.filter((line) => !isShown(unit.path, line)) }))
    .filter(({ lines }) => lines.length > 0)
}

function shownLines(change: ChangeSet): Map<string, Set<number>> {
  return new Map(
    change.files.map(({ path, hunks }) => [
      path,
      new Set(hunks.flatMap(({ lines }) => lines.flatMap((line) => line.new ?? []))),
    ]),
  )
}

/** Lines of the head whose text the fix found changed, inside the definition that holds them there. */
async function mendedUnits(
  { folder, fix_commit, head }: ContextCase & { folder: string },
  tree: CodeTree,
  isShown: (path: string, line: number) => boolean,
): Promise<Unit[]> {
  if (!fix_commit) return []
  const units = new Map<string, Unit>()
  let mended: Map<string, number[]>
  try {
    mended = linesMendedBy(folder, fix_commit)
  } catch {
    return []
  }
  for (const [path, lines] of mended) {
    const facts = await tree.world.facts(path)
    if (!facts) continue
    let before: string[]
    try {
      before = git(folder, 'show', `${fix_commit}^:${path}`).split('\n')
    } catch {
      continue
    }
    const now = git(folder, 'show', `${head}:${path}`).split('\n')
    for (const line of lines) {
      const text = before[line - 1]?.trim() ?? ''
      if (text.length < 8) continue
      const places = now.flatMap((other, at) => (other.trim() === text ? [at + 1] : []))
      const [place, ...others] = places
      if (place === undefined || others.length > 0 || isShown(path, place)) continue
      const index = facts.symbols.findLastIndex(
        ({ startLine, endLine }) => startLine <= place && place <= endLine,
      )
      const unit = units.get(`${path}:${index}`) ?? { kind: 'mended', path, lines: [] }
      unit.lines.push(place)
      units.set(`${path}:${index}`, unit)
    }
  }
  return [...units.values()]
}

async function usedUnits({ expected }: ContextCase, tree: CodeTree): Promise<Unit[]> {
  const names = new Set<string>()
  for (const { file, start_line, end_line } of expected) {
    const facts = await tree.world.facts(file)
    for (const { name, line } of facts?.references ?? [])
      if (line >= start_line && line <= end_line && name.length > 2) names.add(name)
  }
  const units: Unit[] = []
  for (const name of [...names].slice(0, mostNames)) {
    const [only, ...others] = await definitionsNamed(tree, name)
    if (!only || others.length > 0) continue
    const { startLine, endLine } = symbolOf(only)
    const last = Math.min(endLine, startLine + definitionLines - 1)
    units.push({ kind: 'used', path: only.path, lines: range(startLine, last) })
  }
  return units
}

async function userUnits({ expected }: ContextCase, tree: CodeTree): Promise<Unit[]> {
  const units: Unit[] = []
  const asked = new Set<string>()
  for (const { file, start_line } of expected) {
    const facts = await tree.world.facts(file)
    const around = facts?.symbols.findLast(
      ({ kind, startLine, endLine }) =>
        startLine <= start_line && start_line <= endLine && /function|method/.test(kind),
    )
    if (!around || around.name.length < 4 || asked.has(around.name)) continue
    asked.add(around.name)
    if ((await definitionsNamed(tree, around.name)).length !== 1) continue
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
