/** A fixed number is ten times what it should be. */
import type { Operator } from '../contract.ts'
import { atNewLines } from '../sources.ts'

const constant = /^(\s*(?:(?:export |private |public |static |final |int |const )*)[A-Za-z_]+\s*=\s*)(\d+)\b/

export const wrongConstant: Operator = {
  name: 'wrong-constant',
  category: 'correctness',
  severity: 'medium',
  context: 'repo',
  mutate: (ground) =>
    atNewLines(
      ground,
      (line) => {
        const [, before = '', digits = ''] = constant.exec(line) ?? []
        return digits === '' || digits === '0'
          ? null
          : line.replace(constant, `${before}${Number(digits) * 10}`)
      },
      (line) => `The number of \`${line}\` is ten times as large as it was meant to be.`,
    ),
}
