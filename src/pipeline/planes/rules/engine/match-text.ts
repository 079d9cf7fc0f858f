/** Asks every question about one text, or a part of it, and describes each match so that it can be recognised before and after a change. */
import type * as AstGrep from '@ast-grep/wasm'
import type { SgNode } from '@ast-grep/wasm'
import { remembered } from '../../../../base/remembered.ts'
import { upperBound } from '../../../../base/upper-bound.ts'
import type { Matcher } from '../rule.ts'
import { type Facts, factsOf, type Needs, needsOf, startsOfWalks, stepsOfWalks } from './needs.ts'
import type { AskedText, EngineMatch, Question } from './protocol.ts'

export type Engine = Pick<typeof AstGrep, 'parse' | 'dumpPattern'>

const longestText = 4_000
const longestCapture = 200
/** With more nodes than this to check again, the questions are asked in two halves. */
const mostSuspects = 20

/** Characters. The kinds of nodes in a longer text are not collected: it has most of them, and they are many. */
const longestForKinds = 20_000

/** A question, its position, and what a text must contain for it. */
type Asked = { index: number; question: Question; needs: Needs }

/** `stepsLeft`: what walks along siblings may still take, in all texts of one search; about 2 s. */
export type Search = { asked: readonly Asked[]; kinds: readonly string[]; stepsLeft: number }

/** 600 siblings that are each compared with all others. */
const mostSteps = 250_000_000

/** A question that is null was refused, and is left out. */
export function planSearch(
  engine: Engine,
  language: string,
  questions: readonly (Question | null)[],
): Search {
  const asked = questions.flatMap((question, index) =>
    question ? [{ index, question, needs: needsOfMatcher(engine, language, question) }] : [],
  )
  return { asked, kinds: [...new Set(asked.flatMap(({ needs }) => needs.kinds))], stepsLeft: mostSteps }
}

function needsOfMatcher(engine: Engine, language: string, { matcher }: Question): Needs {
  const needs = needsOf(engine, language, matcher.rule)
  return { ...needs, walksFrom: [...needs.walksFrom, ...startsOfWalks([matcher.constraints, matcher.utils])] }
}

/**
 * Matches come in the order of the questions, then of the text. Past `mostMatches` of one question they are only counted:
 * to describe one costs far more than to find it. `skipped`: the questions that would have compared too many siblings.
 */
export function matchText(
  engine: Engine,
  language: string,
  search: Search,
  { text, places }: AskedText,
  mostMatches: number,
): { matches: EngineMatch[]; omitted: number; skipped: number[] } {
  const byWords = mayMatch(search.asked, factsOf(text))
  if (byWords.length === 0) return { matches: [], omitted: 0, skipped: [] }
  const tree = engine.parse(language, text)
  const root = tree.root()
  const found: EngineMatch[] = []
  let omitted = 0
  const ask = (part: SearchedPart, { index, question }: Asked): void => {
    for (const [at, node] of part.findAll(question.matcher).entries()) {
      if (at < mostMatches) found.push(toMatch(node, index, question, text))
      else omitted++
      node.free()
    }
  }
  /** Walking the tree is what costs: one walk finds what any rule may match, and many matches of a few rules are narrowed down. */
  const askTogether = (part: SearchedPart, together: readonly Asked[]): void => {
    const [only] = together
    if (only && together.length === 1) {
      ask(part, only)
      return
    }
    const suspects = findSuspects(part, together)
    if (suspects.length <= mostSuspects)
      for (const node of suspects)
        for (const { index, question } of together) {
          const match = node.find(question.matcher)
          if (match?.id() === node.id()) found.push(toMatch(match, index, question, text))
          match?.free()
        }
    for (const node of suspects) node.free()
    if (suspects.length <= mostSuspects) return
    askTogether(part, together.slice(0, together.length / 2))
    askTogether(part, together.slice(together.length / 2))
  }
  const isTooLong = new Map<number, boolean>()
  const walksTooFar = ({ index, needs }: Asked): boolean =>
    remembered(isTooLong, index, () => {
      const steps = stepsOfWalks(root, needs.walksFrom, search.stepsLeft)
      const isTooMuch = steps > search.stepsLeft
      if (!isTooMuch) search.stepsLeft -= steps
      return isTooMuch
    })
  for (const part of searchedParts(root, places)) {
    const asked = mayMatchIn(part, byWords, search.kinds).filter((one) => !walksTooFar(one))
    // Helpers of two rules may share a name and mean different things.
    askTogether(
      part,
      asked.filter(({ question }) => !question.matcher.utils),
    )
    for (const one of asked) if (one.question.matcher.utils) ask(part, one)
    if (part.node !== root) part.node.free()
  }
  root.free()
  tree.free()
  found.sort((a, b) => a.question - b.question || a.startLine - b.startLine)
  return {
    matches: found.slice(0, mostMatches),
    omitted: omitted + Math.max(0, found.length - mostMatches),
    skipped: [...isTooLong].flatMap(([index, isTooMuch]) => (isTooMuch ? [index] : [])),
  }
}

function mayMatch(asked: readonly Asked[], facts: Facts): Asked[] {
  return asked.filter(({ needs }) => needs.mayMatch(facts))
}

function mayMatchIn({ node, isAlone }: SearchedPart, asked: Asked[], wanted: readonly string[]): Asked[] {
  if (isAlone) {
    const kind = node.kind()
    return asked.filter(({ needs }) => needs.ownKinds?.has(kind) ?? true)
  }
  const words = factsOf(node.text())
  const byWords = asked.filter(({ needs }) => needs.mayMatchIn(words))
  if (byWords.length === 0 || words.text.length > longestForKinds) return byWords
  const facts = { ...words, kinds: kindsIn(node, wanted) }
  return byWords.filter(({ needs }) => needs.mayMatchIn(facts))
}

function kindsIn(root: SgNode, wanted: readonly string[]): ReadonlySet<string> {
  if (wanted.length === 0) return new Set()
  const kinds = new Set<string>()
  for (const node of root.findAll({ rule: { any: wanted.map((kind) => ({ kind })) } })) {
    kinds.add(node.kind())
    node.free()
  }
  return kinds
}

/** Every node that some rule may match. Constraints, which only ever remove matches, are checked afterwards. */
function findSuspects(part: SearchedPart, together: readonly Asked[]): SgNode[] {
  if (together.length === 0) return []
  return part.findAll({ rule: { any: together.map(({ question }) => question.matcher.rule) } })
}

function toMatch(node: SgNode, question: number, { captures, fix }: Question, text: string): EngineMatch {
  const matched = node.text()
  const named = captures.map((name) => [name, (node.getMatch(name)?.text() ?? '').slice(0, longestCapture)])
  return {
    question,
    ...linesOf(node),
    text: matched.slice(0, longestText),
    frame: frameOf(node).slice(0, longestText),
    scope: scopeOf(node).slice(0, longestCapture),
    captures: Object.fromEntries(named),
    replacement: fix === null ? null : replaceLines(node, matched, fix, text),
  }
}

/** The whole lines around the match with the filled template in its place; null when its position is ambiguous. */
function replaceLines(node: SgNode, matched: string, fix: string, text: string): string | null {
  const { start, end } = node.range()
  const lines = text.split('\n').slice(start.line, end.line + 1)
  const block = lines.join('\n')
  const at = block.indexOf(matched)
  // Engines count columns differently, so the text is searched for, and must occur only once.
  if (at < 0 || block.indexOf(matched, at + 1) >= 0) return null
  const filled = fix.replace(/\$([A-Z_][A-Z0-9_]*)/g, (_, name: string) => node.getMatch(name)?.text() ?? '')
  return block.slice(0, at) + filled + block.slice(at + matched.length)
}

/** Nodes read for one frame; a larger match is its own frame. */
const mostNodes = 4_000

const functions: ReadonlySet<string> = new Set([
  'arrow_function',
  'function_expression',
  'function_declaration',
  'generator_function',
  'generator_function_declaration',
  'method_definition',
  'function_definition',
  'func_literal',
  'method_declaration',
  'constructor_declaration',
  'lambda_expression',
  'closure_expression',
  'function_item',
])
const bodies: ReadonlySet<string> = new Set(['statement_block', 'block', 'constructor_body'])

/**
 * The text of a match with `{…}` for the body of each function inside it. A rule about a callback matches the whole call; a
 * change inside the body of the callback changes the text of the match, but nothing that the rule is about.
 */
function frameOf(match: SgNode): string {
  let left = mostNodes
  const framed = (node: SgNode): string | null => {
    const children = node.children()
    left -= children.length
    if (left < 0) return null
    const isFunction = node !== match && functions.has(node.kind())
    let isCut = false
    const parts = children.map((child) => {
      const inner = isFunction && bodies.has(child.kind()) ? '{…}' : framed(child)
      isCut ||= inner !== null
      return inner ?? child.text()
    })
    return isCut ? parts.join(' ') : null
  }
  const frame = framed(match)
  return left < 0 || frame === null ? match.text() : frame
}

/** The names of the definitions around a match, outermost first. */
function scopeOf(match: SgNode): string {
  return match
    .ancestors()
    .flatMap((node) => node.field('name')?.text() ?? [])
    .reverse()
    .join('.')
}

/** `isAlone`: without what is below the node, of which other parts hold what is searched. */
type SearchedPart = {
  node: SgNode
  isAlone: boolean
  /** In the order of the text; the caller frees them. Nodes below a match may match as well. */
  findAll(matcher: Matcher): SgNode[]
}

/**
 * In lines. A smaller node is searched with all below it, since to pick out its children would cost more. Where that makes too many
 * parts, such as at the first line of a long call, the next size is taken.
 */
const smallNodes = [30, 100, 300, 1_000]
/** The engine compiles what it is asked for each part. */
const mostParts = 12

/** Walking a tree is what costs: where somebody writes in a long file, nearly all of it is left out. The caller frees the nodes. */
function searchedParts(root: SgNode, places: AskedText['places']): SearchedPart[] {
  if (places === null) return [{ node: root, isAlone: false, findAll: (matcher) => root.findAll(matcher) }]
  for (const smallNode of smallNodes) {
    const parts = partsAt(root, places, smallNode)
    if (parts.length <= mostParts) return parts
    for (const { node } of parts) if (node !== root) node.free()
  }
  return [wholePart(root, places)]
}

function partsAt(node: SgNode, places: readonly number[], smallNode: number): SearchedPart[] {
  const { startLine, endLine } = linesOf(node)
  if (endLine - startLine < smallNode) return [wholePart(node, places)]
  const below = node.children().flatMap((child) => {
    if (covers(child, places)) return partsAt(child, places, smallNode)
    child.free()
    return []
  })
  const findAll = (matcher: Matcher) => (node.matches(matcher) ? (node.find(matcher) ?? []) : [])
  return [{ node, isAlone: true, findAll: (matcher) => [findAll(matcher)].flat() }, ...below]
}

function wholePart(node: SgNode, places: readonly number[]): SearchedPart {
  const findAll = (matcher: Matcher) =>
    node.findAll(matcher).filter((found) => {
      const isThere = covers(found, places)
      if (!isThere) found.free()
      return isThere
    })
  return { node, isAlone: false, findAll }
}

function covers(node: SgNode, places: readonly number[]): boolean {
  const { startLine, endLine } = linesOf(node)
  return upperBound(places, 2 * endLine) > upperBound(places, 2 * startLine - 1)
}

/** 1-based, inclusive. */
function linesOf(node: SgNode): { startLine: number; endLine: number } {
  const { start, end } = node.range()
  // A node that ends with a line feed ends before the next line.
  const isOfNext = end.column === 0 && end.line > start.line
  return { startLine: start.line + 1, endLine: isOfNext ? end.line : end.line + 1 }
}
