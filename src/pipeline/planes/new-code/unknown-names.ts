/** New imports, and new uses of a module's members, of names that the module does not have. */
import { fileNameOf, folderOf } from '../../../base/file-paths.ts'
import type { ImportFact, Reference } from '../../../code-index/contract.ts'
import type { Meaning, UseSite, World } from '../../../code-index/resolve/contract.ts'
import { hiddenExport } from '../../../code-index/resolve/hidden-exports.ts'
import { linesOf } from '../../../code-index/resolve/lines.ts'
import { resolveImport, resolveReference } from '../../../code-index/resolve/resolve.ts'
import { importsAs } from '../../../code-index/resolve/symbols.ts'
import { joinPath } from '../../../code-index/resolve/world.ts'
import type { Misuse } from './misuse.ts'
import { nearestName } from './near-miss.ts'
import type { NewUses } from './new-uses.ts'

type Missing = Extract<Meaning, { kind: 'missing' }>
type Unknown = { name: string; line: number; where: string }

export async function unknownNames(
  { file, place, imports, references }: NewUses,
  { base, head }: { base: World; head: World },
): Promise<Misuse[]> {
  const found: Unknown[] = []
  const known = new Set<string>()
  const add = async (name: string, line: number, meaning: Meaning, before: () => Promise<Meaning>) => {
    if (meaning.kind !== 'missing' || !isAnswerable(meaning, place)) return
    const key = `${name}\n${meaning.where}`
    if (known.has(key)) return
    if (await mayExist(head, meaning, name)) return
    // It was there before: the contract plane reports what the change took away.
    if ((await before()).kind !== 'missing') return
    known.add(key)
    found.push({ name, line, where: meaning.where })
  }
  for (const fact of imports) {
    if (fact.imported === '*' || isOptional(place, fact.line) || isAmbiguous(place, fact.source, head))
      continue
    await add(fact.imported, fact.line, await resolveImport(head, place, fact), () =>
      resolveImport(base, place, fact),
    )
  }
  for (const reference of references) {
    const module = moduleRead(reference, place)
    if (!module || isOptional(place, reference.line) || isAmbiguous(place, module.source, head)) continue
    await add(reference.name, reference.line, await resolveReference(head, place, reference), () =>
      resolveReference(base, place, reference),
    )
  }
  const byModule = Map.groupBy(found, ({ where }) => where)
  return Promise.all([...byModule].map(([where, names]) => describe(file, where, names, head)))
}

/** A chain that breaks in another file is that file's fault; a missing module may be generated. */
function isAnswerable(meaning: Missing, place: UseSite): boolean {
  return (
    meaning.missing === 'export' &&
    meaning.certainty === 'certain' &&
    meaning.where !== place.path &&
    (meaning.by === null || meaning.by === place.path)
  )
}

/** `module.name`, where the module is one imported name. */
function moduleRead({ receiver, role }: Reference, { facts }: UseSite): ImportFact | undefined {
  if (receiver === null || role === 'write' || role === 'import') return undefined
  return importsAs(facts, receiver).find(({ imported }) => imported === '*' || facts.language === 'python')
}

/** Python: which of two packages of one name is meant depends on where the program is started. */
function isAmbiguous({ facts }: UseSite, source: string, { paths }: World): boolean {
  if (facts.language !== 'python' || source.startsWith('.')) return false
  const top = source.split('.')[0] ?? ''
  const holdsPython = (folder: string) => paths.filesIn(folder).some((path) => path.endsWith('.py'))
  const isTop = (path: string) => !paths.has(joinPath(folderOf(path), '__init__.py') ?? '')
  const folders = paths.foldersEndingWith(top).filter((folder) => holdsPython(folder) && isTop(folder))
  return folders.length + paths.named(`${top}.py`).filter(isTop).length > 1
}

/** Python: inside `try`, where a name that is missing is provided for. */
function isOptional({ facts, text }: UseSite, line: number): boolean {
  if (facts.language !== 'python') return false
  const lines = linesOf(facts, text ?? '')
  let indent = indentOf(lines.at(line))
  for (let at = line - 1; at >= Math.max(1, line - furthestTry) && indent > 0; at--) {
    const above = lines.at(at)
    if (above.trim() === '' || indentOf(above) >= indent) continue
    indent = indentOf(above)
    if (/^\s*(?:try\s*:|except\b|with\s+(?:contextlib\.)?suppress\b)/.test(above)) return true
  }
  return false
}

/** Lines above in which a `try` is looked for. */
const furthestTry = 1_000

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

async function mayExist(head: World, { where }: Missing, name: string): Promise<boolean> {
  const facts = await head.facts(where)
  const text = await head.text(where)
  // A folder, as Go's packages are: its files were all read.
  if (!facts || text === null) return !head.paths.hasFolder(where)
  if (hiddenExport(facts, text, name) !== null) return true
  // A module of a package that is compiled, or generated and not committed.
  if (facts.language === 'python' && /(?:^|\/)__init__\.pyi?$/.test(where)) {
    const folder = folderOf(where)
    if (head.paths.filesIn(folder).some((path) => stemOf(path) === name)) return true
    const ignored = head.paths.named('.gitignore')
    for (const [, rules] of await head.texts(ignored)) if (rules.includes(name)) return true
  }
  return false
}

function stemOf(path: string): string {
  return fileNameOf(path).split('.', 1)[0] ?? ''
}

/** One finding for each module, since an import of many names fails once. */
async function describe(
  file: NewUses['file'],
  where: string,
  unknown: readonly Unknown[],
  head: World,
): Promise<Misuse> {
  const offered = await offeredBy(head, where)
  const [first] = unknown
  const line = first?.line ?? 1
  const near = unknown.length === 1 && first ? nearestName(first.name, [...offered.keys()]) : null
  const shown =
    near === null ? [] : [{ path: where, line: offered.get(near) ?? 1, title: `\`${near}\` there` }]
  const names = unknown.map(({ name }) => (name === 'default' ? 'default export' : `\`${name}\``))
  const rest = names.length > mostInTitle ? ` and ${names.length - mostInTitle} more` : ''
  return {
    rule: 'new-code/unknown-export',
    certain: true,
    title: `\`${where}\` has no ${names.slice(0, mostInTitle).join(', ')}${rest}${near === null ? '' : `; did you mean \`${near}\`?`}`,
    explanation: `The new code takes ${names.slice(0, mostNamed).join(', ')} from \`${where}\`, which neither defines nor re-exports ${names.length === 1 ? 'it' : 'them'}. The import fails, or the value is undefined.`,
    remedy:
      near === null
        ? `Use names that \`${where}\` has, or add the missing ones there.`
        : `Use \`${near}\`, or add the missing name to \`${where}\`.`,
    file,
    line,
    endLine: line,
    claims: unknown
      .slice(0, mostNamed)
      .map((one) => ({ kind: 'not-exported', name: one.name, from: where, path: file.path, line: one.line })),
    shown: head.paths.has(where) ? shown : [],
  }
}

const mostInTitle = 3
const mostNamed = 20

/** Names that a file offers, with their lines. */
async function offeredBy(head: World, where: string): Promise<Map<string, number>> {
  const facts = await head.facts(where)
  const names = new Map<string, number>()
  if (!facts) return names
  for (const { exported, line } of facts.exports) names.set(exported, line)
  for (const { local, line, reexport } of facts.imports)
    if (local !== null && (reexport || facts.language === 'python')) names.set(local, line)
  if (facts.language === 'python')
    for (const { name, scope, nameLine } of facts.symbols) if (scope === '') names.set(name, nameLine)
  return names
}
