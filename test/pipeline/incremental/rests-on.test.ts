/** What an answer about a file rests on: which files are asked about again after which push. */
import { expect, test } from 'vitest'
import { defaultConfig } from '../../../src/config/schema.ts'
import { freezeContext } from '../../../src/pipeline/freeze-context.ts'
import { whatItRestsOn } from '../../../src/pipeline/incremental/rests-on.ts'
import { type Changed, readChange, type Texts } from '../../helpers/in-memory/change.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

async function restsOn(before: Texts, changed: Changed) {
  const { change, set } = await readChange(before, changed)
  const config = { ...defaultConfig, review: { ...defaultConfig.review, depth: 'quick' as const } }
  const parts = { config, facts: sharedFacts(), signal: new AbortController().signal }
  const context = await freezeContext(change, set, parts)
  const rests = await whatItRestsOn({
    ...parts,
    context,
    candidates: [],
    head: change.head,
    asked: 'the same',
  })
  if (!rests) throw new Error('the symbols were not compared')
  return rests
}

/** Files for which the second push makes another answer possible; `base` when that is everything. */
async function askedAgain(
  before: Texts,
  first: Texts,
  second: Texts,
  rebased: Texts = {},
): Promise<string[]> {
  const one = await restsOn(before, first)
  const two = await restsOn({ ...before, ...rebased }, { ...first, ...second })
  if (one.basis !== two.basis) return ['everything']
  return Object.keys(two.files)
    .filter((path) => one.files[path] !== two.files[path])
    .sort()
}

const before: Texts = {
  'src/price.ts': 'export function price(n: number): number {\n  return n\n}\n',
  'src/shape.ts':
    'export interface Shape {\n  width: number\n}\n\nexport class Base {\n  run(): number {\n    return 1\n  }\n}\n',
  'src/index.ts': "export { price } from './price.ts'\n",
  'src/cart.ts': "import { price } from './index.ts'\n\nexport const total = (n: number) => n\n",
  'src/square.ts': "import { Base, type Shape } from './shape.ts'\n\nexport class Square extends Base {}\n",
  'src/alone.ts': 'export const alone = 1\n',
}
const first: Texts = {
  'src/cart.ts': "import { price } from './index.ts'\n\nexport const total = (n: number) => price(n)\n",
  'src/square.ts':
    "import { Base, type Shape } from './shape.ts'\n\nexport class Square extends Base implements Shape {\n  width = 2\n}\n",
  'src/alone.ts': 'export const alone = 2\n',
}
const all = ['src/alone.ts', 'src/cart.ts', 'src/square.ts']

test.each<[string, Texts, string[], Texts?]>([
  ['nothing', {}, []],
  ['another file that nobody uses', { 'src/new.ts': 'export const fresh = 1\n' }, ['src/new.ts']],
  [
    'what a file calls',
    { 'src/price.ts': 'export function price(n: number): number {\n  return n * 2\n}\n' },
    ['src/cart.ts', 'src/price.ts'],
  ],
  [
    'the type that a file uses',
    { 'src/shape.ts': `${before['src/shape.ts']}`.replace('width: number', 'width: string') },
    ['src/shape.ts', 'src/square.ts'],
  ],
  [
    'a member of the type that a file extends',
    { 'src/shape.ts': `${before['src/shape.ts']}`.replace('return 1', 'return 2') },
    ['src/shape.ts', 'src/square.ts'],
  ],
  [
    'what a module that a file imports passes on',
    { 'src/index.ts': "export { price } from './other.ts'\n" },
    ['src/cart.ts', 'src/index.ts'],
  ],
  [
    'a new use of what a file defines',
    { 'src/user.ts': "import { total } from './cart.ts'\n\nexport const sum = total(3)\n" },
    ['src/cart.ts', 'src/user.ts'],
  ],
  ['the configuration above', { 'tsconfig.json': '{ "strict": true }\n' }, [...all, 'tsconfig.json']],
  ['the configuration of another folder', { 'docs/tsconfig.json': '{}\n' }, ['docs/tsconfig.json']],
  ['the code around a hunk', { 'src/alone.ts': 'export const alone = 2\nconst x = 3\n' }, ['src/alone.ts']],
  ['the base', {}, ['everything'], { 'src/price.ts': 'export function price(): string {\n  return ""\n}\n' }],
])('after a push that changes %s', async (_, second, expected, rebased) => {
  expect(await askedAgain(before, first, second, rebased)).toEqual(expected)
})

test('in a language without imports of names, and in one without a grammar', async () => {
  const go = { 'a.go': 'package p\n\nfunc Price(n int) int {\n\treturn n\n}\n', 'b.go': 'package p\n' }
  const uses = { 'b.go': 'package p\n\nfunc Total(n int) int {\n\treturn Price(n)\n}\n' }
  const dearer = { 'a.go': `${go['a.go']}`.replace('return n', 'return n * 2') }
  expect(await askedAgain(go, uses, dearer)).toEqual(['a.go', 'b.go'])

  const page = { 'page.tmpl': '<p>{{ priceOf . }}</p>\n' }
  const helper = { 'price.ts': 'export function priceOf(n: number): number {\n  return n\n}\n' }
  const changed = { 'price.ts': `${helper['price.ts']}`.replace('return n', 'return n * 2') }
  expect(await askedAgain({ 'x.txt': 'x\n' }, { ...page, ...helper }, changed)).toEqual([
    'page.tmpl',
    'price.ts',
  ])
})

test('a definition in a language without a grammar, and whatever names it', async () => {
  const library =
    'library Fees {\n  function feeOf(uint n) internal returns (uint) {\n    return n;\n  }\n}\n'
  const files: Texts = {
    'src/Fees.sol': library,
    'src/Shop.sol': 'contract Shop {\n  function pay(uint n) public {\n    Fees.feeOf(n);\n  }\n}\n',
    'src/Other.sol': 'contract Other {\n  function stop() public {}\n}\n',
    'notes.md': 'The function pay is new.\n',
  }
  const changed = { 'src/Fees.sol': library.replace('return n', 'return n * 2') }
  expect(await askedAgain({ 'x.txt': 'x\n' }, files, changed)).toEqual(['src/Fees.sol', 'src/Shop.sol'])
})
