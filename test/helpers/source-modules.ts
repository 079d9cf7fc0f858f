/** TypeScript modules as trees, for tests that read sources: parsed by the native parser of the bundler. */
import { parseSync } from 'rolldown/utils'

type Program = ReturnType<typeof parseSync>['program']
export type SourceNode = { type: string; start: number; [key: string]: unknown }
export type SourceModule = {
  /** Every node with those below it, in the order they are written. */
  nodes: readonly SourceNode[]
  comments: readonly { value: string; start: number }[]
  /** From 1, of an offset. */
  lineAt(offset: number): number
}

/** `without` leaves out a child of a node by its key, with all below it. */
export function parseModule(
  file: string,
  text: string,
  without: (node: SourceNode, key: string) => boolean = () => false,
): SourceModule {
  const { program, comments, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  return { nodes: nodesBelow(program, without), comments, lineAt: (offset) => lineOf(text, offset) }
}

function nodesBelow(program: Program, without: (node: SourceNode, key: string) => boolean): SourceNode[] {
  const found: SourceNode[] = []
  const waiting: SourceNode[] = [program as unknown as SourceNode]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    found.push(next)
    const keys = Object.keys(next)
    for (let at = keys.length - 1; at >= 0; at--) {
      const key = keys[at] ?? ''
      const child = next[key]
      if (child === null || typeof child !== 'object' || without(next, key)) continue
      if (Array.isArray(child)) {
        for (let item = child.length - 1; item >= 0; item--)
          if (isSourceNode(child[item])) waiting.push(child[item])
      } else if (isSourceNode(child)) waiting.push(child)
    }
  }
  return found
}

export function isSourceNode(value: unknown): value is SourceNode {
  return value !== null && typeof value === 'object' && 'type' in value && typeof value.type === 'string'
}

function lineOf(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}
