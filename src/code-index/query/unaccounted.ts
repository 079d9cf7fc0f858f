/** Words of the text that an answer without a use has to account for: uses in forms that no parser reads as such. */

import { isScript } from '../language-of.ts'
import type { Definition } from '../resolve/contract.ts'
import { linesOf } from '../resolve/lines.ts'
import { resolveImport } from '../resolve/resolve.ts'
import { fullName, isType, symbolOf } from '../resolve/symbols.ts'
import type { CodeTree, UnresolvedUse } from './contract.ts'
import { definitionsNamed, quotedLine, unreadAmong } from './definitions.ts'
import { handingOf } from './handed-modules.ts'
import { makingOf } from './made-names.ts'
import { type Doubtful, mayUse, mayUseMember } from './occurrences.ts'
import { otherUseOf } from './other-names.ts'
import { isConstructor, type TargetNames } from './target-names.ts'

/** Occurrences of its names that are no comment and no other thing for certain, and imports of its module as a whole. */
export async function unaccountedFor(
  tree: CodeTree,
  target: Definition,
  names: TargetNames,
  known: ReadonlySet<string>,
): Promise<UnresolvedUse[]> {
  const asModule = isScript(target.facts.language)
  const words = [...names.namesIn(target.path)].filter((word) => !asModule || word !== 'default')
  const unread = await unreadAmong(tree, names.files, words, isMember(target) ? mayUseMember : mayUse)
  const whole = isDefaultExport(target) ? await wholeImports(tree, target, names) : []
  const members = await memberImports(tree, target, names)
  const found = [...unread, ...whole, ...members, ...(await byBinaryName(tree, target))].filter(
    (use) => !known.has(placeOf(use)),
  )
  // These read much, and prove nothing more about a name that is in doubt.
  if (known.size > 0 || found.length > 0) return found
  const unnamed =
    (await runBySuper(tree, target)) ??
    (await otherUseOf(tree, target)) ??
    (await makingOfTarget(tree, target)) ??
    (await handingOf(tree, target))
  return unnamed ? [unnamed] : []
}

/** What a macro is replaced by is text to the grammar of C, though the name is used wherever the macro is. */
export async function inMacros(
  tree: CodeTree,
  target: Definition,
  names: TargetNames,
  known: ReadonlySet<string>,
): Promise<UnresolvedUse[]> {
  if (!hasMacros.test(target.facts.language)) return []
  const isUnread: Doubtful = ({ kind }) => kind === 'unread'
  const found = await unreadAmong(tree, names.files, [...names.namesIn(target.path)], isUnread)
  return found.filter((use) => !known.has(placeOf(use)))
}

const hasMacros = /^(?:c|cpp)$/

/** A method of its name, or it itself, that runs the next one of a chain, where `super` alone says so. */
async function runBySuper(tree: CodeTree, target: Definition): Promise<UnresolvedUse | null> {
  if (target.facts.language !== 'ruby') return null
  for (const { path, facts, index } of await definitionsNamed(tree, symbolOf(target).name)) {
    const { startLine = 1, endLine = 0 } = facts.symbols[index] ?? {}
    const lines = linesOf(facts, (await tree.world.text(path)) ?? '')
    for (let line = startLine; line <= endLine; line++)
      if (/\bsuper\b/.test(lines.at(line)))
        return { path, line, role: 'call', text: lines.at(line).trim(), why: '`super` may run it' }
  }
  return null
}

/** Of what can be looked up by a name at run time: not of locals, nor of what a module keeps to itself. */
async function makingOfTarget(tree: CodeTree, target: Definition): Promise<UnresolvedUse | null> {
  const { facts, path, index } = target
  const { name, scope, kind } = symbolOf(target)
  const parent = facts.symbols[facts.parents[index] ?? -1]
  const isLocal = parent !== undefined && (parent.kind === 'function' || parent.kind === 'method')
  const isKept = isScript(facts.language) && (isErased.test(kind) || (scope === '' && !isMember(target)))
  return isLocal || isKept ? null : makingOf(tree, name, [facts.language], path)
}

const isErased = /^(?:interface|type)$/

/** What an object or a module has, and gives by the name of a local. */
function isMember(target: Definition): boolean {
  const { scope, kind, name } = symbolOf(target)
  if (target.facts.language === 'swift') return true
  if (target.facts.language === 'rust') return kind === 'field'
  return scope !== '' || target.facts.exports.some(({ local }) => local === name)
}

/**
 * One word for whoever counts words: `Outer$Inner`, as configuration and reflection on the JVM name a type inside another,
 * and `·sum` of Go's assembly.
 */
async function byBinaryName(tree: CodeTree, target: Definition): Promise<UnresolvedUse[]> {
  const words = binaryNames(target)
  if (words.length === 0) return []
  const found: UnresolvedUse[] = []
  for (const [word, paths] of await tree.mentions(words))
    for (const path of paths.slice(0, mostBinaryNames)) {
      const lines = ((await tree.world.text(path)) ?? '').split('\n')
      const at = Math.max(
        0,
        lines.findIndex((line) => line.includes(word)),
      )
      const why = `\`${word}\` names it`
      found.push({ path, line: at + 1, role: 'read', text: lines[at]?.trim().slice(0, 200) ?? '', why })
    }
  return found
}

/** Of the type itself, and of those inside it, whose names hold its own. */
function binaryNames(target: Definition): string[] {
  const { facts } = target
  if (facts.language === 'go') {
    const { name, scope } = symbolOf(target)
    return scope === '' ? ['', facts.packageName ?? ''].map((before) => `${before}·${name}`) : []
  }
  if (!onJvm.test(facts.language)) return []
  const parent = facts.parents[target.index] ?? null
  const index = isConstructor(target) && parent !== null ? parent : target.index
  const type = facts.symbols[index]
  if (!type || !isType(type, facts)) return []
  const full = fullName(type)
  const inside = facts.symbols.filter((one) => isType(one, facts) && `${one.scope}.`.startsWith(`${full}.`))
  return [type, ...inside]
    .map((one) => fullName(one).replaceAll('.', '$'))
    .filter((name) => name.includes('$'))
    .slice(0, mostBinaryNames)
}

const mostBinaryNames = 50
const onJvm = /^(?:java|kotlin|scala)$/

/**
 * Of what others may be taken from: an import of what is in it names it too, as `import a.Outer.*` in the file of both, and
 * `using namespace name`.
 */
async function memberImports(
  tree: CodeTree,
  target: Definition,
  names: TargetNames,
): Promise<UnresolvedUse[]> {
  const holder = symbolOf(target)
  const { language } = target.facts
  const isHolder = hasMacros.test(language)
    ? /^(?:macro|module)$/.test(holder.kind)
    : (onJvm.test(language) || language === 'csharp') && isType(holder, target.facts)
  if (!isHolder) return []
  const found: UnresolvedUse[] = []
  for (const [path, facts] of names.facts)
    for (const { source, line } of facts.imports) {
      if (!source.split(/\.|::/).includes(holder.name)) continue
      const text = quotedLine(facts, await tree.world.text(path), line)
      found.push({ path, line, role: 'import', text, why: 'what is in it is imported' })
    }
  return found
}

/** Of a default export: its module is imported without a name for it, as in `lazy(() => import('./page'))`. */
async function wholeImports(
  tree: CodeTree,
  { path: home }: Definition,
  names: TargetNames,
): Promise<UnresolvedUse[]> {
  const found: UnresolvedUse[] = []
  for (const [path, facts] of names.facts)
    for (const fact of facts.imports) {
      if (fact.imported !== '*' || fact.typeOnly) continue
      const meaning = await resolveImport(tree.world, { path, facts, enclosing: null, text: null }, fact)
      if (meaning.kind !== 'module' || meaning.module.path !== home) continue
      const { line } = fact
      const text = quotedLine(facts, await tree.world.text(path), line)
      found.push({ path, line, role: 'import', text, why: 'the module is imported as a whole' })
    }
  return found
}

function isDefaultExport(target: Definition): boolean {
  const { name, scope } = symbolOf(target)
  return (
    scope === '' &&
    target.facts.exports.some(({ exported, local }) => exported === 'default' && local === name)
  )
}

export function placeOf({ path, line }: Pick<UnresolvedUse, 'path' | 'line'>): string {
  return `${path}:${line}`
}
