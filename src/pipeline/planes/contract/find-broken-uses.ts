/** Goes through the files that may use a subject and keeps the uses that are broken. */

import { compareText } from '../../../base/compare-text.ts'
import { count } from '../../../base/count.ts'
import { looksGenerated } from '../../../base/generated-mark.ts'
import { remembered } from '../../../base/remembered.ts'
import type { FileFacts } from '../../../code-index/contract.ts'
import type { World } from '../../../code-index/resolve/contract.ts'
import { writesWithin } from '../changed-lines.ts'
import { type BrokenUse, isConstructor } from './breakage.ts'
import { basePath } from './find-subjects.ts'
import { candidateFiles, longestWord, moduleWord, type Use, usesIn } from './find-uses.ts'
import { judgeUse, type Subjects } from './judge-use.ts'
import type { RepoSearch } from './repo-search.ts'

/** Uses judged in one review; a larger change stops here and says so. */
const mostUses = 60_000

export async function findBrokenUses(
  search: RepoSearch,
  subjects: Subjects,
): Promise<{ found: BrokenUse[]; limits: string[] }> {
  const names = new Set<string>()
  for (const { symbol } of subjects.symbols.values()) {
    names.add(symbol.name)
    if (isConstructor(symbol.name)) names.add(symbol.scope.split('.').at(-1) ?? '')
  }
  for (const lost of subjects.exports.values()) for (const { name } of lost.values()) names.add(name)
  const modules = new Set([...subjects.modules.keys()].map(moduleWord))
  // A default import names the module only.
  for (const { symbol, path } of subjects.symbols.values())
    if (symbol.scope === '') modules.add(moduleWord(path))

  const exported = new Set([...subjects.exports.values()].flatMap((lost) => [...lost.keys()]))
  for (const word of await defaultModules(search.base, subjects)) exported.add(word)
  const first = await candidateFiles(
    search.headSnapshot,
    subjects.symbols.values(),
    subjects.modules.values(),
    exported,
    search.kinds,
  )
  const facts = new Map(await search.head.factsOf(first.files))
  const others = otherNames(facts, names)
  let limits = [...first.limits, ...unparsed(search, first.files)]
  if (others.size > 0) {
    const second = await candidateFiles(search.headSnapshot, [], [], others, search.kinds)
    for (const [path, more] of await search.head.factsOf(second.files)) facts.set(path, more)
    for (const name of others) names.add(name)
    limits = [...limits, ...second.limits]
  }
  return judgeAll(search, subjects, facts, names, modules, limits)
}

async function judgeAll(
  search: RepoSearch,
  subjects: Subjects,
  facts: ReadonlyMap<string, FileFacts>,
  names: ReadonlySet<string>,
  modules: ReadonlySet<string>,
  limits: string[],
): Promise<{ found: BrokenUse[]; limits: string[] }> {
  const changed = new Map(search.change.files.map((file) => [file.path, file]))
  const found: BrokenUse[] = []
  const holders = new Map<string, Promise<readonly string[]>>()
  const mentioning = (word: string) =>
    remembered(holders, word, async () => (await search.headSnapshot.filesWithWords([word])).get(word) ?? [])
  let judged = 0
  for (const [index, [path, own]] of [...facts].sort(([a], [b]) => compareText(a, b)).entries()) {
    search.signal.throwIfAborted()
    if (performance.now() > search.endsAt) {
      const late = `it took too long: uses in ${index} of ${count(facts.size, 'file')} were judged`
      return { found, limits: [...limits, late] }
    }
    const uses = usesIn(own, names, modules)
    const text = await search.head.text(path)
    if (uses.length === 0 || looksGenerated(text ?? '')) continue
    const headPlace = { path, facts: own, enclosing: null, text }
    const file = changed.get(path)
    const isWritten = (line: number, endLine: number): boolean =>
      file !== undefined && writesWithin(file, line, endLine)
    const basePlace = { ...headPlace, path: file ? basePath(file) : path }
    for (const use of uses) {
      if (++judged > mostUses)
        return { found, limits: [...limits, `only the first ${mostUses} uses were judged`] }
      if (insideError(own, use.line)) continue
      const breakage = await judgeUse(
        use,
        { base: search.base, head: search.head, basePlace, headPlace, isWritten, mentioning },
        subjects,
      )
      if (breakage) addUse(found, { ...breakage, path, ...linesOf(use), name: nameOf(use) })
    }
  }
  return { found, limits }
}

/** The names of one import from a lost module are one broken use. */
function addUse(found: BrokenUse[], place: BrokenUse): void {
  const last = found.at(-1)
  const sameStatement =
    place.failure === 'module' &&
    last?.failure === 'module' &&
    last.path === place.path &&
    last.subject === place.subject &&
    place.line <= last.endLine + 1
  if (sameStatement) last.endLine = place.endLine
  else found.push(place)
}

/** Files that mention a subject and could not be parsed. */
function unparsed(search: RepoSearch, files: readonly string[]): string[] {
  const failed = new Set(search.failures().map(({ path }) => path))
  const lost = files.filter((path) => failed.has(path)).length
  return lost > 0
    ? [`${count(lost, 'file that mentions', 'files that mention')} a changed name could not be parsed`]
    : []
}

/** Names of modules whose default export is a subject. */
async function defaultModules(base: World, subjects: Subjects): Promise<string[]> {
  const own = [...subjects.symbols.values()].filter(({ symbol }) => symbol.scope === '')
  const facts = await base.factsOf([...new Set(own.map(({ path }) => path))])
  // By file: one may export thousands of names, and lose all of them.
  const defaults = new Map(
    [...facts].map(([path, { exports }]) => {
      const locals = exports.filter(({ exported }) => exported === 'default').map(({ local }) => local)
      return [path, new Set(locals)]
    }),
  )
  return own.flatMap(({ path, symbol }) =>
    defaults.get(path)?.has(symbol.name) ? [longestWord(moduleWord(path))] : [],
  )
}

/** Names under which files re-export a subject, and subtypes of it: their users never write its own name. */
function otherNames(facts: ReadonlyMap<string, FileFacts>, names: ReadonlySet<string>): Set<string> {
  const others = new Set<string>()
  for (const file of facts.values()) {
    for (const { reexport, imported, local } of file.imports)
      if (reexport && local !== null && names.has(imported)) others.add(local)
    for (const { exported, local } of file.exports)
      if (names.has(local) && exported !== 'default') others.add(exported)
    for (const { symbol, name } of file.supertypes)
      if (names.has(name)) others.add(file.symbols[symbol]?.name ?? '')
  }
  for (const name of [...others]) if (names.has(name) || name === '') others.delete(name)
  return others
}

function insideError(facts: FileFacts, line: number): boolean {
  return facts.errorLines.some(({ startLine, endLine }) => line >= startLine && line <= endLine)
}

function linesOf(use: Use): { line: number; endLine: number } {
  return { line: use.line, endLine: use.kind === 'reference' ? use.reference.endLine : use.line }
}

function nameOf(use: Use): string {
  return use.kind === 'reference' ? use.reference.name : use.fact.imported
}
