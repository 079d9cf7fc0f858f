/** The types of the head that extend or implement a given one, and what a base type requires of them by its text. */
import { itemsBy } from '../../../base/grouped.ts'
import type { Definition, World } from '../../../code-index/resolve/contract.ts'
import { completeResolverOf } from '../../../code-index/resolve/languages/registry.ts'
import { linesOf } from '../../../code-index/resolve/lines.ts'
import { namedType } from '../../../code-index/resolve/receiver.ts'
import { keyOf, referencesAt, symbolOf } from '../../../code-index/resolve/symbols.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import type { FileKinds } from './repo-search.ts'

/** Direct subtypes only. `line`: where the base type is named. A Rust impl block is a subtype of its trait. */
export type Subtype = { definition: Definition; line: number }

const mostFiles = 400

const writtenName = ({ name }: { name: string }) => name

export async function subtypesOf(
  world: World,
  snapshot: RepoSnapshot,
  base: Definition,
  kinds: FileKinds,
): Promise<Subtype[]> {
  const language = completeResolverOf(base.facts.language)
  const { name } = symbolOf(base)
  if (!language) return []
  const files = (await snapshot.filesWithWords([name])).get(name) ?? []
  const facts = await world.factsOf(files.filter((path) => !kinds.isForeign(path)).slice(0, mostFiles))
  const found: Subtype[] = []
  for (const [path, own] of facts)
    for (const { symbol, name: written, line } of itemsBy(own.supertypes, writtenName, name)) {
      const place = { path, facts: own, enclosing: own.parents[symbol] ?? null, text: null }
      const reference = referencesAt(own, line).find(
        (candidate) => candidate.role === 'extends' && candidate.name === written,
      )
      const text = reference?.receiver ? `${reference.receiver}.${written}` : written
      const types = await namedType(language, world, place, text)
      if (types.some((type) => keyOf(type) === keyOf(base)))
        found.push({ definition: { path, facts: own, index: symbol }, line })
    }
  return found
}

/** True when a type that implements this one must define the member itself. */
export async function isRequired(world: World, member: Definition, container: Definition): Promise<boolean> {
  const text = await textOf(world, member)
  const { kind } = symbolOf(member)
  const holder = symbolOf(container)
  switch (member.facts.language) {
    case 'typescript':
    case 'tsx':
      if (holder.kind === 'interface')
        return !new RegExp(`${escaped(symbolOf(member).name)}\\s*\\?`).test(text)
      return kind === 'method' && isAbstract(text, symbolOf(member).name)
    case 'java':
      if (kind !== 'method' || !/;\s*$/.test(text)) return false
      return holder.kind === 'interface'
        ? !/\b(?:default|static|private)\b/.test(text)
        : isAbstract(text, symbolOf(member).name)
    case 'rust':
      return kind === 'method' && holder.kind === 'interface' && /;\s*$/.test(text)
    default:
      return false
  }
}

/** As a modifier before the name; after it (`T extends abstract new () => X`) the word means something else. */
function isAbstract(text: string, name: string): boolean {
  return /\babstract\b/.test(text.slice(0, Math.max(0, text.indexOf(name))))
}

/** False for abstract types and interfaces, which may leave the member to their own subtypes. */
export async function mustFulfil(world: World, type: Definition): Promise<boolean> {
  const symbol = symbolOf(type)
  if (symbol.kind === 'interface' || symbol.kind === 'enum') return false
  return !/\babstract\b/.test(await linesAt(world, type, symbol.startLine, symbol.nameLine))
}

/** True when the member is marked as an override, so that the compiler requires something to override. */
export async function saysOverride(world: World, member: Definition): Promise<boolean> {
  const symbol = symbolOf(member)
  const head = await linesAt(world, member, symbol.startLine, symbol.nameLine)
  if (member.facts.language === 'java') return /@Override\b/.test(head)
  return /^[ \t]*(?:(?:public|protected|private|static|async|readonly)[ \t]+)*override\s/m.test(head)
}

async function textOf(world: World, member: Definition): Promise<string> {
  const { startLine, endLine } = symbolOf(member)
  const text = await linesAt(world, member, startLine, endLine)
  return text.replace(/\/\*[\s\S]*?(?:\*\/|$)|\/\/.*/g, '').trim()
}

/** Lines of the file of a definition, first and last included. */
async function linesAt(world: World, { path, facts }: Definition, from: number, to: number): Promise<string> {
  return linesOf(facts, (await world.text(path)) ?? '').between(from, to + 1)
}

function escaped(name: string): string {
  return name.replace(/[^\w]/g, '\\$&')
}
