/**
 * Searches as a backtracking engine does and counts its steps, so that a test can say how the work grows without a clock.
 * Look-behind and back-references are answered by the real engine and count as one step.
 */

import type { AST } from '@eslint-community/regexpp'
import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'

/** Steps of one search through the whole text, from each place as far as it can fail; infinite beyond a million. */
export type StepCounter = (text: string) => number

type Next = (at: number) => boolean
type Matcher = (at: number, next: Next) => boolean

const mostSteps = 1_000_000

class TooManySteps extends Error {}

/** Bounded repeats cost their bound and no more; cut short, they do not look like growth. */
const longestBounded = 8

export function readPattern(source: string, flags: string): AST.Pattern {
  const parser = new RegExpParser({ ecmaVersion: 2025 })
  return parser.parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })
}

export function stepCounter(pattern: AST.Pattern, flags: string): StepCounter {
  let text = ''
  let steps = 0
  const step = () => {
    if (++steps > mostSteps) throw new TooManySteps()
  }
  const own = flags.replace(/[gy]/g, '')
  const classOf = characterClasses(own)

  const either = (alternatives: readonly AST.Alternative[]): Matcher => {
    const all = alternatives.map(({ elements }) => sequence(elements.map(one)))
    return (at, next) => all.some((matcher) => matcher(at, next))
  }
  const sequence = (parts: readonly Matcher[]): Matcher =>
    parts.reduceRight<Matcher>(
      (rest, part) => (at, next) => part(at, (end) => rest(end, next)),
      (at, next) => next(at),
    )
  const repeat = ({ element, min, max, greedy }: AST.Quantifier): Matcher => {
    const matcher = one(element)
    const most = max === Number.POSITIVE_INFINITY ? max : Math.min(max, longestBounded)
    const least = Math.min(min, most)
    const from = (count: number, at: number, next: Next): boolean => {
      const more = () =>
        count < most && matcher(at, (end) => (end > at || count < least) && from(count + 1, end, next))
      const enough = () => count >= least && next(at)
      return greedy ? more() || enough() : enough() || more()
    }
    return (at, next) => from(0, at, next)
  }
  const askEngine = (raw: string): Matcher => {
    const real = new RegExp(raw, `${own}y`)
    return (at, next) => {
      step()
      real.lastIndex = at
      return real.test(text) && next(at)
    }
  }
  const one = (node: AST.Element): Matcher => {
    switch (node.type) {
      case 'Group':
      case 'CapturingGroup':
        return either(node.alternatives)
      case 'Quantifier':
        return repeat(node)
      case 'Backreference':
        return (at, next) => next(at)
      case 'Assertion': {
        if (node.kind !== 'lookahead') return askEngine(node.raw)
        const ahead = either(node.alternatives)
        return (at, next) => ahead(at, () => true) !== node.negate && next(at)
      }
      default: {
        const isOf = classOf(node.raw)
        return (at, next) => {
          step()
          return at < text.length && isOf(text.charCodeAt(at)) && next(at + 1)
        }
      }
    }
  }

  const whole = either(pattern.alternatives)
  const startsOnce =
    !flags.includes('m') && pattern.alternatives.every(({ elements: [first] }) => isStart(first))
  return (given) => {
    text = given
    steps = 0
    try {
      search()
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error
      return Number.POSITIVE_INFINITY
    }
    return steps
  }

  function search(): void {
    let from = 0
    while (from <= text.length) {
      let end: number | null = null
      whole(from, (at) => {
        end = at
        return true
      })
      if (startsOnce || (end !== null && !flags.includes('g'))) break
      from = Math.max(from + 1, end ?? 0)
    }
  }
}

function isStart(node: AST.Element | undefined): boolean {
  return node?.type === 'Assertion' && node.kind === 'start'
}

/** Whether a unit of text is of a class as it is written, with the flags of the pattern. */
function characterClasses(flags: string): (raw: string) => (unit: number) => boolean {
  const known = new Map<string, (unit: number) => boolean>()
  return (raw) => {
    const test = known.get(raw) ?? characterTest(new RegExp(`^(?:${raw})$`, flags.replace('m', '')))
    known.set(raw, test)
    return test
  }
}

function characterTest(pattern: RegExp): (unit: number) => boolean {
  const known: boolean[] = []
  return (unit) => {
    known[unit] ??= pattern.test(String.fromCharCode(unit))
    return known[unit]
  }
}

/** Repeats without a bound, wherever they stand. */
export function unboundedRepeats(pattern: AST.Pattern): AST.Quantifier[] {
  const found: AST.Quantifier[] = []
  visitRegExpAST(pattern, {
    onQuantifierEnter: (node) => {
      if (node.max === Number.POSITIVE_INFINITY) found.push(node)
    },
  })
  return found
}
