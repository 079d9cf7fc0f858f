/** "Nothing uses it" is conclusive only where no language, tool or text can mean it: constructs that did not hold up once. */
import { expect, test } from 'vitest'
import { findReferences } from '../../../src/code-index/query/references.ts'
import { target, treeOf } from './open-repo.ts'

const inFile = (path: string, text: string, asked: string): [Record<string, string>, string] => [
  { [path]: text },
  asked,
]

test.each<[string, Record<string, string>, string]>([
  [
    'a method that overrides an abstract one, called through this',
    ...inFile(
      'a.ts',
      'abstract class A {\n  run() {\n    return this.headers()\n  }\n  protected abstract headers(): string\n}\nexport class B extends A {\n  protected headers() {\n    return ""\n  }\n}\n',
      'a.ts:8',
    ),
  ],
  [
    'a method of an interface that is implemented unsaid',
    ...inFile(
      'a.go',
      'package a\n\ntype Closer interface {\n\tShutDown() error\n}\n\ntype File struct{}\n\nfunc (f File) ShutDown() error { return nil }\n\nfunc end(c Closer) error { return c.ShutDown() }\n',
      'a.go:9',
    ),
  ],
  [
    'a method of a protocol',
    ...inFile(
      'a.py',
      'from typing import Protocol\n\n\nclass Closer(Protocol):\n    def shut_down(self): ...\n\n\nclass File:\n    def shut_down(self):\n        return 1\n\n\ndef end(c: Closer):\n    c.shut_down()\n',
      'a.py:9',
    ),
  ],
  [
    'a method of a trait',
    ...inFile(
      'a.rs',
      'trait Closer {\n    fn shut_down(&self);\n}\nstruct File;\nimpl Closer for File {\n    fn shut_down(&self) {}\n}\nfn end(c: &dyn Closer) {\n    c.shut_down()\n}\n',
      'a.rs:6',
    ),
  ],
  [
    'a local function that is given another value further in',
    ...inFile(
      'a.js',
      'export function f(use) {\n  let choose = () => {}\n  const app = () => {\n    const own = use()\n    choose = own\n  }\n  app()\n  choose(1)\n}\n',
      'a.js:2',
    ),
  ],
  [
    'a member of an interface that an object has by the name of a local',
    {
      'a.ts': 'export interface Size {\n  width: number\n}\n',
      'b.ts':
        "import type { Size } from './a'\nexport function size(): Size {\n  const width = 1\n  return { width }\n}\n",
    },
    'a.ts:2',
  ],
  [
    'a function of a function that is called at once, by the one beside it',
    ...inFile(
      'a.js',
      'const draw = (function () {\n  function one(x) {\n    two(x)\n  }\n  function two(x) {}\n  return one\n})()\n',
      'a.js:5',
    ),
  ],
  [
    'a static property of PHP, by its class or what extends it',
    {
      'base.php':
        '<?php\nclass Base {\n  static $made = 1;\n  static function f() { return static::$made; }\n}\n',
      'sub.php': '<?php\nclass Sub extends Base {\n  static $made = 2;\n}\n',
    },
    'sub.php:3',
  ],
  [
    'a property that a string of Kotlin inserts',
    ...inFile('A.kt', 'class A {\n  private val sum = 3\n  fun say() = "it is $sum"\n}\n', 'A.kt:2'),
  ],
  [
    'a part of an interface of another module',
    {
      'context.ts': 'export interface Variables {}\nexport type Get = (key: keyof Variables) => void\n',
      'a.ts':
        "declare module './context' {\n  interface Variables {\n    payload: string\n  }\n}\nexport {}\n",
    },
    'a.ts:2',
  ],
  [
    'a name in a format string',
    ...inFile(
      'a.rs',
      'const LIMIT: u32 = 3;\nfn f() {\n    println!("at most {LIMIT} of them")\n}\n',
      'a.rs:1',
    ),
  ],
  [
    'a method in a template',
    ...inFile(
      'a.go',
      'package a\n\ntype T struct{}\n\nfunc (t T) Shown() string { return "" }\n\nconst text = "hello {{.Shown}} there"\n',
      'a.go:5',
    ),
  ],
  ['a type in quotes', ...inFile('a.py', 'def f(x: "Later | None"): ...\n\n\nclass Later: ...\n', 'a.py:4')],
  [
    'code in quotes',
    ...inFile(
      'a.py',
      'def spare(): ...\n\n\nRUN = "import a; a.spare() or exit"\nALSO = "from a import spare as b"\n',
      'a.py:1',
    ),
  ],
  [
    'an annotation in a comment',
    ...inFile(
      'ATest.php',
      '<?php\nclass ATest {\n  /** @dataProvider provideRows */\n  public function testRows($row) {}\n  public static function provideRows() { return []; }\n}\n',
      'ATest.php:5',
    ),
  ],
  [
    'an example that tests run',
    ...inFile(
      'a.rs',
      '/// ```\n/// assert_eq!(spare(1), 1);\n/// ```\npub fn other() {}\nfn spare(x: i32) -> i32 { x }\n',
      'a.rs:5',
    ),
  ],
  [
    'a type in a comment of JavaScript',
    ...inFile('a.js', 'class Spare {}\n/** @param {Spare} one */\nexport function f(one) {}\n', 'a.js:1'),
  ],
  [
    'a use in another file of what a wrapped script exports',
    {
      'a.js': ';(function () {\n  function spare() {}\n  module.exports = { spare }\n}())\n',
      'b.js': "const { spare } = require('./a.js')\nspare()\n",
    },
    'a.js:2',
  ],
  [
    'a fixture that a parameter names',
    ...inFile(
      'test_a.py',
      'import pytest\n\n\n@pytest.fixture\ndef client():\n    return 1\n\n\ndef test_it(client):\n    assert client\n',
      'test_a.py:5',
    ),
  ],
  [
    'a method that a framework calls',
    ...inFile('A.java', 'package a;\nclass A {\n  @PostConstruct\n  void start() {}\n}\n', 'A.java:4'),
  ],
  [
    'a method of a type whose base is from elsewhere',
    ...inFile(
      'a.py',
      'from django.views import View\n\n\nclass Page(View):\n    def respond(self): ...\n',
      'a.py:5',
    ),
  ],
  [
    'a method of a trait from elsewhere',
    ...inFile('a.rs', 'struct A;\nimpl std::fmt::Display for A {\n    fn fmt(&self) {}\n}\n', 'a.rs:3'),
  ],
  [
    'an exported method of Go',
    ...inFile('a.go', 'package a\n\ntype T struct{}\n\nfunc (t T) MarshalText() {}\n', 'a.go:5'),
  ],
  ['an operator', ...inFile('a.kt', 'package a\nclass A {\n  operator fun plus(o: A): A = o\n}\n', 'a.kt:3')],
  [
    'a nested class that configuration names',
    {
      'a/Outer.java': 'package a;\nclass Outer {\n  static class Inner {}\n}\n',
      'reflect-config.json': '[{ "name": "a.Outer$Inner" }]\n',
    },
    'a/Outer.java:3',
  ],
  [
    'a macro beside a local of the name',
    ...inFile(
      'a.c',
      '#define RUN(x) spare(x)\nstatic int spare(int x) { return x; }\nint f(int spare) { return spare; }\nint g(void) { return RUN(1); }\n',
      'a.c:2',
    ),
  ],
])('%s may be a use', async (_, files, asked) => {
  const tree = await treeOf(files)
  const { references, emptiness } = await findReferences(tree, await target(tree, asked))
  expect([references.length > 0, emptiness?.isEvidence ?? false]).not.toEqual([false, true])
})

test.each<[string, Record<string, string>, string]>([
  [
    'a method of a class that has nothing to do with the receiver',
    ...inFile(
      'a.ts',
      'export class A {\n  spare(): void {}\n}\nexport class B {\n  spare(): void {}\n}\nexport const f = (b: B) => b.spare()\n',
      'a.ts:2',
    ),
  ],
  [
    'a decorator that hands nothing on',
    ...inFile('a.py', 'class A:\n    @staticmethod\n    def spare(): ...\n', 'a.py:3'),
  ],
  [
    'a method of Go that is not exported',
    ...inFile('a.go', 'package a\n\ntype T struct{}\n\nfunc (t T) spare() {}\n', 'a.go:5'),
  ],
  [
    'a word of a sentence in a string or a comment',
    ...inFile(
      'a.py',
      'def spare(): ...\n\n\n# spare is not used (spare)\nprint("no spare one", "spare, please")\n',
      'a.py:1',
    ),
  ],
  [
    'a description in a comment of PHP',
    ...inFile(
      'a.php',
      '<?php\nfunction spare() {}\n/** @param int $x what is spare here */\nfunction f($x) { return $x; }\nf(1);\n',
      'a.php:2',
    ),
  ],
])('%s is none', async (_, files, asked) => {
  const tree = await treeOf(files)
  const { references, emptiness } = await findReferences(tree, await target(tree, asked))
  expect([references, emptiness?.isEvidence]).toEqual([[], true])
})
