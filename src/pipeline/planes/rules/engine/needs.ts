/**
 * What a text must contain for a rule to match in it: words, and kinds of nodes. The engine compiles every rule again for
 * each text, which costs far more than to parse a small text, so only rules that may match are asked. And which rules walk
 * from sibling to sibling, which the engine does in cubic time.
 */
import type * as AstGrep from '@ast-grep/wasm'
import type { SgNode } from '@ast-grep/wasm'
import { fold, type Words, wordsOfRegex } from './regex-words.ts'

/** `kinds`: those nodes of the text that some rule needs; null if unknown. */
export type Facts = Words & {
  kinds: ReadonlySet<string> | null
  /** Without `=>`: that is one token in every language, and neither `=` nor `>`. */
  withoutArrows(): string
}

/** What is known of a text before it is parsed. */
export function factsOf(text: string, kinds: Facts['kinds'] = null): Facts {
  let folded: string | null = null
  let withoutArrows: string | null = null
  return {
    text,
    kinds,
    folded() {
      folded ??= fold(text)
      return folded
    },
    withoutArrows() {
      withoutArrows ??= text.replaceAll('=>', ' ')
      return withoutArrows
    },
  }
}

/** False only if no node of the text can match. */
type Need = (facts: Facts) => boolean

export type Needs = {
  mayMatch: Need
  /** The same of the text of one node, when a match is to be in it: without what may be around a match. */
  mayMatchIn: Need
  /** The kinds that a match may have; null if unknown. */
  ownKinds: ReadonlySet<string> | null
  /** Kinds of nodes that `mayMatch` asks for. */
  kinds: readonly string[]
  /** Nodes from which the rule walks along their siblings, further than to the next one. */
  walksFrom: readonly Start[]
}

/** A rule that finds the nodes, perhaps with others. */
type Start = { kind: string } | { pattern: '$_' }

/** A node of a pattern, as the engine prints it. */
type PatternNode = {
  kind: string
  isNamed: boolean
  text?: string
  pattern: 'metaVar' | 'terminal' | 'internal'
  children: readonly PatternNode[]
}

const always: Need = () => true

/** Tokens without which no grammar of ours has a node of that kind. */
const tokenOfKind: ReadonlyMap<string, string> = new Map(
  Object.entries({
    arrow_function: '=>',
    assert_statement: 'assert',
    assignment_expression: '=',
    assignment_statement: '=',
    await_expression: 'await',
    break_statement: 'break',
    catch_clause: 'catch',
    continue_statement: 'continue',
    debugger_statement: 'debugger',
    defer_statement: 'defer',
    else_clause: 'else',
    except_clause: 'except',
    finally_clause: 'finally',
    func_literal: 'func',
    go_statement: 'go',
    if_expression: 'if',
    if_statement: 'if',
    lambda: 'lambda',
    macro_invocation: '!',
    new_expression: 'new',
    object_creation_expression: 'new',
    raise_statement: 'raise',
    return_statement: 'return',
    switch_case: 'case',
    template_string: '`',
    throw_statement: 'throw',
    try_statement: 'try',
  }),
)

/** `rule`: a node of a rule that the engine accepted. What it does not understand asks for nothing. */
export function needsOf(engine: Pick<typeof AstGrep, 'dumpPattern'>, language: string, rule: unknown): Needs {
  const kinds = new Set<string>()

  const ofKind = (kind: string): Need => {
    // Anything else is a selector of several nodes.
    if (!/^\w+$/.test(kind)) return always
    kinds.add(kind)
    const token = tokenOfKind.get(kind) ?? ''
    return (facts) => facts.text.includes(token) && (facts.kinds === null || facts.kinds.has(kind))
  }

  const rootOf = (pattern: unknown): PatternNode | null => {
    const { context, selector, strictness } = patternFields(pattern)
    if (typeof context !== 'string') return null
    return engine.dumpPattern(language, context, wordOrNull(selector), wordOrNull(strictness))
  }

  const ofPattern = (pattern: unknown): Need => {
    const root = rootOf(pattern)
    if (root === null) return always
    const { strictness } = patternFields(pattern)
    const kind = kindOf(root)
    const needs = [kind === null ? always : ofKind(kind)]
    const isExact = strictness === undefined || strictness === 'smart' || strictness === 'cst'
    // With this strictness the engine compares kinds only.
    if (strictness !== 'signature')
      needs.push(
        ...leavesOf(root, isExact).map(
          (leaf): Need =>
            (facts) =>
              (halvesOfArrow.has(leaf) ? facts.withoutArrows() : facts.text).includes(leaf),
        ),
      )
    return every(needs)
  }

  const ofRule = (one: unknown, relations: readonly string[]): Need => {
    const fields = fieldsOf(one)
    const { kind, pattern, regex, all, any } = fields
    const needs: Need[] = []
    if (typeof kind === 'string') needs.push(ofKind(kind))
    if (pattern !== undefined) needs.push(ofPattern(pattern))
    if (typeof regex === 'string') needs.push(wordsOfRegex(regex))
    if (Array.isArray(all)) needs.push(...all.map((part) => ofRule(part, relations)))
    if (Array.isArray(any)) needs.push(some(any.map((part) => ofRule(part, relations))))
    // What is around a part of a match may be around the match.
    for (const relation of relations)
      if (fields[relation] !== undefined) needs.push(ofRule(fields[relation], relations))
    return every(needs)
  }

  const ownKindsOf = (one: unknown): ReadonlySet<string> | null => {
    const { kind, pattern, all, any } = fieldsOf(one)
    if (typeof kind === 'string') return /^\w+$/.test(kind) ? new Set([kind]) : null
    const root = pattern === undefined ? null : rootOf(pattern)
    const own = root === null ? null : kindOf(root)
    if (own !== null) return new Set([own])
    if (Array.isArray(any)) {
      const each = any.map(ownKindsOf)
      return each.includes(null) ? null : new Set(each.flatMap((some) => [...(some ?? [])]))
    }
    return Array.isArray(all) ? (all.map(ownKindsOf).find((some) => some !== null) ?? null) : null
  }

  return {
    mayMatch: ofRule(rule, ['inside', 'has', 'precedes', 'follows']),
    mayMatchIn: ofRule(rule, ['has']),
    ownKinds: ownKindsOf(rule),
    kinds: [...kinds],
    walksFrom: startsOfWalks(rule),
  }
}

/** Null where it matches nodes of any kind. */
function kindOf({ kind, isNamed, pattern }: PatternNode): string | null {
  return isNamed && kind !== 'ERROR' && pattern !== 'metaVar' ? kind : null
}

function patternFields(pattern: unknown): Record<string, unknown> {
  return typeof pattern === 'string' ? { context: pattern } : fieldsOf(pattern)
}

/** `rule`: a node of a matcher, its constraints or its helpers. */
export function startsOfWalks(rule: unknown): Start[] {
  if (Array.isArray(rule)) return rule.flatMap(startsOfWalks)
  const fields = fieldsOf(rule)
  const isWalk = [fields.precedes, fields.follows].some((one) => {
    const { stopBy = 'neighbor' } = fieldsOf(one)
    return one !== undefined && stopBy !== 'neighbor'
  })
  const { kind } = fields
  const own: Start = typeof kind === 'string' && /^\w+$/.test(kind) ? { kind } : { pattern: '$_' }
  return [...(isWalk ? [own] : []), ...Object.values(fields).flatMap(startsOfWalks)]
}

/**
 * How many steps the engine takes for walks from these nodes: each walk may reach all siblings, and each of its steps counts
 * them from the first one again. Not counted on beyond `most`.
 */
export function stepsOfWalks(root: SgNode, starts: readonly Start[], most: number): number {
  let steps = 0
  for (const start of starts) {
    const siblings = new Map<number, number>()
    for (const node of root.findAll({ rule: start })) {
      const parent = steps > most ? undefined : node.parent()
      node.free()
      if (!parent) continue
      const id = parent.id()
      const count = siblings.get(id) ?? countChildren(parent)
      parent.free()
      siblings.set(id, count)
      steps += count ** 2
    }
  }
  return steps
}

function countChildren(parent: SgNode): number {
  const children = parent.children()
  for (const child of children) child.free()
  return children.length
}

function every(needs: readonly Need[]): Need {
  return (facts) => needs.every((need) => need(facts))
}

function some(needs: readonly Need[]): Need {
  return (facts) => needs.some((need) => need(facts))
}

/** What a match must contain as it is: names and literals, and tokens unless the engine may skip them. Comments it may. */
function leavesOf({ kind, isNamed, text, pattern, children }: PatternNode, withTokens: boolean): string[] {
  if (kind.includes('comment')) return []
  if (pattern === 'terminal') return text && (isNamed || (withTokens && !separators.has(text))) ? [text] : []
  return children.flatMap((child) => leavesOf(child, withTokens))
}

const halvesOfArrow: ReadonlySet<string> = new Set(['=', '>'])

/** One may stand for the other. */
const separators: ReadonlySet<string> = new Set([',', ';'])

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function wordOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
