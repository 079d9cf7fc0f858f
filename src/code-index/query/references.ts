/** Which places use a definition? Each use is resolved by the rules of its language; a like name is never enough. */
import type { FileFacts } from '../contract.ts'
import type { Definition } from '../resolve/contract.ts'
import { resolveImport, resolveReference } from '../resolve/resolve.ts'
import { referencesNamed, symbolOf } from '../resolve/symbols.ts'
import { type Class, classify, mayBeUnique } from './classify.ts'
import { confidenceOf } from './confidence.ts'
import type { CodeTree, Emptiness, ReferenceEdge, ReferencesAnswer, UnresolvedUse } from './contract.ts'
import { definitionsNamed } from './definitions.ts'
import { lineReader, siteAt, siteOf } from './site.ts'
import { type TargetNames, targetNames, usedAs } from './target-names.ts'
import { textOnlyAmong, unparsedAmong } from './text-only.ts'

/** A use as found, before its line is read. */
type Use = Pick<ReferenceEdge, 'path' | 'line' | 'column' | 'role'> & {
  enclosing: number | null
  meant: Class
}

/** Remembered in the tree: asking again for the same definition costs nothing. Does not throw for odd code. */
export function findReferences(tree: CodeTree, target: Definition): Promise<ReferencesAnswer> {
  return tree.world.once(`references ${target.index} ${target.path}`, () => answer(tree, target))
}

async function answer(tree: CodeTree, target: Definition): Promise<ReferencesAnswer> {
  const names = await targetNames(tree, target)
  const isOnly = await isOnlyOne(tree, target)
  const texts = await tree.world.texts([...names.facts.keys()])
  const uses: Use[] = []
  for (const [path, facts] of names.facts)
    uses.push(...(await usesIn(tree, target, { path, facts, text: texts.get(path) ?? null, names, isOnly })))
  const lineOf = await lineReader(tree.world, [...names.facts.keys()])
  const told = (use: Use) => ({
    path: use.path,
    line: use.line,
    role: use.role,
    text: lineOf(use.path, use.line),
  })

  const references: ReferenceEdge[] = []
  const unresolved: UnresolvedUse[] = []
  for (const use of uses) {
    const { meant, path, column, enclosing } = use
    if (meant.kind === 'unknown') unresolved.push({ ...told(use), why: meant.why })
    if (meant.kind !== 'edge') continue
    const facts = names.facts.get(path)
    const { how, certainty } = meant
    const within = facts ? siteAt(path, facts, enclosing) : null
    references.push({ ...told(use), column, within, how, confidence: confidenceOf(how, certainty) })
  }
  const textOnly = textOnlyAmong(names.files)
  const limits = limitsOf(tree, target, names)
  const seen = {
    unresolved,
    textOnly,
    limits,
    elsewhere: uses.filter(({ meant }) => meant.kind === 'elsewhere').length,
  }
  return {
    target: siteOf(target),
    references,
    ...seen,
    emptiness: references.length > 0 ? null : whyNone(target, seen),
  }
}

type FileSight = {
  path: string
  facts: FileFacts
  text: string | null
  names: TargetNames
  isOnly: boolean
}

/** In order of line and column; an import before the names on its line. */
async function usesIn(tree: CodeTree, target: Definition, sight: FileSight): Promise<Use[]> {
  const { path, facts, text } = sight
  const names = sight.names.namesIn(path)
  const place = { path, facts, enclosing: null, text }
  const uses: Use[] = []
  const importLines = new Set<number>()
  for (const fact of facts.imports) {
    importLines.add(fact.line)
    if (!names.has(fact.imported) && !(fact.local !== null && names.has(fact.local))) continue
    const meant = classify(await resolveImport(tree.world, place, fact), target, null)
    const role = fact.reexport ? 'export' : 'import'
    uses.push({ path, line: fact.line, column: null, role, enclosing: null, meant })
  }
  for (const reference of [...names].flatMap((name) => referencesNamed(facts, name))) {
    const { role, line, column, enclosing } = reference
    // Told by the import itself, which knows both of its names.
    if (role === 'import' || (role === 'export' && importLines.has(line))) continue
    let meant = classify(await resolveReference(tree.world, place, reference), target, reference)
    if (meant.kind === 'unknown' && sight.isOnly && mayBeUnique(meant.why, target, reference))
      meant = { kind: 'edge', how: 'unique name', certainty: 'certain' }
    uses.push({ path, line, column, role, enclosing, meant })
  }
  return uses.sort((a, b) => a.line - b.line || (a.column ?? -1) - (b.column ?? -1))
}

/** No other definition in the tree has this name. */
async function isOnlyOne(tree: CodeTree, target: Definition): Promise<boolean> {
  return (await definitionsNamed(tree, symbolOf(target).name)).length === 1
}

function limitsOf(tree: CodeTree, target: Definition, names: TargetNames): string[] {
  const unparsed = unparsedAmong(tree, names.files)
  const { visibility } = symbolOf(target)
  return [
    ...(unparsed.length > 0 ? [`not parsed, so not looked into: ${unparsed.join(', ')}`] : []),
    ...(visibility === 'exported' ? ['it is exported: users outside this repository are not seen'] : []),
  ]
}

function whyNone(
  target: Definition,
  { unresolved, textOnly, limits }: Pick<ReferencesAnswer, 'unresolved' | 'textOnly' | 'limits'>,
): Emptiness {
  const name = usedAs(target)
  if (unresolved.length > 0)
    return {
      isEvidence: false,
      why: `${unresolved.length} uses of a \`${name}\` could not be resolved; each may be one of this`,
    }
  if (limits.some((limit) => limit.startsWith('not parsed')))
    return { isEvidence: false, why: 'files that mention it could not be parsed' }
  if (textOnly.length > 0)
    return { isEvidence: false, why: `${textOnly.length} files that are text only mention \`${name}\`` }
  return { isEvidence: true, why: `nothing else in this tree uses \`${name}\` by name` }
}
