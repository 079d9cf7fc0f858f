/** A local hides a name only from where it begins, and only in its own name space: what a conclusive answer rests on. */
import { expect, test } from 'vitest'
import { findReferences } from '../../../src/code-index/query/references.ts'
import { target, treeOf } from './open-repo.ts'

/** `spare` is defined on the line. Each case has a folder and a name of its own, so that one tree holds them all. */
type Case = [what: string, file: string, text: string, line: number]

const uses: Case[] = [
  [
    'a loop of Rust',
    'a.rs',
    'fn spare() -> Vec<i32> { vec![] }\nfn f() {\n    for spare in spare() {\n        g(spare);\n    }\n}\n',
    1,
  ],
  [
    'a macro of Rust',
    'a.rs',
    'macro_rules! spare {\n    () => {};\n}\nfn f(spare: i32) -> i32 {\n    spare!();\n    spare\n}\n',
    1,
  ],
  [
    'a parameter of Go with its type',
    'a.go',
    'package a\n\ntype spare struct{}\n\nfunc f(spare spare) { g(spare) }\n',
    3,
  ],
  [
    'a receiver of Go',
    'a.go',
    'package a\n\ntype spare struct{}\n\nfunc (spare *spare) f() { g(spare) }\n',
    3,
  ],
  [
    'a result of Go',
    'a.go',
    'package a\n\ntype spare struct{}\n\nfunc f() (spare spare) {\n\treturn\n}\n',
    3,
  ],
  [
    'a default of a lambda',
    'a.py',
    'def spare(): ...\n\n\ndef f():\n    return lambda spare=spare: spare()\n',
    1,
  ],
  ['a default of Python', 'a.py', 'def spare(): ...\n\n\ndef f(spare=spare):\n    return spare()\n', 1],
  ['a comprehension', 'a.py', 'spare = [1]\n\n\ndef f():\n    return [spare for spare in spare]\n', 1],
  ['an annotation', 'a.py', 'class spare: ...\n\n\ndef f(spare: spare):\n    return spare\n', 1],
  [
    'an exception',
    'a.py',
    'class spare(Exception): ...\n\n\ndef f():\n    try:\n        g()\n    except spare as spare:\n        pass\n',
    1,
  ],
  [
    'a type of TypeScript',
    'a.ts',
    'interface spare { x: number }\nexport function f(spare: spare) { return spare.x }\n',
    1,
  ],
  [
    'a type beside a value',
    'a.ts',
    'interface spare { x: number }\nexport function f(x: unknown) {\n  const spare = 1\n  return g(x as spare, spare)\n}\n',
    1,
  ],
  [
    'a call of Kotlin',
    'a.kt',
    'private fun spare() = 1\n\nfun f(): Int {\n    val spare = 3\n    return g(spare, spare())\n}\n',
    1,
  ],
  ['a default of Kotlin', 'a.kt', 'private val spare = 1\n\nfun f(spare: Int = spare) = spare\n', 1],
  [
    'a default of Scala',
    'a.scala',
    'object A {\n  private val spare = 1\n  def f(spare: Int = spare) = spare\n}\n',
    2,
  ],
  [
    'a generator of Scala',
    'a.scala',
    'object A {\n  private val spare = List(1)\n  def f = for (spare <- spare) yield spare\n}\n',
    2,
  ],
  [
    'a default of Swift',
    'a.swift',
    'private let spare = 1\nfunc f(spare: Int = spare) -> Int { return spare }\n',
    1,
  ],
  [
    'a loop of Swift',
    'a.swift',
    'private func spare() -> [Int] { return [] }\nfunc f() { for spare in spare() { g(spare) } }\n',
    1,
  ],
  [
    'a query of C#',
    'A.cs',
    'class A {\n  private int[] spare;\n  object f() { return from spare in spare select spare; }\n}\n',
    2,
  ],
  ['a tag of C', 'a.c', 'struct spare { int x; };\nint f(struct spare *spare) { return spare->x; }\n', 1],
  [
    'an initialiser of C++',
    'a.cpp',
    'class A {\n  int spare;\n public:\n  A(int spare)\n      : spare(spare) {}\n};\n',
    2,
  ],
]

const none: Case[] = [
  [
    'a parameter of an arrow function',
    'a.ts',
    'function spare() {}\nexport const f = (spare: () => void) => spare()\n',
    1,
  ],
  ['a local of Rust, further in', 'a.rs', 'fn spare() {}\nfn f(spare: i32) -> i32 {\n    spare + 1\n}\n', 1],
  ['a local of Python, further in', 'a.py', 'def spare(): ...\n\n\ndef f(spare):\n    return spare()\n', 1],
  [
    'a parameter beside a member of Python',
    'a.py',
    'class A:\n    def spare(self): ...\n\n\ndef f(spare=spare):\n    return spare\n',
    2,
  ],
  ['a local of another package', 'a.go', 'package a\n\nfunc spare() {}\n', 3],
]

test('what nothing but a local of its name may use is left in doubt where the local may be it', async () => {
  expect(await answersTo(uses)).toEqual(uses.map(([what]) => `${what}: in doubt or used`))
})

test('a local that hides the name leaves nothing in doubt', async () => {
  expect(await answersTo(none)).toEqual(none.map(([what]) => `${what}: conclusive`))
})

async function answersTo(cases: readonly Case[]): Promise<string[]> {
  const nameOf = (at: number) => `spare${at}`
  const files = cases.map(([, file, text], at) => [`c${at}/${file}`, text.replaceAll('spare', nameOf(at))])
  const tree = await treeOf(Object.fromEntries(files))
  const answers: string[] = []
  for (const [at, [what, file, , line]] of cases.entries()) {
    const { emptiness } = await findReferences(tree, await target(tree, `c${at}/${file}:${line}`))
    answers.push(`${what}: ${emptiness?.isEvidence ? 'conclusive' : 'in doubt or used'}`)
  }
  return answers
}
