/** What a base type asks of its subtypes, read from the text of the member. */
import type { Definition, World } from '../../../code-index/resolve/contract.ts'
import { symbolOf } from '../../../code-index/resolve/symbols.ts'

/** True when a type that stands for this one must have the member itself. */
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

/** As a modifier before the name; in a type behind it (`T extends abstract new () => X`) the word means something else. */
function isAbstract(text: string, name: string): boolean {
  return /\babstract\b/.test(text.slice(0, Math.max(0, text.indexOf(name))))
}

/** Abstract types and interfaces may leave the duty to their own subtypes. */
export async function mustFulfil(world: World, type: Definition): Promise<boolean> {
  const symbol = symbolOf(type)
  if (symbol.kind === 'interface' || symbol.kind === 'enum') return false
  const lines = ((await world.text(type.path)) ?? '').split('\n')
  return !/\babstract\b/.test(lines.slice(symbol.startLine - 1, symbol.nameLine).join('\n'))
}

/** The member says itself that it overrides something, so that the compiler insists on it. */
export async function saysOverride(world: World, member: Definition): Promise<boolean> {
  const symbol = symbolOf(member)
  const lines = ((await world.text(member.path)) ?? '').split('\n')
  const head = lines.slice(symbol.startLine - 1, symbol.nameLine).join('\n')
  if (member.facts.language === 'java') return /@Override\b/.test(head)
  return /^[ \t]*(?:(?:public|protected|private|static|async|readonly)[ \t]+)*override\s/m.test(head)
}

async function textOf(world: World, member: Definition): Promise<string> {
  const { startLine, endLine } = symbolOf(member)
  const lines = ((await world.text(member.path)) ?? '').split('\n').slice(startLine - 1, endLine)
  return lines
    .join('\n')
    .replace(/\/\*[\s\S]*?(?:\*\/|$)|\/\/.*/g, '')
    .trim()
}

function escaped(name: string): string {
  return name.replace(/[^\w]/g, '\\$&')
}
