/** A second look: what the index leaves open is decided, what the contract plane claims is confirmed or refuted. */
import { expect, test } from 'vitest'
import { needs } from '../../../helpers/needs/needs.ts'
import { openDesk } from './open-desk.ts'

const plane = (rule: string) => ({ rule: `contract/${rule}` })
const config = { 'tsconfig.json': '{}' }

test('undefined: a name that the index does not know, and one that it cannot know', async () => {
  const { judge } = await openDesk(
    { ...config, 'a.ts': 'export const a = 1\n' },
    {
      'a.ts': 'export const a = parseInt(notThere)\nexport const b = helpful()\n',
      'g.d.ts': 'declare function helpful(): number\n',
    },
  )
  const claim = (name: string, line: number) => ({ kind: 'undefined', name, path: 'a.ts', line }) as const
  // The packages that bring `performance` or `describe` are not laid out, so that this may be such a name.
  expect(await judge(claim('notThere', 1))).toContain('it may be a global')
  expect(await judge(claim('parseInt', 1))).toBe(
    'refuted: typescript 7.0.2 finds `parseInt` defined in a place outside the repository',
  )
  expect(await judge(claim('helpful', 2))).toBe(
    'refuted: typescript 7.0.2 finds `helpful` defined in `g.d.ts:1`',
  )
})

test('undefined: what an import names is not defined by being imported', async () => {
  const file = (name: string) =>
    `package app;\n\nimport app.kinds.${name};\nimport java.util.List;\n\nclass Use {\n  ${name} kind;\n  List<String> all;\n  int size = Sizes.LARGE;\n}\n`
  const { judge } = await openDesk(
    {
      'src/main/java/app/kinds/Cascade.java': 'package app.kinds;\n\npublic class Cascade {\n}\n',
      'src/main/java/app/kinds/Plain.java': 'package app.kinds;\n\npublic class Plain {\n}\n',
      'src/main/java/app/Sizes.java': 'package app;\n\nclass Sizes {\n  static final int SMALL = 1;\n}\n',
      'src/main/java/app/Use.java': file('Plain'),
    },
    { 'src/main/java/app/kinds/Cascade.java': null, 'src/main/java/app/Use.java': file('Cascade') },
  )
  const at = (name: string, line: number) =>
    judge({ kind: 'undefined', name, path: 'src/main/java/app/Use.java', line })
  expect([await at('Cascade', 3), await at('Cascade', 7)]).toEqual(
    Array(2).fill('confirmed by the code index'),
  )
  expect(await at('List', 8)).toMatch(/^unverifiable/)
  expect(await at('LARGE', 9)).not.toMatch(/^refuted/)
})

test('undefined: an error that stood there before does not come from the change', async () => {
  const { judge } = await openDesk(
    { ...config, 'a.ts': 'export const a = notThere\n' },
    { 'a.ts': 'export const a = notThere\nexport const b = 2\n' },
  )
  expect(await judge({ kind: 'undefined', name: 'notThere', path: 'a.ts', line: 1 })).toMatch(/^unverifiable/)
})

test('not-exported: through a file that passes on everything of another', async () => {
  const { judge } = await openDesk(
    {
      ...config,
      'all.ts': "export * from './part'\n",
      'part.ts': 'export const one = 1\n',
      'use.ts': 'export {}\n',
    },
    { 'use.ts': "import { one } from './all'\nimport { two } from './all'\nexport const x = [one, two]\n" },
  )
  const claim = (name: string, line: number) =>
    ({ kind: 'not-exported', name, from: 'all.ts', path: 'use.ts', line }) as const
  // The index follows it, and is asked first.
  expect(await judge(claim('two', 2))).toBe('confirmed by the code index')
  expect(await judge(claim('one', 1))).toBe('refuted: `all.ts` passes on `one` of `part.ts`')
})

test('a plane’s caller: confirmed by index and checker; refuted where the call fits', async () => {
  const { judge } = await openDesk(
    {
      ...config,
      'load.ts': 'export function load(id: string) {\n  return id\n}\n',
      'use.ts': "import { load } from './load'\nexport const x = load('a')\nexport const y = load('a', 2)\n",
    },
    { 'load.ts': 'export function load(id: string, times: number) {\n  return id.repeat(times)\n}\n' },
  )
  const claim = (line: number) =>
    ({ kind: 'caller-not-updated', symbol: 'load', definedIn: 'load.ts', path: 'use.ts', line }) as const
  const about = plane('signature-arity')
  expect(await judge(claim(2), about)).toBe('confirmed by the code index and typescript 7.0.2')
  expect(await judge(claim(3), about)).toBe('refuted: typescript 7.0.2 finds nothing wrong with `use.ts:3`')
  // What need not fail to compile is not refuted because it compiles, and a model's word is the index's business.
  expect(await judge(claim(3), plane('override-not-updated'))).toBe('confirmed by the code index')
  expect(await judge(claim(2))).toBe('confirmed by the code index')
})

test('a plane’s caller in Python: another method of that name, a call that fails, and a type that nobody knows', async () => {
  const use = `from order import Order
from other import Other

def show(order: Order, other: Other, free):
    order.total(1)
    other.total(1)
    free.total(1)
`
  const { judge } = await openDesk(
    {
      'order.py': 'class Order:\n    def total(self, tax: int) -> int:\n        return tax\n',
      'other.py': 'class Other:\n    def total(self, tax: int) -> int:\n        return tax\n',
      'use.py': use,
    },
    { 'order.py': 'class Order:\n    def total(self) -> int:\n        return 1\n' },
  )
  const claim = (line: number) =>
    ({
      kind: 'caller-not-updated',
      symbol: 'Order.total',
      definedIn: 'order.py',
      path: 'use.py',
      line,
    }) as const
  const about = plane('signature-arity')
  expect(await judge(claim(5), about)).toMatch(/^confirmed by the code index and pyright 1\./)
  expect(await judge(claim(6), about)).toMatch(
    /^refuted: pyright 1\.\S+ takes `total` at `use.py:6` for that of `other.py:2`$/,
  )
  expect(await judge(claim(7), about)).toBe('confirmed by the code index')
})

test('a plane’s caller in Go', needs('gopls and go'), async () => {
  const { judge } = await openDesk(
    {
      'go.mod': 'module example.com/shop\n\ngo 1.18\n',
      'shop.go': 'package shop\n\nfunc Total(a int) int { return a }\n',
      'use/use.go':
        'package use\n\nimport "example.com/shop"\n\nvar a = shop.Total(1)\nvar b = shop.Total(1, 2)\n',
    },
    { 'shop.go': 'package shop\n\nfunc Total(a, b int) int { return a + b }\n' },
  )
  const claim = (line: number) =>
    ({ kind: 'caller-not-updated', symbol: 'Total', definedIn: 'shop.go', path: 'use/use.go', line }) as const
  const about = plane('signature-arity')
  expect(await judge(claim(5), about)).toMatch(/^confirmed by the code index and gopls/)
  expect(await judge(claim(6), about)).toMatch(/^refuted: gopls.* finds nothing wrong with `use\/use.go:6`/)
})

test('unused: a file that the index cannot read uses it; that a checker finds no use proves nothing', async () => {
  const { judge } = await openDesk(
    {
      ...config,
      'one.ts': 'export const zero = 0\n',
      'use.ts': "import { one } from './one'\nexport const x = one // two\n",
    },
    { 'one.ts': 'export const one = 1\nexport const two = 2\n' },
    { unparsed: ['use.ts'] },
  )
  const claim = (name: string, line: number) => ({ kind: 'unused', name, path: 'one.ts', line }) as const
  expect(await judge(claim('one', 1))).toBe('refuted: typescript 7.0.2 finds it used at `use.ts:1`')
  expect(await judge(claim('two', 2))).toBe('unverifiable: `use.ts` mentions `two` and is not parsed')
})

test('new code: the checker is the second witness of an import and of a call, too many arguments among them', async () => {
  const { judge } = await openDesk(
    { ...config, 'load.ts': 'export function load(id: string) {\n  return id\n}\n', 'use.ts': 'export {}\n' },
    {
      'use.ts':
        "import { load, missing } from './load'\nexport const x = load()\nexport const y = load('a', 'b')\nexport const z = [load('a'), missing]\n",
    },
  )
  const rule = (name: string) => ({ rule: `new-code/${name}` })
  const both = 'confirmed by the code index and typescript 7.0.2'
  const call = (line: number) => ({ kind: 'call-mismatch', name: 'load', path: 'use.ts', line }) as const
  expect(await judge(call(2), rule('argument-count'))).toBe(both)
  expect(await judge(call(3), rule('argument-count'))).toBe(both)
  expect(
    await judge(
      { kind: 'not-exported', name: 'missing', from: 'load.ts', path: 'use.ts', line: 1 },
      rule('unknown-export'),
    ),
  ).toBe(both)
})
