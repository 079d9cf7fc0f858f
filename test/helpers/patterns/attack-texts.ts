/** Texts that make a pattern start over as often as it can: what its repeats take, again and again, and then an end that fits nothing. */
import { type AST, visitRegExpAST } from '@eslint-community/regexpp'
import { unboundedRepeats } from './count-steps.ts'

export type Attack = { start: string; again: string; end: string }

/** Where two neighbouring parts of a pattern both take a character, it is most likely one of these. */
const likely = [
  ' ',
  '\t',
  '\n',
  '\r',
  'a',
  'A',
  '0',
  '_',
  '.',
  '/',
  '-',
  '<',
  '"',
  '\\',
  ',',
  ':',
  '=',
  '(',
  '#',
  '*',
  '[',
]
const printable = Array.from({ length: 0x3000 - 33 }, (_, at) => String.fromCharCode(33 + at))
const ends = ['', '\n', '\u0000!']

/** For the repeats of a pattern that have no bound, each attack once; `flags` are those of the pattern. */
export function attacksOn(pattern: AST.Pattern, flags: string): Attack[] {
  const repeats = unboundedRepeats(pattern)
  if (repeats.length === 0) return []
  const wishes = unlike(pattern, flags)
  return [...new Map(repeats.flatMap((repeat) => [...attacksOf(repeat, wishes, flags)])).values()]
}

/** Of the likely characters one of each kind: those that are of the same classes of the pattern are the same to it. */
function unlike(pattern: AST.Pattern, flags: string): string[] {
  const raws = new Set(['\\w', '[\\n\\r]'])
  const add = ({
    raw,
    parent,
  }: AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass) => {
    if (parent.type === 'Alternative' || parent.type === 'Quantifier') raws.add(raw)
  }
  visitRegExpAST(pattern, {
    onCharacterEnter: add,
    onCharacterSetEnter: add,
    onCharacterClassEnter: add,
    onExpressionCharacterClassEnter: add,
  })
  const classes = [...raws].map((raw) => new RegExp(`^(?:${raw})$`, flags.replace(/[gym]/g, '')))
  const kinds = new Map<string, string>()
  for (const one of likely) {
    const kind = classes.map((of) => (of.test(one) ? 1 : 0)).join('')
    if (!kinds.has(kind)) kinds.set(kind, one)
  }
  return [...kinds.values()]
}

function attacksOf(repeat: AST.Quantifier, wishes: readonly string[], flags: string): Map<string, Attack> {
  const sampler = samplers.get(flags) ?? samplesOf(flags)
  samplers.set(flags, sampler)
  const found = new Map<string, Attack>()
  for (const [wish, again] of wishes.flatMap((one) =>
    sampler.each(repeat.element, one).map((text) => [one, text] as const),
  )) {
    const before = sampler.before(repeat, wish)
    for (const [start, word] of [
      ['', again],
      [before, again],
      ['', before + again],
      [before, again + sampler.after(repeat, wish)],
    ] as const)
      for (const end of ends)
        if (word !== '') found.set(`${start} ${word} ${end}`, { start, again: word, end })
  }
  return found
}

export function attackText({ start, again, end }: Attack, times: number): string {
  return start + again.repeat(times) + end
}

const samplers = new Map<string, ReturnType<typeof samplesOf>>()

/** Short texts that a part of a pattern matches; `wish` is taken wherever it fits. */
function samplesOf(flags: string) {
  const plain = flags.replace(/[gym]/g, '')
  const known = new Map<string, string>()
  const character = (raw: string, wish: string): string => {
    const key = `${raw} ${wish}`
    const sample =
      known.get(key) ?? firstFitting(new RegExp(`^(?:${raw})$`, plain), [[wish], likely, printable])
    known.set(key, sample)
    return sample
  }
  const sequence = (elements: readonly AST.Element[], wish: string): string =>
    elements.map((element) => of(element, wish)).join('')
  const of = (node: AST.Element, wish: string): string => {
    switch (node.type) {
      case 'Group':
      case 'CapturingGroup': {
        const all = node.alternatives.map(({ elements }) => sequence(elements, wish))
        return all.find((text) => text !== '' && text === wish) ?? all.find((text) => text !== '') ?? ''
      }
      case 'Quantifier':
        return of(node.element, wish).repeat(Math.min(node.min, 400))
      case 'Assertion':
      case 'Backreference':
        return ''
      default:
        return character(node.raw, wish)
    }
  }
  return {
    /** One for each way that a group has. */
    each: (node: AST.Element, wish: string) =>
      node.type === 'Group' || node.type === 'CapturingGroup'
        ? node.alternatives.map(({ elements }) => sequence(elements, wish))
        : [of(node, wish)],
    /** All that comes before a part, from the start of the pattern. */
    before: (node: AST.Element, wish: string) => beside(node, -1, (elements) => sequence(elements, wish)),
    after: (node: AST.Element, wish: string) => beside(node, 1, (elements) => sequence(elements, wish)),
  }
}

function beside(node: AST.Element, side: -1 | 1, read: (elements: readonly AST.Element[]) => string): string {
  let text = ''
  let at: AST.Node | null = node
  while (at) {
    const above: AST.Node | null = at.parent
    if (above?.type === 'Alternative') {
      const index = above.elements.findIndex(({ start }) => start === at?.start)
      const part = read(side < 0 ? above.elements.slice(0, index) : above.elements.slice(index + 1))
      text = side < 0 ? part + text : text + part
    }
    at = above
  }
  return text
}

function firstFitting(wanted: RegExp, lists: readonly (readonly string[])[]): string {
  for (const list of lists) {
    const found = list.find((text) => wanted.test(text))
    if (found !== undefined) return found
  }
  return ''
}
