/**
 * Small changes of one line of code that give it another meaning in most languages: faults that evaluations plant, and that
 * the tests of a project should notice.
 */

/** Each returns the changed line, or null where the line has nothing of the kind. */
export const lineMutations = {
  /** A condition says the opposite. */
  'negated-condition': (line: string): string | null => {
    const turn = turns.find(([pattern]) => pattern.test(line))
    return turn ? line.replace(turn[0], turn[1]) : null
  },
  /** A bound is one too far, or one too near. */
  'off-by-one': (line: string): string | null => {
    if (/ [<>]=? /.test(line))
      return line.replace(/ ([<>]=?) /, (_all, sign: string) => ` ${otherBound[sign] ?? sign} `)
    return / [+-] 1\b/.test(line) ? line.replace(/ [+-] 1\b/, '') : null
  },
  /** Another operator than was meant. Not where the sign may be part of a text or a type. */
  'wrong-operator': (line: string): string | null =>
    /['"`]|^\s*(?:pub )?fn |^use |^from |^import /.test(line) || !operator.test(line)
      ? null
      : line.replace(operator, (_all, sign: string) => ` ${otherOperator[sign] ?? sign} `),
  /** A fixed number is ten times what it should be. */
  'wrong-constant': (line: string): string | null => {
    const [, before = '', digits = ''] = constant.exec(line) ?? []
    return digits === '' || digits === '0' ? null : line.replace(constant, `${before}${Number(digits) * 10}`)
  },
  /** Two arguments of a call change places. */
  'swap-arguments': (line: string): string | null => {
    const [, name = '', first = '', second = ''] = call.exec(line) ?? []
    if (name === '' || definition.test(line) || first === second || /^\d/.test(first + second)) return null
    return line.replace(
      call,
      (_all, callee: string, a: string, b: string, rest?: string) => `${callee}(${b}, ${a}${rest ?? ''})`,
    )
  },
  /** Work is begun and not waited for. */
  'missing-await': (line: string): string | null =>
    /\bawait /.test(line) ? line.replace(/\bawait /, '') : null,
} as const

export type LineMutation = keyof typeof lineMutations

const turns: readonly (readonly [RegExp, string])[] = [
  [/ === /, ' !== '],
  [/ !== /, ' === '],
  [/ == /, ' != '],
  [/ != /, ' == '],
  [/ is not None/, ' is None'],
  [/ is None/, ' is not None'],
  [/\bif not (?=\w+:)/, 'if '],
  [/\bif \(!/, 'if ('],
  [/\bif !(?=\w)/, 'if '],
]

const otherBound: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }

const otherOperator: Readonly<Record<string, string>> = {
  '&&': '||',
  '||': '&&',
  and: 'or',
  or: 'and',
  '*': '/',
  '+=': '-=',
  '-=': '+=',
  '-': '+',
}

const operator = / (&&|\|\||and|or|\*|\+=|-=|-) (?=[\w(])/

const constant = /^(\s*(?:(?:export |private |public |static |final |int |const )*)[A-Za-z_]+\s*=\s*)(\d+)\b/

const definition = /\b(?:function|def|func|fn|class|interface)\b/
const call = /\b(\w+)\((\w+), (\w+)(, [^()]*)?\)/

/** A line that only explains. */
export function isCommentLine(line: string): boolean {
  return /^\s*(?:\/\/|#|\*|\/\*|""")/.test(line)
}
