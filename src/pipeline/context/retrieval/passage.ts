/** How much of a definition is shown. */
import type { Definition } from '../../../code-index/resolve/contract.ts'
import { fullName, symbolOf } from '../../../code-index/resolve/symbols.ts'
import type { Passage } from './contract.ts'

/** A definition that fits is shown whole; of a longer one its beginning, or what lies around a line of it. */
const wholeLines = 60
const headLines = 25
const aroundLines = 12

export function passageOf(definition: Definition, title: string): Passage {
  const { startLine, endLine } = symbolOf(definition)
  const last = endLine - startLine < wholeLines ? endLine : startLine + headLines - 1
  return { path: definition.path, startLine, endLine: last, title }
}

/** The whole definition when it fits, else the lines around `line` inside of it. */
export function passageAround(definition: Definition, line: number, title: string): Passage {
  const { startLine, endLine } = symbolOf(definition)
  if (endLine - startLine < wholeLines) return { path: definition.path, startLine, endLine, title }
  return {
    path: definition.path,
    startLine: Math.max(startLine, line - aroundLines),
    endLine: Math.min(endLine, line + aroundLines),
    title,
  }
}

export function nameOf(definition: Definition): string {
  return fullName(symbolOf(definition))
}
