/**
 * Blocks in Kotlin may have a receiver, whose members come before those of the class around. Facts do not tell of
 * blocks, so the text before a name is read for those it is in.
 */
import type { Reference } from '../../contract.ts'
import type { UseSite } from '../contract.ts'
import { linesOf } from '../lines.ts'
import { around } from '../symbols.ts'

/** Functions of the library that run their block on a receiver. */
const changesReceiver: ReadonlySet<string> = new Set(['apply', 'run', 'with'])

const farthest = 12_000

/** Why a bare name in lower case may be a member of something that the text does not name; null when it is not. */
export function kotlinBlockDoubt(place: UseSite, { receiver, name, line, column }: Reference): string | null {
  const [first] = (receiver ?? name).split(/[.(]/, 1)
  if (place.text === null || !first || !/^[a-z_]/.test(first) || first === 'this' || first === 'super')
    return null
  const lines = linesOf(place.facts, place.text)
  const holder = around({ ...place }).map((index) => place.facts.symbols[index])
  const from =
    holder.find((symbol) => symbol?.kind === 'function' || symbol?.kind === 'method')?.startLine ?? line
  const before = `${lines.between(from, line)}\n${lines.at(line).slice(0, column)}`.slice(-farthest)
  const openings = openBlocks(before)
  if (openings.some((opening) => hasReceiver(functionBefore(before, opening))))
    return 'a block whose receiver is not known'
  return null
}

/** Where the blocks begin that are still open at the end of a text. Braces in strings only make it see fewer. */
function openBlocks(text: string): number[] {
  const found: number[] = []
  let closed = 0
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text.charAt(at)
    if (character === '}') closed++
    else if (character === '{') {
      if (closed > 0) closed--
      else found.push(at)
    }
  }
  return found
}

/** Builders have a receiver by convention. */
function hasReceiver(name: string): boolean {
  return changesReceiver.has(name) || name.startsWith('build') || /[bB]uilder$/.test(name)
}

/** The name of the function that a block is given to, with or without arguments in brackets. */
function functionBefore(text: string, opening: number): string {
  let end = opening
  while (end > 0 && text.charAt(end - 1) === ' ') end--
  if (text.charAt(end - 1) === ')') {
    let depth = 0
    do {
      end--
      if (text.charAt(end) === ')') depth++
      else if (text.charAt(end) === '(') depth--
    } while (end > 0 && depth > 0)
  }
  let start = end
  while (start > 0 && /\w/.test(text.charAt(start - 1))) start--
  return text.slice(start, end)
}
