/** Loads the rules of a review: ours from the package, the repository's own from the base commit. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { count } from '../../../base/count.ts'
import { UserError } from '../../../base/errors.ts'
import { packageRoot } from '../../../base/package-root.ts'
import { once } from '../../../base/remembered.ts'
import { trimTrailing } from '../../../base/trim-text.ts'
import { visibleLine } from '../../../base/visible-text.ts'
import { entriesBelow, type RepoSnapshot, type TreeEntry } from '../../../domain/snapshot.ts'
import { formatProblem, readRules } from './format/read-rules.ts'
import type { Rule } from './rule.ts'

export type LoadedRules = {
  rules: Rule[]
  /** Rules and files that could not be used, and why. */
  limits: string[]
}

const mostFiles = 500
const mostRules = 500
const mostProblems = 20

/** Of a package: its rules as they were read when it was made. To read and check the files again costs every process 0.3 s. */
export const compiledRules = 'rules/compiled.json'

/** Every rule in a folder of the package's `rules/`, in path order. Throws when one is broken: that is our bug. */
export const builtInRules = once((): readonly Rule[] => readCompiled() ?? readOurFiles())

function readCompiled(): Rule[] | null {
  const file = join(packageRoot, compiledRules)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Rule[]) : null
}

function readOurFiles(): Rule[] {
  return readdirSync(join(packageRoot, 'rules'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .flatMap((name) => readOurs(join('rules', name)))
}

function readOurs(path: string): Rule[] {
  const { rules, problems } = readRules(readFileSync(join(packageRoot, path), 'utf8'), path, true)
  if (problems.length > 0) throw new Error(problems.map(formatProblem).join('\n'))
  return rules
}

/** From the base: a change cannot switch off the rule that would catch it. Never throws for a bad rule. */
export async function loadRules(
  base: RepoSnapshot,
  settings: { paths: readonly string[]; disable: readonly string[] },
): Promise<LoadedRules> {
  const own = await ownRules(base, settings.paths)
  const known = new Set(builtInRules().map(({ id }) => id))
  const limits = [...own.limits]
  const rules: Rule[] = [...builtInRules()]
  for (const rule of own.rules) {
    if (known.has(rule.id))
      limits.push(
        `${visibleLine(rule.place.file)}:${rule.place.line} the id \`${rule.id}\` is taken; the rule is left out`,
      )
    else rules.push(rule)
    known.add(rule.id)
  }
  return { rules: rules.filter(({ id }) => !settings.disable.includes(id)), limits }
}

async function ownRules(base: RepoSnapshot, folders: readonly string[]): Promise<LoadedRules> {
  const roots = folders.map((folder) => trimTrailing(folder.replace(/^\.\//, ''), '/'))
  if (roots.length === 0) return { rules: [], limits: [] }
  const { entries, limits } = await entriesOf(base, roots)
  const paths = entries
    .filter(({ path, mode }) => mode.startsWith('100') && /\.ya?ml$/i.test(path))
    .map(({ path }) => path)
  if (paths.length > mostFiles) limits.push(`only the first ${mostFiles} rule files were read`)
  const texts = await base.readMany(paths.slice(0, mostFiles))
  const rules: Rule[] = []
  const problems: string[] = []
  for (const path of paths.slice(0, mostFiles)) {
    const file = texts.get(path)
    if (!file) {
      problems.push(`${visibleLine(path)} cannot be read`)
      continue
    }
    const read = readRules(file.text, visibleLine(path), false)
    rules.push(...read.rules)
    problems.push(...read.problems.map(formatProblem))
  }
  if (rules.length > mostRules) limits.push(`only the first ${mostRules} rules are used`)
  if (problems.length > mostProblems)
    problems.splice(
      mostProblems,
      Infinity,
      `and ${count(problems.length - mostProblems, 'more problem')} with rules`,
    )
  return {
    rules: rules.slice(0, mostRules),
    limits: [...problems.map((words) => `rule left out: ${words}`), ...limits],
  }
}

/** In path order. Without the repository's own rules when their folders are too large to list, or incomplete. */
async function entriesOf(
  base: RepoSnapshot,
  roots: readonly string[],
): Promise<{ entries: readonly TreeEntry[]; limits: string[] }> {
  try {
    const found = await Promise.all(roots.map((root) => entriesBelow(base, root)))
    const byPath = new Map(found.flat().map((entry) => [entry.path, entry]))
    return { entries: [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), limits: [] }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { entries: [], limits: [`rules of the repository could not be looked for: ${error.message}`] }
  }
}
