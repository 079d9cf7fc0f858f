/** "Nothing uses it" is conclusive only where no language, tool or text can mean it: constructs that did not hold up once. */
import { expect, test } from 'vitest'
import { findDefinitions } from '../../../src/code-index/query/definitions.ts'
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
    'a method of an interface whose implementation is called',
    ...inFile(
      'a.ts',
      'export interface Strategy {\n  build(): void\n}\nexport class Base implements Strategy {\n  build() {}\n  run() {\n    this.build()\n  }\n}\n',
      'a.ts:2',
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
  [
    'a constructor that a subtype runs',
    ...inFile(
      'a.ts',
      'export class A {\n  constructor(readonly n: number) {}\n}\nexport class B extends A {\n  constructor() {\n    super(1)\n  }\n}\n',
      'a.ts:2',
    ),
  ],
  [
    'a constructor that is given fewer arguments',
    ...inFile(
      'a.js',
      'export class Bot {\n  constructor(options) {\n    this.options = options\n  }\n}\nexport const bot = new Bot()\n',
      'a.js:2',
    ),
  ],
  [
    'a constructor of a type that is handed on',
    ...inFile(
      'a.ts',
      'import { bind } from "elsewhere"\nclass Store {\n  constructor() {}\n}\nbind(Store)\n',
      'a.ts:3',
    ),
  ],
  [
    'a constructor that a method of the type runs',
    ...inFile(
      'a.py',
      'class Store:\n    def __init__(self):\n        self.x = 1\n\n    @classmethod\n    def make(cls):\n        return cls()\n',
      'a.py:2',
    ),
  ],
  [
    'a function that is declared for another module',
    {
      'types.d.ts':
        'declare module "import-local" {\n  export default function importLocal(name: string): boolean\n}\n',
      'a.ts': 'import importLocal from "import-local"\nimportLocal("a")\n',
    },
    'types.d.ts:2',
  ],
  [
    'a parameter that declares a field',
    ...inFile(
      'a.ts',
      'export class Command {\n  constructor(\n    readonly _argv: string[],\n  ) {\n    console.log(_argv)\n  }\n}\n',
      'a.ts:3',
    ),
  ],
  [
    'a part of an interface that two scripts declare',
    {
      'a.d.ts': 'interface Query {\n  a: string\n}\ndeclare var query: Query\n',
      'b.d.ts': 'interface Query {\n  b: string\n}\n',
    },
    'b.d.ts:1',
  ],
  [
    'a member that a pattern takes out of what a function returns',
    {
      'a.js': 'export default function (parts) {\n  return {\n    makeOne: async function () {},\n  }\n}\n',
      'b.js':
        "import handlers from './a.js'\nexport function start(on) {\n  const { other, makeOne } =\n    handlers(1)\n  on('make', makeOne)\n}\n",
    },
    'a.js:3',
  ],
  [
    'a constant that the title of a test names too',
    ...inFile(
      'a.js',
      "const { toPadding } = Chart.helpers\ndescribe('all', () => {\n  describe('toPadding', () => {\n    it('works', () => {\n      expect(toPadding(4)).toEqual(1)\n    })\n  })\n})\n",
      'a.js:1',
    ),
  ],
  [
    'a member that is called default',
    {
      'A.scala': 'object Client {\n  def default: Int = 1\n}\n',
      'B.scala': 'object B {\n  val x = Client.default\n}\n',
    },
    'A.scala:2',
  ],
  [
    'an attribute of a base in a package with a module of its own name',
    {
      'src/poet/poet.py': 'class Poet: ...\n',
      'src/poet/env/__init__.py': '',
      'src/poet/env/base.py':
        'class Env:\n    def __init__(self):\n        self._tags = None\n\n    def tags(self):\n        return self._tags\n',
      'src/poet/env/mock.py':
        'from poet.env.base import Env\n\n\nclass MockEnv(Env):\n    def __init__(self):\n        self._tags = 1\n',
    },
    'src/poet/env/mock.py:6',
  ],
  [
    'an attribute that a base from elsewhere reads',
    ...inFile(
      'a.py',
      'from django.views import View\n\n\nclass Page(View):\n    template_name = "page"\n',
      'a.py:5',
    ),
  ],
  [
    'a function whose declarations are in a file of their own',
    {
      'a.d.ts': 'export declare function spare(): void\n',
      'a.js': 'export function spare() {}\n',
      'b.ts': "import { spare } from './a.js'\nspare()\n",
    },
    'a.js:1',
  ],
  [
    'a type inside one that hands all on to another',
    ...inFile(
      'a.kt',
      'private class Own<T>(\n    private val given: List<T>,\n) : List<T> by given {\n    override fun iterator(): Iterator<T> {\n        return OwnIterator(given.iterator())\n    }\n\n    private class OwnIterator<T>(\n        private val given: Iterator<T>,\n    ) : Iterator<T> by given {\n        override fun hashCode() = 1\n    }\n}\n',
      'a.kt:8',
    ),
  ],
  [
    'a property that a local of its name begins with',
    ...inFile(
      'a.kt',
      'class Clock {\n    private var start: Int? = null\n\n    fun f() {\n        val start = start ?: 1\n        g(start)\n    }\n}\n',
      'a.kt:2',
    ),
  ],
  [
    'a property that a condition unwraps',
    ...inFile(
      'a.swift',
      'class A {\n  private var name: String?\n  func f() {\n    if let name = name { use(name) }\n  }\n}\n',
      'a.swift:2',
    ),
  ],
  [
    'a property that a condition unwraps by its name alone',
    ...inFile(
      'a.swift',
      'class A {\n  private var name: String?\n  func f() {\n    guard let name else { return }\n    use(name)\n  }\n}\n',
      'a.swift:2',
    ),
  ],
  [
    'a method that is called before a local gets its name',
    ...inFile(
      'a.rb',
      'class A\n  def size\n    1\n  end\n\n  def f\n    puts size\n    size = 2\n    size\n  end\nend\n',
      'a.rb:2',
    ),
  ],
  [
    'a field that is read before a local gets its name',
    ...inFile(
      'A.java',
      'class A {\n  private int size = 1;\n  int f() {\n    g(size);\n    int size = 2;\n    return size;\n  }\n}\n',
      'A.java:2',
    ),
  ],
  [
    'a variable of the shell that a local begins with',
    ...inFile('a.sh', 'SIZE=1\nf() {\n  local SIZE="$SIZE"\n  echo "$SIZE"\n}\nf\n', 'a.sh:1'),
  ],
  [
    'a function that has one definition for each platform',
    {
      'src/common.h': 'int bind_it(int x);\n',
      'src/common.c': '#include "common.h"\nint f(void) { return bind_it(1); }\n',
      'src/unix/udp.c': '#include "../common.h"\nint bind_it(int x) { return 1; }\n',
      'src/win/udp.c': 'int bind_it(int x) { return 2; }\n',
    },
    'src/win/udp.c:1',
  ],
  [
    'a class of a package that has one for each version',
    {
      'a/java/p/Own.java': 'package p;\nclass Own {\n  static void run() {}\n}\n',
      'a/java/p/User.java': 'package p;\nclass User {\n  void f() { Own.run(); }\n}\n',
      'b/java16/p/Own.java': 'package p;\nclass Own {\n  static void run() {}\n}\n',
    },
    'b/java16/p/Own.java:3',
  ],
  [
    'a name that a macro makes of parts',
    ...inFile(
      'a.c',
      '#define CASE(name) case 1: return fs__##name(1);\nstatic int fs__write(int x) { return x; }\nint f(int x) { switch (x) { CASE(write) } return 0; }\n',
      'a.c:2',
    ),
  ],
  [
    'a method of what another library hands back',
    ...inFile(
      'a.py',
      'from copy import copy\n\n\nclass A:\n    def spare(self): ...\n\n\none = copy(A())\none.spare()\n',
      'a.py:5',
    ),
  ],
  [
    'an extension, of a receiver that only the lambda names',
    ...inFile(
      'a.kt',
      'package a\n\nprivate fun String.twice(): String = this + this\n\nfun f(l: List<String>) = l.map { it.twice() }\n',
      'a.kt:3',
    ),
  ],
  [
    'an extension of what another library hands back',
    ...inFile(
      'a.kt',
      'package a\n\nimport lib.wrap\n\nprivate fun String.twice() = 1\n\nfun f(a: String) = wrap(a).twice()\n',
      'a.kt:5',
    ),
  ],
  [
    'a manual mock',
    {
      '__mocks__/a.js': 'export function spare() {}\n',
      'a.js': 'export function spare() {}\n',
      'a.test.js': "import { spare } from './a.js'\nspare()\n",
    },
    '__mocks__/a.js:1',
  ],
  [
    'a field that a pattern of Rust takes',
    ...inFile(
      'a.rs',
      'struct Size {\n    width: u32,\n}\nfn f(s: Size) -> u32 {\n    let Size { width } = s;\n    width\n}\n',
      'a.rs:2',
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
  [
    'a function of an imported module that has its name',
    ...inFile('a.py', 'import boxes\n\n\nclass A:\n    def spare(self): ...\n\n\nboxes.spare()\n', 'a.py:5'),
  ],
  [
    'a local in braces that are markup or a block',
    {
      'a.ts': 'class A {\n  private title = 1\n}\nexport const a = new A()\n',
      'b.tsx':
        'export const B = ({ x }: { x: string }) => {\n  const title = x\n  return <p a={title}>{title}</p>\n}\n',
    },
    'a.ts:2',
  ],
  [
    'a constructor of a type that is only written as a type',
    ...inFile(
      'a.ts',
      'class Store {\n  private constructor() {}\n  static size = 1\n}\nexport const f = (s: Store | null) => Store.size\n',
      'a.ts:2',
    ),
  ],
])('%s is none', async (_, files, asked) => {
  const tree = await treeOf(files)
  const { references, emptiness } = await findReferences(tree, await target(tree, asked))
  expect([references, emptiness?.isEvidence]).toEqual([[], true])
})

test.each<[string, Record<string, string>, string, boolean]>([
  [
    'what an import renames',
    { 'a.ts': "import { type Readable as Own } from 'x'\nexport type A = Own\n" },
    'Own',
    false,
  ],
  [
    'what an import of Go calls a package',
    { 'a.go': 'package a\n\nimport otypes "x/types"\n\nvar a otypes.B\n' },
    'otypes',
    false,
  ],
  [
    'an alias of C#',
    { 'A.cs': 'using Factory = System.Func<int>;\nclass A { Factory x; }\n' },
    'Factory',
    false,
  ],
  [
    'a key of an object',
    { 'a.ts': 'f({ minLength: 1 })\nexport const g = (a: any) => a.minLength\n' },
    'minLength',
    false,
  ],
  ['a shorthand', { 'a.ts': 'export const g = (a: any) => f({ ...a, reach })\n' }, 'reach', false],
  [
    'a member that is assigned',
    { 'a.py': 'def f(a):\n    a.reach = 1\n\n\ndef g(a):\n    return a.reach\n' },
    'reach',
    false,
  ],
  [
    'a type that is embedded',
    { 'a.go': 'package a\n\nimport "x/y"\n\ntype A struct{ y.FlagSet }\n\nfunc f(a A) { a.FlagSet.Go() }\n' },
    'FlagSet',
    false,
  ],
  [
    'a function behind what the grammar makes no sense of',
    {
      'a.c':
        'void f(void)\n{\n  char p[] = {1, 8, 254u};\n\n  BEGIN\n  G(p, p, 4);\n  END\n}\n\nvoid reach(void)\n{\n}\n',
    },
    'reach',
    false,
  ],
  [
    'a function that a macro makes of parts',
    {
      'a.c':
        '#define MAKE(name) int uv_##name##_init(void) { return 1; }\nMAKE(idle)\nint f(void) { return uv_idle_init(); }\n',
    },
    'uv_idle_init',
    false,
  ],
  [
    'an enumerator behind an unknown macro',
    {
      'a.hpp':
        'namespace a {\nclass B {};\nEND_NAMESPACE\n\nenum class kind : unsigned char {\n  none,\n  reach\n};\n\ninline bool f(kind k) { return k == kind::reach; }\n}\n',
    },
    'reach',
    false,
  ],
  [
    'a constant in a macro',
    {
      'a.rs':
        'bitflags! {\n    struct Flags: u32 {\n        const REACH = 8;\n    }\n}\nfn f() -> Flags { Flags::REACH }\n',
    },
    'REACH',
    false,
  ],
  [
    'a package under its own name',
    { 'a.tsx': "import React from 'react'\nexport const a = React.b\n" },
    'React',
    true,
  ],
  [
    'a method of a library',
    { 'a.ts': "import { a } from 'x'\nexport const b = a.reach(1)\n" },
    'reach',
    true,
  ],
])('that %s is defined nowhere is certain: %#', async (_, files, name, isCertain) => {
  const { definitions, emptiness } = await findDefinitions(await treeOf(files), name)
  expect([definitions, emptiness?.isEvidence]).toEqual([[], isCertain])
})
