/** Names with more definitions than anybody compares: nothing is certain of them, and the coverage says so. */
import { expect, test } from 'vitest'
import { findReferences } from '../../../src/code-index/query/references.ts'
import { factsInProcess } from '../../helpers/in-memory/facts.ts'
import { reviewTexts } from '../../helpers/in-memory/review.ts'
import { target, treeOf } from '../query/open-repo.ts'

const define = (times: number) => 'export function f(a: string) { return a }\n'.repeat(times)
const call = "export const wrong = f('a', 'b', 'c')\n"

const review = (times: number) => reviewOf({ 'src/many.ts': define(times) + call })

async function reviewOf(added: Record<string, string>) {
  const base = { 'src/other.ts': 'export const a = 1\n' }
  const { verdicts, limits } = await reviewTexts({ base, head: { ...base, ...added } }, factsInProcess())
  return { rules: verdicts.flatMap(({ finding }) => finding?.rule ?? []), limits: limits.join('\n') }
}

test('a few definitions are compared with the call', async () => {
  const { rules, limits } = await review(3)
  expect(rules).toContain('new-code/argument-count')
  expect(limits).not.toContain('were not judged')
})

test('of 200 it is not said that the call fits none, and the limit is told', async () => {
  const { rules, limits } = await review(200)
  expect(rules).not.toContain('new-code/argument-count')
  expect(limits).toContain('uses of `f`, defined 200 times or more in src/many.ts, were not judged')
})

test('wildcards and nesting that are too many are told', async () => {
  const stars = Array.from({ length: 61 }, (_, at) => `from m${at} import *\n`).join('')
  const deep = `${'class C {\n'.repeat(65)}${'}\n'.repeat(65)}`
  const { limits } = await reviewOf({
    'src/stars.py': stars,
    'src/Deep.java': deep,
    'src/Flat.java': 'class D {}\n',
  })
  expect(limits).toContain('wildcards of src/stars.py, more than 60, were not looked up')
  expect(limits).toContain('definitions in src/Deep.java that are nested deeper than 64 were not read')
  expect(limits).not.toContain('Flat')
})

/** Each module passes on all of the next two: more ways to the last of them than could ever be walked. */
const levels = Array.from({ length: 22 }, (_, level) => level)
const passedOn: [language: string, files: Record<string, string>][] = [
  [
    'TypeScript',
    Object.fromEntries(
      levels.flatMap((level) =>
        ['a', 'b'].map((side) => [
          `src/${side}${level}.ts`,
          `export * from './a${level + 1}'\nexport * from './b${level + 1}'\nexport const ${side}${level} = 1\n`,
        ]),
      ),
    ),
  ],
  [
    'Python',
    Object.fromEntries(
      levels.flatMap((level) =>
        ['a', 'b'].map((side) => [
          `kit/${side}${level}.py`,
          `from .a${level + 1} import *\nfrom .b${level + 1} import *\n${side}${level} = 1\n`,
        ]),
      ),
    ),
  ],
  [
    'Rust',
    {
      'Cargo.toml': '[package]\nname = "kit"\nversion = "0.1.0"\n',
      'src/lib.rs': [
        'pub mod user;\n',
        ...[...levels, 22].map((at) => `pub mod a${at};\npub mod b${at};\n`),
      ].join(''),
      ...Object.fromEntries(
        levels.flatMap((level) =>
          ['a', 'b'].map((side) => [
            `src/${side}${level}.rs`,
            `pub use crate::a${level + 1}::*;\npub use crate::b${level + 1}::*;\npub fn ${side}${level}() {}\n`,
          ]),
        ),
      ),
    },
  ],
]

const ends: Record<string, Record<string, string>> = {
  TypeScript: { 'src/a22.ts': 'export const last = 1\n', 'src/b22.ts': 'export const end = 1\n' },
  Python: { 'kit/__init__.py': '', 'kit/a22.py': 'last = 1\n', 'kit/b22.py': 'end = 1\n' },
  Rust: { 'src/a22.rs': 'pub fn last() {}\n', 'src/b22.rs': 'pub fn end() {}\n' },
}

const uses: Record<string, Record<string, string>> = {
  TypeScript: { 'src/use.ts': "import { last, gone } from './a0'\n\nlast(gone)\n" },
  Python: { 'kit/use.py': 'from .a0 import last, gone\n\nlast(gone)\n' },
  Rust: { 'src/user.rs': 'use crate::a0::last;\n\nfn f() {\n    last();\n}\n' },
}

test.each(passedOn)(
  'what modules of %s pass on in more ways than can be walked stays open, which is told',
  async (language, files) => {
    const base = { ...files, ...ends[language] }
    const head = { ...base, ...uses[language] }
    // A use that is new, and one of which the definition goes.
    const sides = language === 'Rust' ? { base: head, head: { ...head, 'src/a22.rs': '' } } : { base, head }
    const { verdicts, limits } = await reviewTexts(sides, factsInProcess())
    expect(verdicts).toEqual([])
    const told = limits.filter((limit) => limit.includes('more places than the 1000 that were looked up'))
    expect(told.join('\n')).toMatch(/`(?:gone|last)` of \S+ may come from/)
  },
)

test.each<[language: string, path: string, text: string]>([
  [
    'C#',
    'Door.cs',
    'using static Shop.Door;\n\nnamespace Shop {\n  public class Door : Fixture {\n    public static int Open() => 1;\n    int Twice() => Open();\n  }\n}\n',
  ],
  [
    'Java',
    'shop/Door.java',
    'package shop;\n\nimport static shop.Door.*;\n\npublic class Door extends Fixture {\n  static int open() { return 1; }\n  int twice() { return open(); }\n}\n',
  ],
  [
    'Kotlin',
    'shop/Door.kt',
    'package shop\n\nimport shop.Door.*\n\nclass Door : Fixture() {\n  fun open() = 1\n  fun twice() = open()\n}\n',
  ],
])('%s: a base that is looked for among the members of its own type', async (_, path, text) => {
  const tree = await treeOf({ [path]: text })
  const line = text.split('\n').findIndex((one) => /[Oo]pen\(\)(?: =| \{)/.test(one)) + 1
  const { references } = await findReferences(tree, await target(tree, `${path}:${line}`))
  expect(references.map((one) => one.line)).toEqual([line + 1])
})
