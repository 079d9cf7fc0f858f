/** Two arguments of a call change places. */
import type { Operator } from '../contract.ts'
import { atNewLines } from '../sources.ts'

const definition = /\b(?:function|def|func|fn|class|interface)\b/
const call = /\b(\w+)\((\w+), (\w+)(, [^()]*)?\)/

export const swapArguments: Operator = {
  name: 'swap-arguments',
  category: 'correctness',
  severity: 'high',
  context: 'repo',
  mutate: (ground) =>
    atNewLines(
      ground,
      (line) => {
        const [, name = '', first = '', second = ''] = call.exec(line) ?? []
        if (name === '' || definition.test(line) || first === second || /^\d/.test(first + second))
          return null
        return line.replace(call, (_all, callee, a, b, rest) => `${callee}(${b}, ${a}${rest ?? ''})`)
      },
      (line) => `The arguments of the call in \`${line}\` stand in the wrong order.`,
    ),
}
