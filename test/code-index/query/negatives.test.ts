/** "Nothing uses it" is conclusive only where no language, tool or text can mean it: constructs that did not hold up once. */
import { expect, test } from 'vitest'
import { findDefinitions } from '../../../src/code-index/query/definitions.ts'
import { findReferences } from '../../../src/code-index/query/references.ts'
import { target, treeOf } from './open-repo.ts'

/** What is asked about, and the text of its file, or all files. */
type Row = [what: string, asked: string, files: string | Record<string, string>]

async function answerTo(asked: string, files: Row[2]) {
  const [path = ''] = asked.split(':')
  const tree = await treeOf(typeof files === 'string' ? { [path]: files } : files)
  return findReferences(tree, await target(tree, asked))
}

test.each<Row>([
  [
    'a class of C++ that only a translation of Qt names',
    'dialog.cpp:1',
    {
      'dialog.cpp': 'class AboutDialog {\n};\n',
      'lang/app_de.ts':
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS><context><name>AboutDialog</name></context></TS>\n',
    },
  ],
  ['a predicate of Ruby', 'a.rb:2', 'class A\n  def open?\n    true\n  end\nend\nputs 1 if A.new.open?\n'],
  [
    'a method of Ruby with a bang, by a symbol',
    'a.rb:2',
    'class A\n  def save!\n    1\n  end\nend\n[A.new].each(&:save!)\n',
  ],
  [
    'a class of Ruby that a test opens again',
    'spec/wall_spec.rb:2',
    {
      'lib/wall.rb': 'class Wall\n  def high = 1\nend\nputs Wall.new\n',
      'spec/wall_spec.rb': "describe 'a wall' do\n  class Wall\n    def low = 2\n  end\nend\n",
    },
  ],
  [
    'a member whose class the grammar lost, in the file that has its body',
    'a.hpp:17',
    'namespace fs {\nclass API path\n#if defined(X)\n#define Y\n    : private base<std::wstring>\n{\npublic:\n    using base<std::wstring>::type;\n#else\n#define Z\n    : private base<std::string>\n{\npublic:\n    using base<std::string>::type;\n#endif\n    path();\n    void check_long();\n};\n}\n\nINLINE void path::check_long()\n{\n}\n\nINLINE path& path::append(const path& p)\n{\n    check_long();\n    return *this;\n}\n',
  ],
  [
    'a macro in a namespace, which has none',
    'kit/all.h:2',
    {
      'kit/all.h': 'namespace kit {\n#define CHECK_ALL(x) x\n}\n',
      'kit/parts/macros.h': '#define CHECK_ALL(x) x\n',
      'use.cpp': '#include <kit/all.h>\n#include "kit/parts/macros.h"\nint f() { return CHECK_ALL(1); }\n',
    },
  ],
  [
    'a class of C# whose members are opened',
    'Door.cs:2',
    {
      'Door.cs': 'namespace Shop {\n  static class Door {\n    internal static int Open() => 1;\n  }\n}\n',
      'Use.cs': 'using static Shop.Door;\n\nclass Use {\n  int F() => Open();\n}\n',
    },
  ],
  [
    'a macro that names a namespace',
    'a.h:1',
    {
      'a.h': '#define KIT_SPACE kit_space\nnamespace KIT_SPACE {\nint f();\n}\n',
      'a.cc': '#include "a.h"\nusing namespace KIT_SPACE;\nint g() { return f(); }\n',
    },
  ],
  [
    'a member in a copy of the header that lost its namespace',
    'single/kit.hpp:3',
    {
      'single/kit.hpp': 'class Format {\npublic:\n  Format &hide_border() { return *this; }\n};\n',
      'include/kit/format.hpp':
        'namespace kit {\nclass Format {\npublic:\n  Format &hide_border() { return *this; }\n};\n}\n',
      'use.cpp': '#include "include/kit/format.hpp"\nvoid f(kit::Format format) { format.hide_border(); }\n',
    },
  ],
  [
    'a function of a package that is imported in two ways',
    'tool/proto/__init__.py:1',
    {
      'tool/proto/__init__.py': 'def load_all():\n    return 1\n',
      'tool/__init__.py': '',
      'tool/make.py':
        'if not __package__:\n    import proto\nelse:\n    from . import proto\n\nproto.load_all()\n',
    },
  ],
  [
    'a method that a file below an inline module of Rust adds to a type',
    'src/codecs/png.rs:4',
    {
      'Cargo.toml': '[package]\nname = "kit"\nversion = "0.1.0"\n',
      'src/lib.rs': 'pub mod error;\npub mod codecs {\n    pub mod png;\n}\n',
      'src/error.rs': 'pub enum ImageError {\n    Io,\n}\n',
      'src/codecs/png.rs':
        'use crate::error::ImageError;\n\nimpl ImageError {\n    fn from_png(code: u8) -> ImageError {\n        ImageError::Io\n    }\n}\n\npub fn read(code: Result<u8, u8>) -> Result<u8, ImageError> {\n    code.map_err(ImageError::from_png)\n}\n',
    },
  ],
  ['a raw name of Rust', 'a.rs:1', 'fn r#move() -> i32 { 1 }\nfn g() -> i32 { r#move() }\n'],
  ['a verbatim name of C#', 'a.cs:2', 'class A {\n  int @event() => 1;\n  int F() => @event();\n}\n'],
  [
    'a private name that is asked for',
    'a.js:2',
    'export class A {\n  #brand = 1\n  static is(x) { return #brand in x }\n}\n',
  ],
  [
    'a function of C that the linker runs',
    'a.c:1',
    '__attribute__((constructor)) static void boot(void) {}\n',
  ],
  [
    'a method that overrides an abstract one, called through this',
    'a.ts:8',
    'abstract class A {\n  run() {\n    return this.headers()\n  }\n  protected abstract headers(): string\n}\nexport class B extends A {\n  protected headers() {\n    return ""\n  }\n}\n',
  ],
  [
    'a method of an interface whose implementation is called',
    'a.ts:2',
    'export interface Strategy {\n  build(): void\n}\nexport class Base implements Strategy {\n  build() {}\n  run() {\n    this.build()\n  }\n}\n',
  ],
  [
    'a method of an interface that is implemented unsaid',
    'a.go:9',
    'package a\n\ntype Closer interface {\n\tShutDown() error\n}\n\ntype File struct{}\n\nfunc (f File) ShutDown() error { return nil }\n\nfunc end(c Closer) error { return c.ShutDown() }\n',
  ],
  [
    'a method of an interface of Go whose implementation is called by its type',
    'a.go:4',
    'package a\n\ntype queue interface {\n\tisEmpty() bool\n}\n\ntype loop struct{}\n\nfunc (l *loop) isEmpty() bool { return true }\n\nfunc (l *loop) end() bool { return l.isEmpty() }\n',
  ],
  [
    'a method of a protocol',
    'a.py:9',
    'from typing import Protocol\n\n\nclass Closer(Protocol):\n    def shut_down(self): ...\n\n\nclass File:\n    def shut_down(self):\n        return 1\n\n\ndef end(c: Closer):\n    c.shut_down()\n',
  ],
  [
    'a method of a trait',
    'a.rs:6',
    'trait Closer {\n    fn shut_down(&self);\n}\nstruct File;\nimpl Closer for File {\n    fn shut_down(&self) {}\n}\nfn end(c: &dyn Closer) {\n    c.shut_down()\n}\n',
  ],
  [
    'a local function that is given another value further in',
    'a.js:2',
    'export function f(use) {\n  let choose = () => {}\n  const app = () => {\n    const own = use()\n    choose = own\n  }\n  app()\n  choose(1)\n}\n',
  ],
  [
    'a member of an interface that an object has by the name of a local',
    'a.ts:2',
    {
      'a.ts': 'export interface Size {\n  width: number\n}\n',
      'b.ts':
        "import type { Size } from './a'\nexport function size(): Size {\n  const width = 1\n  return { width }\n}\n",
    },
  ],
  [
    'a function of a function that is called at once, by the one beside it',
    'a.js:5',
    'const draw = (function () {\n  function one(x) {\n    two(x)\n  }\n  function two(x) {}\n  return one\n})()\n',
  ],
  [
    'a static property of PHP, by its class or what extends it',
    'sub.php:3',
    {
      'base.php':
        '<?php\nclass Base {\n  static $made = 1;\n  static function f() { return static::$made; }\n}\n',
      'sub.php': '<?php\nclass Sub extends Base {\n  static $made = 2;\n}\n',
    },
  ],
  [
    'a property that a string of Kotlin inserts',
    'A.kt:2',
    'class A {\n  private val sum = 3\n  fun say() = "it is $sum"\n}\n',
  ],
  [
    'a part of an interface of another module',
    'a.ts:2',
    {
      'context.ts': 'export interface Variables {}\nexport type Get = (key: keyof Variables) => void\n',
      'a.ts':
        "declare module './context' {\n  interface Variables {\n    payload: string\n  }\n}\nexport {}\n",
    },
  ],
  [
    'a name in a format string',
    'a.rs:1',
    'const LIMIT: u32 = 3;\nfn f() {\n    println!("at most {LIMIT} of them")\n}\n',
  ],
  [
    'a method in a template',
    'a.go:5',
    'package a\n\ntype T struct{}\n\nfunc (t T) Shown() string { return "" }\n\nconst text = "hello {{.Shown}} there"\n',
  ],
  ['a type in quotes', 'a.py:4', 'def f(x: "Later | None"): ...\n\n\nclass Later: ...\n'],
  [
    'code in quotes',
    'a.py:1',
    'def spare(): ...\n\n\nRUN = "import a; a.spare() or exit"\nALSO = "from a import spare as b"\n',
  ],
  [
    'an annotation in a comment',
    'ATest.php:5',
    '<?php\nclass ATest {\n  /** @dataProvider provideRows */\n  public function testRows($row) {}\n  public static function provideRows() { return []; }\n}\n',
  ],
  [
    'an example that tests run',
    'a.rs:5',
    '/// ```\n/// assert_eq!(spare(1), 1);\n/// ```\npub fn other() {}\nfn spare(x: i32) -> i32 { x }\n',
  ],
  [
    'a type in a comment of JavaScript',
    'a.js:1',
    'class Spare {}\n/** @param {Spare} one */\nexport function f(one) {}\n',
  ],
  [
    'a use in another file of what a wrapped script exports',
    'a.js:2',
    {
      'a.js': ';(function () {\n  function spare() {}\n  module.exports = { spare }\n}())\n',
      'b.js': "const { spare } = require('./a.js')\nspare()\n",
    },
  ],
  [
    'a method that is defined in a block, from a block beside it',
    'a.rb:4',
    'module A\n  matcher :permit do\n    message = lambda { spare }\n    def spare\n      1\n    end\n    failure(&message)\n  end\nend\n',
  ],
  [
    'a property with the name of a function that is imported',
    'a.kt:5',
    'package a\n\nimport html.js.output\n\nprivate lateinit var output: Element\n\nfun f() { output = output() }\n',
  ],
  [
    'a property with the name of a function that is imported from here',
    'a.kt:5',
    {
      'a.kt':
        'package a\n\nimport b.output\n\nprivate lateinit var output: Element\n\nfun f() { output = output() }\n',
      'b.kt': 'package b\n\nfun output() = Element()\n',
    },
  ],
  [
    'a constructor of PHP whose class is handed on by its name',
    'a.php:3',
    '<?php\nclass Spare {\n  public function __construct() {}\n}\n$container->get(Spare::class);\n',
  ],
  [
    'a constructor of C# whose type is handed on',
    'a.cs:2',
    'class Spare {\n  public Spare() {}\n}\nclass B {\n  void F(Services all) { all.Add(typeof(Spare)); }\n}\n',
  ],
  [
    'a constructor of Java whose type is handed on',
    'A.java:2',
    'class Spare {\n  Spare() {}\n}\nclass B {\n  void f(Services all) { all.add(Spare.class); }\n}\n',
  ],
  [
    'a constructor of Kotlin whose type is handed on',
    'a.kt:2',
    'class Spare {\n  constructor(n: Int) {}\n}\nfun f(all: Services) { all.add(Spare::class) }\n',
  ],
  [
    'a constructor of Scala whose type is handed on',
    'a.scala:2',
    'class Spare(n: Int) {\n  def this() = this(1)\n}\nobject B { def f(all: Services) = all.add(classOf[Spare]) }\n',
  ],
  [
    'a constructor of Swift whose type is handed on',
    'a.swift:2',
    'class Spare {\n  init() {}\n}\nfunc f(all: Services) { all.add(Spare.self) }\n',
  ],
  [
    'a module of Python in a folder without a file of its own',
    'x/g/t/utils.py:1',
    {
      'x/g/t/utils.py': 'def spare(): ...\n',
      'x/m/t/other.py': 'from g.t import utils\n\nutils.spare()\n',
    },
  ],
  [
    'a class of C++ with a constructor, from what belongs to the class',
    'a.cpp:1',
    'class Spare : public testing::Test {\n protected:\n  Spare() {}\n};\nTEST_F(Spare, Works) {\n  ASSERT_TRUE(true);\n}\n',
  ],
  [
    'a function of C++ of the name of a method, where the grammar failed',
    'a.cc:2',
    {
      'a.cc': '#include "a.h"\nvoid spare(int n) {}\n',
      'a.h': 'class P {\n public:\n  void f() { spare(1); }\n  BEGIN_( =\n  void spare(int n);\n};\n',
    },
  ],
  [
    'a class of C++ in the middle of a qualified name, beside a global one of its name',
    'a.cc:3',
    'class one { public: enum in { s5 }; };\nnamespace b {\nclass one {\n public:\n  enum in { s6 };\n};\n}\nint g() { return f(b::one::s6); }\n',
  ],
  [
    'what a package of stubs declares of a module of Python',
    'm-stubs/__init__.pyi:1',
    {
      'm-stubs/__init__.pyi': 'def spare() -> int: ...\n',
      'm.py': 'def spare():\n    return 1\n\n\nspare()\n',
    },
  ],
  [
    'a type of the second namespace of a file of PHP',
    'a.php:5',
    '<?php\nnamespace A;\nuse A\\B\\Spare;\nfunction f() { return Spare::class; }\nnamespace A\\B; class Spare {}\n',
  ],
  [
    'a type of the second namespace of a file of C#',
    'a.cs:2',
    {
      'a.cs': 'namespace A { class Other {} }\nnamespace B { class Spare {} }\n',
      'b.cs': 'namespace C { class D { object F() => new B.Spare(); } }\n',
    },
  ],
  [
    'a type of a namespace inside another of C#',
    'a.cs:3',
    {
      'a.cs': 'namespace A {\n  namespace B {\n    class Spare {}\n  }\n}\n',
      'b.cs': 'using Same = A.B.Spare;\nnamespace C { class D { object F() => new Same(); } }\n',
    },
  ],
  [
    'a fixture that a parameter names',
    'test_a.py:5',
    'import pytest\n\n\n@pytest.fixture\ndef client():\n    return 1\n\n\ndef test_it(client):\n    assert client\n',
  ],
  [
    'a method that a framework calls',
    'A.java:4',
    'package a;\nclass A {\n  @PostConstruct\n  void start() {}\n}\n',
  ],
  [
    'a method of a type whose base is from elsewhere',
    'a.py:5',
    'from django.views import View\n\n\nclass Page(View):\n    def respond(self): ...\n',
  ],
  [
    'a method of a trait from elsewhere',
    'a.rs:3',
    'struct A;\nimpl std::fmt::Display for A {\n    fn fmt(&self) {}\n}\n',
  ],
  ['an exported method of Go', 'a.go:5', 'package a\n\ntype T struct{}\n\nfunc (t T) MarshalText() {}\n'],
  [
    'a constructor of C++ that braces run',
    'a.hpp:4',
    {
      'a.hpp': 'class Row {\n public:\n  explicit Row(const char* text);\n  Row(int at, int size) {}\n};\n',
      'b.cpp': '#include "a.hpp"\nvoid f(Row& row) { row = {1, 2}; }\n',
    },
  ],
  ['an operator', 'a.kt:3', 'package a\nclass A {\n  operator fun plus(o: A): A = o\n}\n'],
  [
    'a nested class that configuration names',
    'a/Outer.java:3',
    {
      'a/Outer.java': 'package a;\nclass Outer {\n  static class Inner {}\n}\n',
      'reflect-config.json': '[{ "name": "a.Outer$Inner" }]\n',
    },
  ],
  [
    'a type of which its own file imports what is in it',
    'a/List.java:8',
    'package a;\nimport a.ListModule.*;\nimport static a.ListBase.*;\nclass List {\n  int size() { return one() + new Node().n; }\n}\n\ninterface ListModule {\n  class Node { int n; }\n}\n\nclass ListBase {\n  static int one() { return 1; }\n}\n',
  ],
  [
    'a type of which its own file imports the static members',
    'a/List.java:12',
    'package a;\nimport a.ListModule.*;\nimport static a.ListBase.*;\nclass List {\n  int size() { return one() + new Node().n; }\n}\n\ninterface ListModule {\n  class Node { int n; }\n}\n\nclass ListBase {\n  static int one() { return 1; }\n}\n',
  ],
  [
    'a macro beside a local of the name',
    'a.c:2',
    '#define RUN(x) spare(x)\nstatic int spare(int x) { return x; }\nint f(int spare) { return spare; }\nint g(void) { return RUN(1); }\n',
  ],
  [
    'a constructor that a subtype runs',
    'a.ts:2',
    'export class A {\n  constructor(readonly n: number) {}\n}\nexport class B extends A {\n  constructor() {\n    super(1)\n  }\n}\n',
  ],
  [
    'a constructor that is given fewer arguments',
    'a.js:2',
    'export class Bot {\n  constructor(options) {\n    this.options = options\n  }\n}\nexport const bot = new Bot()\n',
  ],
  [
    'a constructor of a type that is handed on',
    'a.ts:3',
    'import { bind } from "elsewhere"\nclass Store {\n  constructor() {}\n}\nbind(Store)\n',
  ],
  [
    'a constructor that a method of the type runs',
    'a.py:2',
    'class Store:\n    def __init__(self):\n        self.x = 1\n\n    @classmethod\n    def make(cls):\n        return cls()\n',
  ],
  [
    'a function that is declared for another module',
    'types.d.ts:2',
    {
      'types.d.ts':
        'declare module "import-local" {\n  export default function importLocal(name: string): boolean\n}\n',
      'a.ts': 'import importLocal from "import-local"\nimportLocal("a")\n',
    },
  ],
  [
    'a parameter that declares a field',
    'a.ts:3',
    'export class Command {\n  constructor(\n    readonly _argv: string[],\n  ) {\n    console.log(_argv)\n  }\n}\n',
  ],
  [
    'a part of an interface that two scripts declare',
    'b.d.ts:1',
    {
      'a.d.ts': 'interface Query {\n  a: string\n}\ndeclare var query: Query\n',
      'b.d.ts': 'interface Query {\n  b: string\n}\n',
    },
  ],
  [
    'a member that a pattern takes out of what a function returns',
    'a.js:3',
    {
      'a.js': 'export default function (parts) {\n  return {\n    makeOne: async function () {},\n  }\n}\n',
      'b.js':
        "import handlers from './a.js'\nexport function start(on) {\n  const { other, makeOne } =\n    handlers(1)\n  on('make', makeOne)\n}\n",
    },
  ],
  [
    'a constant that the title of a test names too',
    'a.js:1',
    "const { toPadding } = Chart.helpers\ndescribe('all', () => {\n  describe('toPadding', () => {\n    it('works', () => {\n      expect(toPadding(4)).toEqual(1)\n    })\n  })\n})\n",
  ],
  [
    'a member that is called default',
    'A.scala:2',
    {
      'A.scala': 'object Client {\n  def default: Int = 1\n}\n',
      'B.scala': 'object B {\n  val x = Client.default\n}\n',
    },
  ],
  [
    'an attribute of a base in a package with a module of its own name',
    'src/poet/env/mock.py:6',
    {
      'src/poet/poet.py': 'class Poet: ...\n',
      'src/poet/env/__init__.py': '',
      'src/poet/env/base.py':
        'class Env:\n    def __init__(self):\n        self._tags = None\n\n    def tags(self):\n        return self._tags\n',
      'src/poet/env/mock.py':
        'from poet.env.base import Env\n\n\nclass MockEnv(Env):\n    def __init__(self):\n        self._tags = 1\n',
    },
  ],
  [
    'an attribute that a base from elsewhere reads',
    'a.py:5',
    'from django.views import View\n\n\nclass Page(View):\n    template_name = "page"\n',
  ],
  [
    'a function whose declarations are in a file of their own',
    'a.js:1',
    {
      'a.d.ts': 'export declare function spare(): void\n',
      'a.js': 'export function spare() {}\n',
      'b.ts': "import { spare } from './a.js'\nspare()\n",
    },
  ],
  [
    'a type inside one that hands all on to another',
    'a.kt:8',
    'private class Own<T>(\n    private val given: List<T>,\n) : List<T> by given {\n    override fun iterator(): Iterator<T> {\n        return OwnIterator(given.iterator())\n    }\n\n    private class OwnIterator<T>(\n        private val given: Iterator<T>,\n    ) : Iterator<T> by given {\n        override fun hashCode() = 1\n    }\n}\n',
  ],
  [
    'a property that a local of its name begins with',
    'a.kt:2',
    'class Clock {\n    private var start: Int? = null\n\n    fun f() {\n        val start = start ?: 1\n        g(start)\n    }\n}\n',
  ],
  [
    'a property that a condition unwraps',
    'a.swift:2',
    'class A {\n  private var name: String?\n  func f() {\n    if let name = name { use(name) }\n  }\n}\n',
  ],
  [
    'a property that a condition unwraps by its name alone',
    'a.swift:2',
    'class A {\n  private var name: String?\n  func f() {\n    guard let name else { return }\n    use(name)\n  }\n}\n',
  ],
  [
    'a method that is called before a local gets its name',
    'a.rb:2',
    'class A\n  def size\n    1\n  end\n\n  def f\n    puts size\n    size = 2\n    size\n  end\nend\n',
  ],
  [
    'a field that is read before a local gets its name',
    'A.java:2',
    'class A {\n  private int size = 1;\n  int f() {\n    g(size);\n    int size = 2;\n    return size;\n  }\n}\n',
  ],
  [
    'a variable of the shell that a local begins with',
    'a.sh:1',
    'SIZE=1\nf() {\n  local SIZE="$SIZE"\n  echo "$SIZE"\n}\nf\n',
  ],
  [
    'a function that has one definition for each platform',
    'src/win/udp.c:1',
    {
      'src/common.h': 'int bind_it(int x);\n',
      'src/common.c': '#include "common.h"\nint f(void) { return bind_it(1); }\n',
      'src/unix/udp.c': '#include "../common.h"\nint bind_it(int x) { return 1; }\n',
      'src/win/udp.c': 'int bind_it(int x) { return 2; }\n',
    },
  ],
  [
    'a private method of C++ that is written outside of its class',
    'a.cpp:3',
    {
      'a.h': 'class A {\n public:\n  void run();\n\n private:\n  int spare();\n};\n',
      'a.cpp': '#include "a.h"\n\nint A::spare() { return 1; }\nvoid A::run() { this->spare(); }\n',
    },
  ],
  [
    'a static member of C++ that is given its value outside of its class',
    'a.cpp:2',
    {
      'a.h': 'class A {\n  static int spare;\n  void f();\n};\n',
      'a.cpp': '#include "a.h"\nint A::spare = 0;\n',
      'b.cpp': '#include "a.h"\nvoid A::f() { spare++; }\n',
    },
  ],
  [
    'a method of C++ whose class is in a file that is included by way of others',
    'src/a.cpp:1',
    {
      'include/z.h': 'class A {\n  int spare();\n  void f();\n};\n',
      'src/a.cpp': 'int A::spare() { return 1; }\n',
      'src/b.cpp': '#include "../include/z.h"\nvoid A::f() { spare(); }\n',
    },
  ],
  [
    'a method that a declaration of a subtype brings',
    'a.cpp:2',
    'struct A {\n  void spare();\n};\nstruct B : A {\n  using A::spare;\n};\n',
  ],
  [
    'a function of one file that another one of the same unit declares',
    'a.c:2',
    {
      'a.c': '#include "b.h"\nstatic int spare(int x) { return x; }\nint g(void) { return h(1); }\n',
      'b.h': 'static int spare(int);\nstatic int h(int x) { return spare(x); }\n',
    },
  ],
  [
    'a function of the shell that has a definition in each of two files',
    'a.sh:1',
    {
      'a.sh': 'spare() {\n  echo 1\n}\n',
      'b.sh': '. ./a.sh\nspare() {\n  echo 2\n}\nspare\n',
    },
  ],
  [
    'a function of the shell in a string that is code',
    'a.sh:1',
    "spare() {\n  echo 1\n}\ntrap 'spare; exit 1' INT\n",
  ],
  [
    'a constructor that a declaration runs',
    'a.cpp:3',
    'class A {\n public:\n  A(int x);\n};\nvoid f() { A a(1); }\n',
  ],
  [
    'a property that is taken apart by its place',
    'a.kt:3',
    'data class Row(\n    val key: String,\n    val spare: List<Int>,\n)\n\nfun f(rows: List<Row>) {\n    for ((key, spare) in rows) {\n        g(key, spare)\n    }\n}\n',
  ],
  [
    'a class of a package that has one for each version',
    'b/java16/p/Own.java:3',
    {
      'a/java/p/Own.java': 'package p;\nclass Own {\n  static void run() {}\n}\n',
      'a/java/p/User.java': 'package p;\nclass User {\n  void f() { Own.run(); }\n}\n',
      'b/java16/p/Own.java': 'package p;\nclass Own {\n  static void run() {}\n}\n',
    },
  ],
  [
    'a name that a macro makes of parts',
    'a.c:2',
    '#define CASE(name) case 1: return fs__##name(1);\nstatic int fs__write(int x) { return x; }\nint f(int x) { switch (x) { CASE(write) } return 0; }\n',
  ],
  [
    'a method of what another library hands back',
    'a.py:5',
    'from copy import copy\n\n\nclass A:\n    def spare(self): ...\n\n\none = copy(A())\none.spare()\n',
  ],
  [
    'an extension, of a receiver that only the lambda names',
    'a.kt:3',
    'package a\n\nprivate fun String.twice(): String = this + this\n\nfun f(l: List<String>) = l.map { it.twice() }\n',
  ],
  [
    'an extension of what another library hands back',
    'a.kt:5',
    'package a\n\nimport lib.wrap\n\nprivate fun String.twice() = 1\n\nfun f(a: String) = wrap(a).twice()\n',
  ],
  [
    'a manual mock',
    '__mocks__/a.js:1',
    {
      '__mocks__/a.js': 'export function spare() {}\n',
      'a.js': 'export function spare() {}\n',
      'a.test.js': "import { spare } from './a.js'\nspare()\n",
    },
  ],
  [
    'a field that a pattern of Rust takes',
    'a.rs:2',
    'struct Size {\n    width: u32,\n}\nfn f(s: Size) -> u32 {\n    let Size { width } = s;\n    width\n}\n',
  ],
  [
    'a method of a class that has nothing to do with the receiver',
    'a.ts:2',
    'export class A {\n  spare(): void {}\n}\nexport class B {\n  spare(): void {}\n}\nexport const f = (b: B) => b.spare()\n',
  ],
  [
    'a function of an imported module that has its name',
    'a.py:5',
    'import boxes\n\n\nclass A:\n    def spare(self): ...\n\n\nboxes.spare()\n',
  ],
  [
    'a constructor of a type that is only written as a type',
    'a.ts:2',
    'class Store {\n  private constructor() {}\n  static size = 1\n}\nexport const f = (s: Store | null) => Store.size\n',
  ],
])('%s may be a use', async (_, asked, files) => {
  const { references, emptiness } = await answerTo(asked, files)
  expect([references.length > 0, emptiness?.isEvidence ?? false]).not.toEqual([false, true])
})

test.each<Row>([
  ['a decorator that hands nothing on', 'a.py:3', 'class A:\n    @staticmethod\n    def spare(): ...\n'],
  [
    'a method of Go that is not exported',
    'a.go:5',
    'package a\n\ntype T struct{}\n\nfunc (t T) spare() {}\n',
  ],
  [
    'a word of a sentence in a string or a comment',
    'a.py:1',
    'def spare(): ...\n\n\n# spare is not used (spare)\nprint("no spare one", "spare, please")\n',
  ],
  [
    'a description in a comment of PHP',
    'a.php:2',
    '<?php\nfunction spare() {}\n/** @param int $x what is spare here */\nfunction f($x) { return $x; }\nf(1);\n',
  ],
  [
    'a local in braces that are markup or a block',
    'a.ts:2',
    {
      'a.ts': 'class A {\n  private title = 1\n}\nexport const a = new A()\n',
      'b.tsx':
        'export const B = ({ x }: { x: string }) => {\n  const title = x\n  return <p a={title}>{title}</p>\n}\n',
    },
  ],
])('%s is none', async (_, asked, files) => {
  const { references, emptiness } = await answerTo(asked, files)
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
    'a package under nearly its own name',
    { 'a.go': 'package a\n\nimport _rand "math/rand"\n\nvar a = _rand.Int()\n' },
    '_rand',
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
    'a call in a file of C of which a part was not read',
    { 'a.c': 'int g(void)\n{\n  return reach(2);\n}\n\nclass A {{\n  int size;\n' },
    'reach',
    false,
  ],
  [
    'a call in a file of C that was read in full',
    { 'a.c': 'int g(void)\n{\n  return reach(2);\n}\n' },
    'reach',
    true,
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

test('what only types and scopes tell to be another one is named, and the answer left open', async () => {
  const tree = await treeOf({
    'a.ts': 'export class Door {\n  shut(): void {}\n}\n',
    'b.ts': 'class Box {\n  shut(): void {}\n}\nexport const f = (box: Box) => box.shut()\n',
    'c.ts': "import { shut } from 'elsewhere'\nshut(1)\n",
  })
  const { emptiness, limits, elsewhere } = await findReferences(tree, await target(tree, 'a.ts:2'))
  const why = 'uses of its name that types and scopes give to another definition: b.ts:4 and 2 more places'
  expect([emptiness, elsewhere]).toEqual([{ isEvidence: false, why }, 3])
  expect(limits).toContain(why)
})

test('what was asked before, in another language, changes no answer', async () => {
  const files = {
    'shop/minimal.ts': 'export interface Minimal {\n  shutDown(): void\n}\n',
    'shop/job.ts':
      "import type { Minimal } from './minimal'\nexport class Job implements Minimal {\n  shutDown() {}\n}\n",
    'shop/use.ts': "import { Job } from './job'\nexport const end = (job: Job) => job.shutDown()\n",
    'shop/door.py': 'class Door:\n    def shutDown(self):\n        return 1\n',
  }
  const alone = await answerTo('shop/minimal.ts:2', files)
  const tree = await treeOf(files)
  await findReferences(tree, await target(tree, 'shop/door.py:2'))
  expect(await findReferences(tree, await target(tree, 'shop/minimal.ts:2'))).toEqual(alone)
})
