/**
 * What a text must contain for a rule to match in it: words, and kinds of nodes. The engine compiles every rule again for
 * each text, which costs far more than to parse a small text, so only rules that may match are asked.
 */
import type * as AstGrep from '@ast-grep/wasm'

/** `kinds`: those nodes of the text that some rule needs; null if unknown. */
export type Facts = { text: string; kinds: ReadonlySet<string> | null }

/** False only if no node of the text can match. */
type Need = (facts: Facts) => boolean

export type Needs = {
  mayMatch: Need
  /** Kinds of nodes that `mayMatch` asks for. */
  kinds: readonly string[]
}

/** A node of a pattern, as the engine prints it. */
type PatternNode = {
  kind: string
  isNamed: boolean
  text?: string
  pattern: 'metaVar' | 'terminal' | 'internal'
  children: readonly PatternNode[]
}

const always: Need = () => true

/** `rule`: a node of a rule that the engine accepted. What it does not understand asks for nothing. */
export function needsOf(engine: Pick<typeof AstGrep, 'dumpPattern'>, language: string, rule: unknown): Needs {
  const kinds = new Set<string>()

  const ofKind = (kind: string): Need => {
    // Anything else is a selector of several nodes.
    if (!/^\w+$/.test(kind)) return always
    kinds.add(kind)
    return (facts) => facts.kinds === null || facts.kinds.has(kind)
  }

  const ofPattern = (pattern: unknown): Need => {
    const { context, selector, strictness } =
      typeof pattern === 'string' ? { context: pattern } : fieldsOf(pattern)
    if (typeof context !== 'string') return always
    const root: PatternNode = engine.dumpPattern(
      language,
      context,
      wordOrNull(selector),
      wordOrNull(strictness),
    )
    const needs = [
      root.isNamed && root.kind !== 'ERROR' && root.pattern !== 'metaVar' ? ofKind(root.kind) : always,
    ]
    // With this strictness the engine compares kinds only.
    if (strictness !== 'signature')
      needs.push(
        ...leavesOf(root).map(
          (leaf): Need =>
            ({ text }) =>
              text.includes(leaf),
        ),
      )
    return every(needs)
  }

  const ofRule = (one: unknown): Need => {
    const { kind, pattern, all, any, inside, has, precedes, follows } = fieldsOf(one)
    const needs: Need[] = []
    if (typeof kind === 'string') needs.push(ofKind(kind))
    if (pattern !== undefined) needs.push(ofPattern(pattern))
    if (Array.isArray(all)) needs.push(...all.map(ofRule))
    if (Array.isArray(any)) needs.push(some(any.map(ofRule)))
    for (const related of [inside, has, precedes, follows])
      if (related !== undefined) needs.push(ofRule(related))
    return every(needs)
  }

  return { mayMatch: ofRule(rule), kinds: [...kinds] }
}

function every(needs: readonly Need[]): Need {
  return (facts) => needs.every((need) => need(facts))
}

function some(needs: readonly Need[]): Need {
  return (facts) => needs.some((need) => need(facts))
}

/** Names and literals that a match must contain as they are. Tokens of the grammar and comments may be skipped. */
function leavesOf({ kind, isNamed, text, pattern, children }: PatternNode): string[] {
  if (kind.includes('comment')) return []
  if (pattern === 'terminal') return isNamed && text ? [text] : []
  return children.flatMap(leavesOf)
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function wordOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
