/** What a file says of itself, in languages of which that is all and in some that are followed further. */
import { expect, test } from 'vitest'
import { findReferences } from '../../../src/code-index/query/references.ts'
import { doubts, edges, target, treeOf } from '../query/open-repo.ts'

async function usesOf(files: Record<string, string>, asked: string) {
  const tree = await treeOf(files)
  const answer = await findReferences(tree, await target(tree, asked))
  return { edges: edges(answer), doubts: doubts(answer) }
}

test('a function of a script is used by its name, for certain; that of another script may be another', async () => {
  const script = 'greet() {\n  echo hello\n}\n\nmain() {\n  greet\n}\n'
  const found = await usesOf({ 'run.sh': script, 'other.sh': 'greet\n' }, 'run.sh:1')
  expect(found.edges).toEqual(['run.sh:6 call same file 1 in main'])
  expect(found.doubts.join('\n')).toContain('other.sh:1')
})

test.each([
  [
    'Ruby',
    'shop.rb',
    'class Shop\n  def total\n    sum(1)\n  end\n\n  def sum(x)\n    x\n  end\nend\n\nclass Other\n  def run\n    sum(2)\n  end\nend\n',
    6,
    'shop.rb:3 call same file 1 in total',
  ],
  [
    'C#',
    'Shop.cs',
    'class Shop {\n  int Total() {\n    return Sum(1);\n  }\n  int Sum(int x) {\n    return x;\n  }\n}\nclass Other {\n  int Run() {\n    return Sum(2);\n  }\n}\n',
    5,
    'Shop.cs:3 call same file 1 in Total',
  ],
  [
    'Kotlin',
    'Shop.kt',
    'class Shop {\n  fun total(): Int {\n    return sum(1)\n  }\n  fun sum(x: Int): Int {\n    return x\n  }\n}\nclass Other {\n  fun run(): Int {\n    return sum(2)\n  }\n}\n',
    5,
    'Shop.kt:3 call same file 1 in total',
  ],
  [
    'Swift',
    'Shop.swift',
    'class Shop {\n  func total() -> Int {\n    return sum(1)\n  }\n  func sum(_ x: Int) -> Int {\n    return x\n  }\n}\nclass Other {\n  func run() -> Int {\n    return sum(2)\n  }\n}\n',
    5,
    'Shop.swift:3 call same file 0.9 in total',
  ],
  [
    'Scala',
    'Shop.scala',
    'class Shop {\n  def total(): Int = {\n    sum(1)\n  }\n  def sum(x: Int): Int = {\n    x\n  }\n}\nclass Other {\n  def run(): Int = {\n    sum(2)\n  }\n}\n',
    5,
    'Shop.scala:3 call same file 0.9 in total',
  ],
])(
  '%s: a member of the class around; the same name in another class is in doubt',
  async (_name, path, text, line, edge) => {
    const found = await usesOf({ [path]: text }, `${path}:${line}`)
    expect(found.edges).toEqual([edge])
    expect(found.doubts).toHaveLength(1)
  },
)

test('PHP: a bare call is one of a function, and a method needs its object', async () => {
  const text =
    '<?php\nclass Shop {\n  function total() {\n    return $this->sum(1) + sum(2);\n  }\n  function sum($x) {\n    return $x;\n  }\n}\nfunction sum($x) {\n  return $x;\n}\n'
  const method = await usesOf({ 'shop.php': text }, 'shop.php:6')
  const plain = await usesOf({ 'shop.php': text }, 'shop.php:10')
  expect(method.edges.filter((edge) => edge.includes('same file'))).toEqual([])
  expect(method.edges).toHaveLength(1)
  expect(plain.edges).toEqual(['shop.php:4 call same file 1 in total'])
})
