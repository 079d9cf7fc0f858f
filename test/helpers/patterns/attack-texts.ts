/** Texts that make a pattern start over as often as it can: what its repeats take, again and again, and then an end that fits nothing. */
import type { AST } from '@eslint-community/regexpp'

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

/** For one repeat of a pattern, of which `flags` are those of the whole. */
export function attacksOn(repeat: AST.Quantifier, flags: string): Attack[] {
  const sampler = samplers.get(flags) ?? samplesOf(flags)
  samplers.set(flags, sampler)
  const found = new Map<string, Attack>()
  for (const [wish, again] of likely.flatMap((one) =>
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
  return [...found.values()]
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
