/** Reads YAML that a stranger may have written: caps before the parser sees it, and a place for every value. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml'

export type TextPosition = { line: number; column: number }
export type YamlProblem = TextPosition & { message: string }
export type KeyPath = readonly (string | number)[]

export type YamlFile = {
  /** Plain data; undefined when the text could not be read as YAML. */
  value: unknown
  problems: YamlProblem[]
  /** Where the value at a path stands (`key`: its key); the nearest place above for one that is not there. */
  positionOf(path: KeyPath, part: 'key' | 'value'): TextPosition
  has(path: KeyPath): boolean
}

const maximumBytes = 64 * 1024
/** A parser that calls itself runs out of stack on deep nesting; one line can nest as deep as it is long. */
const maximumNesting = 50
const maximumLineLength = 2_000
const maximumAliases = 50
const start: TextPosition = { line: 1, column: 1 }

export function readYaml(text: string): YamlFile {
  const refusal = refuse(text)
  if (refusal) return { value: undefined, problems: [refusal], positionOf: () => refusal, has: () => false }
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' })
  const at = (offset: number): TextPosition => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const faults = [...document.errors, ...document.warnings]
  const problems = faults.map((fault) => ({
    ...at(fault.pos[0]),
    message: inWords(fault.code, fault.message),
  }))
  // A key given twice still leaves a value whose other faults can be told in the same breath.
  const readable = faults.every((fault) => fault.code === 'DUPLICATE_KEY')
  let value: unknown
  try {
    if (readable) value = document.toJS({ maxAliasCount: maximumAliases })
  } catch (error) {
    problems.push({ ...start, message: `${(error as Error).message}.` })
  }
  return {
    value,
    problems,
    positionOf: (path, part) => at(offsetOf(document.contents, path, part)),
    has: (path) => document.hasIn(path),
  }
}

function refuse(text: string): YamlProblem | null {
  if (Buffer.byteLength(text) > maximumBytes)
    return { ...start, message: `The file has more than ${maximumBytes / 1024} KB.` }
  let depth = 0
  for (const [index, line] of text.split('\n').entries()) {
    const place = { line: index + 1, column: 1 }
    if (line.length > maximumLineLength)
      return { ...place, message: `The line has more than ${maximumLineLength} characters.` }
    for (const character of line) {
      if (character === '[' || character === '{') depth++
      else if (character === ']' || character === '}') depth--
    }
    if (depth > maximumNesting)
      return { ...place, message: `Brackets nest more than ${maximumNesting} deep.` }
  }
  return null
}

const knownFaults: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'The key is given twice.',
  TAB_AS_INDENT: 'This line is indented with a tab; YAML allows only spaces.',
  MISSING_CHAR: 'A closing quote or bracket is missing before here.',
  MULTIPLE_DOCS: 'A second document begins here; only one is allowed.',
  TAG_RESOLVE_FAILED: 'Tags (`!name`) are not allowed.',
}

function inWords(code: string, message: string): string {
  return knownFaults[code] ?? `This is not valid YAML: ${message}.`
}

/** Walks down as far as there are nodes. */
function offsetOf(root: ParsedNode | null, path: KeyPath, part: 'key' | 'value'): number {
  let node: ParsedNode | null = root
  let offset = node?.range?.[0] ?? 0
  for (const [depth, step] of path.entries()) {
    if (isAlias(node)) return offset
    if (isMap<ParsedNode, ParsedNode | null>(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && item.key.value === step)
      if (!pair) return offset
      const wantsKey = depth === path.length - 1 && part === 'key'
      offset = (wantsKey ? pair.key : (pair.value ?? pair.key)).range[0]
      node = pair.value
    } else if (isSeq<ParsedNode>(node) && typeof step === 'number') {
      node = node.items[step] ?? null
      offset = node?.range[0] ?? offset
    } else return offset
  }
  return offset
}
