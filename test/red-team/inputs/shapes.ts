/**
 * Code of one structure, repeated, in every language: whatever compares each of n things with each other of them takes
 * n² steps. Beside it a caller breaks in a small file, which the review has to find whatever the large one costs.
 */
import type { HostileInput } from './contract.ts'
import { type ShapeLanguage, shapeLanguages } from './shape-languages.ts'

export type Shape = {
  name: string
  language: string
  /** About `bytes` characters on the longer side. */
  make(bytes: number): Pick<HostileInput, 'base' | 'head'>
}

type Files = Record<string, string>
type Make = (language: ShapeLanguage, bytes: number) => { base?: Files; head: Files } | null

const numbers = (n: number): number[] => Array.from({ length: n }, (_, at) => at)
/** As many as fit, each written with its number. */
function filled(bytes: number, one: (n: number) => string): string {
  const many = Math.max(1, Math.floor(bytes / one(99_999).length))
  return numbers(many).map(one).join('')
}

const path = ({ ending }: ShapeLanguage, name = 'big'): string => `shapes/${name}.${ending}`
const inFile = (language: ShapeLanguage, text: string): Files => {
  const [open, close] = language.around ?? ['', '']
  return { [path(language)]: `${open}${text}${close}` }
}
const call = ({ call }: ShapeLanguage, name: string, ...values: string[]): string => call(name, values)

const makers: Record<string, Make> = {
  'one name defined and called n times': (l, bytes) => ({
    head: inFile(
      l,
      filled(bytes, () => l.define('f', ['a'], call(l, 'f', 'a'))),
    ),
  }),
  'n overloads': (l, bytes) => ({
    head: inFile(
      l,
      filled(bytes, (n) => l.define('f', [`a${n}`, 'b'].slice(0, 1 + (n % 2)), call(l, 'g', 'b'))),
    ),
  }),
  'n names, each calling the one before': (l, bytes) => ({
    head: inFile(
      l,
      filled(bytes, (n) => l.define(`f${n}`, ['a'], call(l, `f${Math.max(0, n - 1)}`, 'a'))),
    ),
  }),
  'n names, each with one parameter more than before': (l, bytes) => ({
    base: inFile(
      l,
      filled(bytes, (n) => l.define(`f${n}`, ['a'], call(l, `f${Math.max(0, n - 1)}`, 'a'))),
    ),
    head: inFile(
      l,
      filled(bytes, (n) => l.define(`f${n}`, ['a', 'b'], call(l, `f${Math.max(0, n - 1)}`, 'a'))),
    ),
  }),
  'n names, removed': (l, bytes) => ({
    base: {
      ...inFile(
        l,
        filled(bytes, (n) => l.define(`f${n}`, ['a'], call(l, 'f0', 'a'))),
      ),
      [path(l, 'more')]: l.define('more', ['a'], call(l, 'f1', 'a')),
    },
    head: inFile(l, l.define('last', ['a'], call(l, 'last', 'a'))),
  }),
  'n names, renamed': (l, bytes) => ({
    base: inFile(
      l,
      filled(bytes, (n) => l.define(`f${n}`, ['a'], call(l, 'f0', 'a'))),
    ),
    head: inFile(
      l,
      filled(bytes, (n) => l.define(`g${n}`, ['a'], call(l, 'g0', 'a'))),
    ),
  }),
  'n calls of one name': (l, bytes) => ({
    head: inFile(
      l,
      `${l.define('f', ['a', 'b'], call(l, 'f', 'a', 'b'))}${filled(bytes, (n) => l.define(`m${n % 7}`, ['a'], call(l, 'f', 'a', 'a', 'a')))}`,
    ),
  }),
  'n parameters': (l, bytes) => {
    const names = numbers(Math.floor(bytes / 20)).map((n) => `a${n}`)
    return { head: inFile(l, `${l.define('f', names, call(l, 'f', ...names))}`) }
  },
  'n imports': (l, bytes) =>
    l.imports && {
      head: inFile(
        l,
        filled(bytes, (n) => l.imports?.(`a${n}`, `m${n}`) ?? ''),
      ),
    },
  'n imports from one file, each called': (l, bytes) => {
    const { imports } = l
    if (!imports) return null
    return {
      base: {
        [path(l, 'm')]:
          (l.around?.[0] ?? '') +
          filled(bytes / 3, (n) => l.define(`a${n}`, ['a'], 'a')) +
          (l.around?.[1] ?? ''),
      },
      head: inFile(
        l,
        filled(bytes / 2, (n) => imports(`a${n}`, 'm')) +
          filled(bytes / 2, (n) => l.define(`u${n}`, ['a'], call(l, `a${n}`, 'a'))),
      ),
    }
  },
  'depth n': (l, bytes) => {
    // Deeper than any file that is parsed.
    const depth = Math.min(2_900, Math.floor(bytes / 40))
    const one = l.define(
      'deep',
      ['a'],
      `\n${l.block[0].repeat(depth)}${call(l, 'f', 'a')}\n${l.block[1].repeat(depth)}`,
    )
    return { head: inFile(l, one.repeat(Math.max(1, Math.floor(bytes / one.length)))) }
  },
  'a chain of n calls': (l, bytes) => ({
    head: inFile(
      l,
      filled(bytes, () => l.define('chained', ['a'], `a${'.b(1)'.repeat(40)}`)),
    ),
  }),
  'functions in functions': (l, bytes) => {
    const depth = 30
    const nested = (left: number): string =>
      left === 0 ? call(l, 'f', 'a') : `\n${l.define(`g${left}`, ['a'], nested(left - 1))}\n`
    const one = l.define('outer', ['a'], nested(depth))
    return { head: inFile(l, one.repeat(Math.max(1, Math.floor(bytes / one.length)))) }
  },
  'one line': (l, bytes) => ({
    // Below what counts as minified.
    head: inFile(
      l,
      `${filled(Math.min(bytes, 49_000), (n) => `${call(l, `f${n}`, 'a')}; `)}\n${filled(bytes, () => `${call(l, 'f', 'a')}\n`)}`,
    ),
  }),
  'n files': (l, bytes) => ({
    head: Object.fromEntries(
      numbers(Math.max(1, Math.min(2_000, Math.floor(bytes / 250)))).map((n) => [
        path(l, `f${n}`),
        `${l.around?.[0] ?? ''}${l.imports?.('f', `f${n - 1}`) ?? ''}${l.define('f', ['a'], call(l, 'f', 'a'))}${l.define(`f${n}`, ['a'], call(l, 'f', 'a'))}${l.around?.[1] ?? ''}`,
      ]),
    ),
  }),
  'n cases': (l, bytes) =>
    l.choice && {
      head: inFile(
        l,
        l.define('choose', ['a'], `\n${l.choice.open}${filled(bytes, l.choice.one)}${l.choice.close}`),
      ),
    },
  'n members, one more': (l, bytes) =>
    l.members && {
      base: inFile(l, `${l.members.open}${filled(bytes, l.members.one)}${l.members.close}`),
      head: inFile(
        l,
        `${l.members.open}${l.members.one(999_999)}${filled(bytes, l.members.one)}${l.members.close}`,
      ),
    },
  'n methods of one type': (l, bytes) =>
    l.type && {
      base: inFile(
        l,
        l.type(
          'Big',
          [],
          filled(bytes, (n) => member(l, `m${n}`, [])),
        ),
      ),
      head: inFile(
        l,
        l.type(
          'Big',
          [],
          filled(bytes, (n) => member(l, `m${n}`, ['a'])),
        ),
      ),
    },
  'n types, each inheriting from the one before': (l, bytes) => {
    const { type } = l
    return (
      type && {
        head: inFile(
          l,
          filled(bytes, (n) => type(`T${n}`, n === 0 ? [] : [`T${n - 1}`], '')),
        ),
      }
    )
  },
  'n types inheriting from one, which changes': (l, bytes) => {
    const { type } = l
    if (!type) return null
    const many = filled(bytes, (n) => type(`T${n}`, ['Base'], member(l, 'run', ['a'])))
    return {
      base: inFile(l, type('Base', [], member(l, 'run', ['a'])) + many),
      head: inFile(l, type('Base', [], member(l, 'run', ['a', 'b'])) + many),
    }
  },
  'n comments': (l, bytes) => {
    const mark = ['py', 'rb', 'sh'].includes(l.ending) ? '#' : '//'
    return {
      head: inFile(
        l,
        filled(bytes, (n) => `${mark} calls f${n}(a) and f of ${n}\n`),
      ),
    }
  },
  'n locals of one name': (l, bytes) => ({
    head: inFile(
      l,
      filled(bytes, (n) => l.define(`f${n}`, ['item'], call(l, 'item', 'item', 'item'))),
    ),
  }),
}

/** As a method is written inside of a type. */
function member(l: ShapeLanguage, name: string, parameters: readonly string[]): string {
  if (l.name === 'python') return `def ${name}(${['self', ...parameters].join(', ')}): pass\n    `
  const text = l.define(name, parameters, call(l, name, ...parameters))
  return text.replace(/^export function /, '').replace(/^static /, '')
}

/** A caller that breaks, in a language whose calls are judged. */
const other = {
  base: {
    'other/load.ts': 'export function load(id: string): string {\n  return id\n}\n',
    'other/use.ts': "import { load } from './load.ts'\n\nexport const first = load('a')\n",
  },
  head: {
    'other/load.ts': 'export function load(id: string, part: string): string {\n  return id + part\n}\n',
  },
}

/** What the report says of the other file. */
export const otherFinding = /load/

export const shapes: readonly Shape[] = shapeLanguages.flatMap((language) =>
  Object.entries(makers).flatMap(([name, make]) => {
    if (make(language, 1_000) === null) return []
    return [
      {
        name,
        language: language.name,
        make: (bytes: number) => {
          const { base = {}, head } = make(language, bytes) ?? { head: {} }
          return { base: { ...base, ...other.base }, head: { ...head, ...other.head } }
        },
      },
    ]
  }),
)

const megabyte = 1_000_000

/** Each with a megabyte of it, or a little less than what is not parsed any more. */
export const shapeInputs: readonly HostileInput[] = shapes.map(({ name, language, make }) => ({
  name: `${language}: ${name}`,
  get base() {
    return make(megabyte).base
  },
  get head() {
    return make(megabyte).head
  },
  says: otherFinding,
}))
