/** JSON and YAML as a tree that knows its lines, for documents that strangers wrote. What cannot be read is null. */
import { type Node as JsonNode, parseTree } from 'jsonc-parser'
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node as YamlNode } from 'yaml'
import { splitLines } from '../../../code-index/resolve/lines.ts'

type Lines = { line: number; endLine: number }

export type DataNode = Lines &
  (
    | { kind: 'map'; entries: ReadonlyMap<string, DataEntry> }
    | { kind: 'list'; items: readonly DataNode[] }
    | { kind: 'scalar'; value: string | number | boolean | null }
  )

/** `line` is where its key stands. */
export type DataEntry = Lines & { value: DataNode }

/** Deeper ones are not contracts. */
const maximumDepth = 80

export function readData(path: string, text: string): DataNode | null {
  try {
    return /\.(?:json|avsc|avpr|jsonc)$/i.test(path) ? readJson(text) : readYamlData(text)
  } catch {
    // Parsers give up on nesting that exhausts the stack.
    return null
  }
}

function readJson(text: string): DataNode | null {
  const root = parseTree(text, [], { allowTrailingComma: true })
  if (!root) return null
  const { lineOf: lineAt } = splitLines(text)
  const lines = ({ offset, length }: JsonNode): Lines => ({
    line: lineAt(offset),
    endLine: lineAt(offset + Math.max(0, length - 1)),
  })
  const convert = (node: JsonNode, depth: number): DataNode => {
    const place = lines(node)
    if (depth > maximumDepth) return { ...place, kind: 'scalar', value: null }
    if (node.type === 'array')
      return { ...place, kind: 'list', items: (node.children ?? []).map((one) => convert(one, depth + 1)) }
    if (node.type !== 'object') return { ...place, kind: 'scalar', value: node.value ?? null }
    const entries = new Map<string, DataEntry>()
    for (const { children: [key, value] = [] } of node.children ?? [])
      if (key && value)
        entries.set(String(key.value), {
          line: lines(key).line,
          endLine: lines(value).endLine,
          value: convert(value, depth + 1),
        })
    return { ...place, kind: 'map', entries }
  }
  return convert(root, 0)
}

function readYamlData(text: string): DataNode | null {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, logLevel: 'silent' })
  if (!document.contents || document.errors.some(({ code }) => code !== 'DUPLICATE_KEY')) return null
  const lineAt = (offset: number): number => Math.max(1, counter.linePos(offset).line)
  const lines = (node: YamlNode): Lines => {
    const [start, end] = node.range ?? [0, 0]
    return { line: lineAt(start), endLine: lineAt(Math.max(start, end - 1)) }
  }
  // An anchor is converted once, however often it is used: a tree of aliases would otherwise grow without bound.
  const converted = new Map<YamlNode, DataNode>()
  const convert = (node: YamlNode | null, depth: number): DataNode => {
    if (!node || depth > maximumDepth) return { line: 1, endLine: 1, kind: 'scalar', value: null }
    const known = converted.get(node)
    if (known) return known
    const made = make(node, depth)
    if (node.anchor) converted.set(node, made)
    return made
  }
  const anchors = new Map<string, YamlNode>()
  const make = (node: YamlNode, depth: number): DataNode => {
    const place = lines(node)
    if (isAlias(node)) return convert(anchors.get(node.source) ?? null, depth + 1)
    if (node.anchor) anchors.set(node.anchor, node)
    if (isSeq(node))
      return { ...place, kind: 'list', items: node.items.map((one) => convert(one as YamlNode, depth + 1)) }
    if (isMap(node)) return { ...place, kind: 'map', entries: entriesOf(node.items, depth) }
    const value = isScalar(node) ? node.value : null
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    return { ...place, kind: 'scalar', value: isPlain ? value : null }
  }
  const entriesOf = (items: readonly { key: unknown; value: unknown }[], depth: number) => {
    const entries = new Map<string, DataEntry>()
    for (const { key, value } of items) {
      if (!isScalar(key)) continue
      const node = convert(value as YamlNode | null, depth + 1)
      const { line, endLine } = lines(key)
      const end = value && !isAlias(value) ? node.endLine : endLine
      entries.set(String(key.value), { line, endLine: Math.max(line, end), value: node })
    }
    return entries
  }
  return convert(document.contents, 0)
}

export function childOf(node: DataNode | null | undefined, key: string): DataNode | null {
  return entryOf(node, key)?.value ?? null
}

export function entryOf(node: DataNode | null | undefined, key: string): DataEntry | null {
  return node?.kind === 'map' ? (node.entries.get(key) ?? null) : null
}

export function entriesOf(node: DataNode | null | undefined): [string, DataEntry][] {
  return node?.kind === 'map' ? [...node.entries] : []
}

export function itemsOf(node: DataNode | null | undefined): readonly DataNode[] {
  return node?.kind === 'list' ? node.items : []
}

/** A scalar as text; null for maps, lists and null itself. */
export function textOf(node: DataNode | null | undefined): string | null {
  return node?.kind === 'scalar' && node.value !== null ? String(node.value) : null
}

export function isTrue(node: DataNode | null | undefined): boolean {
  return node?.kind === 'scalar' && node.value === true
}
