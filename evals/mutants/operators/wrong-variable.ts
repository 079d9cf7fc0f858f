/** A value is held to itself, since the wrong name was typed. */
import type { Operator } from '../contract.ts'
import { atNewLines } from '../sources.ts'

const comparison = /\b([a-z]\w*(?:\.\w+)*) (===?|!==?|[<>]=?|-) ([a-z]\w*(?:\.\w+)*)\b(?!\()/i

export const wrongVariable: Operator = {
  name: 'wrong-variable',
  category: 'correctness',
  severity: 'high',
  context: 'diff',
  mutate: (ground) =>
    atNewLines(
      ground,
      (line) => {
        const [all = '', left = '', sign = '', right = ''] = comparison.exec(line) ?? []
        if (all === '' || left === right || /^(?:null|undefined|nil|None|true|false)$/.test(right))
          return null
        return line.replace(all, `${left} ${sign} ${left}`)
      },
      (line) => `\`${line}\` was meant; the same name stands on both sides now.`,
    ),
}
