/** Another operator than was meant. */
import type { Operator } from '../contract.ts'
import { atNewLines } from '../sources.ts'

const other: Readonly<Record<string, string>> = {
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

export const wrongOperator: Operator = {
  name: 'wrong-operator',
  category: 'correctness',
  severity: 'high',
  context: 'diff',
  mutate: (ground) =>
    atNewLines(
      ground,
      (line) =>
        /['"`]|^\s*(?:pub )?fn |^use |^from |^import /.test(line) || !operator.test(line)
          ? null
          : line.replace(operator, (_all, sign) => ` ${other[sign] ?? sign} `),
      (line) =>
        `\`${line}\` should have been written; another operator stands there and gives another value.`,
    ),
}
