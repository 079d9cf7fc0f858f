/** Names that no text has as a word where they are used: made of parts, known by another word, run by what is not code here. */
import { expect, onTestFinished, test } from 'vitest'
import { findDefinitions } from '../../../src/code-index/query/definitions.ts'
import { openCodeTree } from '../../../src/code-index/query/open-tree.ts'
import { findReferences } from '../../../src/code-index/query/references.ts'
import type { Files } from '../../helpers/git-repo.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'
import { edges, snapshotOf, target, treeOf } from './open-repo.ts'

const member = (call: string) =>
  `export class A {\n  handleClick() {}\n  run(type: string) {\n    return ${call}\n  }\n}\n`
const python = (call: string) =>
  `class A:\n    def do_exit(self): ...\n\n    def run(self, name):\n        return ${call}\n`
const registered = (use: string, rest: Files = {}): Files => ({
  'handlers.ts': 'export function spare() {}\n',
  'a.ts': use,
  ...rest,
})

test.each<[string, Files, string]>([
  ['a sum of strings', { 'a.ts': member("this['handle' + type]()") }, 'a.ts:2'],
  ['a template', { 'a.ts': member(`this[\`handle\${type}\`]()`) }, 'a.ts:2'],
  ['the end of a template', { 'a.ts': member(`this[\`\${type}Click\`]()`) }, 'a.ts:2'],
  ['a sum in Python', { 'a.py': python('getattr(self, "do_" + name)()') }, 'a.py:2'],
  ['a format string', { 'a.py': python('getattr(self, f"do_{name}")()') }, 'a.py:2'],
  ['a percent sign', { 'a.py': python('getattr(self, "do_%s" % name)()') }, 'a.py:2'],
  [
    'a string of Ruby',
    { 'a.rb': 'class A\n  def run_it\n    1\n  end\n\n  def f(name)\n    send("run_#{name}")\n  end\nend\n' },
    'a.rb:2',
  ],
  [
    'a string of PHP',
    {
      'a.php':
        "<?php\nclass A {\n  private function getName() {}\n  function f($x) { return $this->{'get' . ucfirst($x)}(); }\n}\n",
    },
    'a.php:3',
  ],
  ['a command of the shell', { 'a.sh': 'cmd_run() { echo 1; }\n"cmd_$1"\n' }, 'a.sh:1'],
  [
    'a macro of Rust',
    {
      'a.rs':
        'fn get_size() {}\nmacro_rules! call { ($n:ident) => { paste! { [<get_ $n>]() } } }\ncall!(size);\n',
    },
    'a.rs:1',
  ],
  ['an option', { 'a.py': 'class A:\n    max_count = 1\n\n\nadd("--max-count")\n' }, 'a.py:2'],
  [
    'an element',
    { 'my-list.ts': 'export class MyList {}\n', 'a.vue': '<template><my-list /></template>\n' },
    'my-list.ts:1',
  ],
  [
    'a property of Kotlin',
    { 'A.java': 'class A {\n  String getSize() { return ""; }\n}\n', 'b.kt': 'fun f(a: A) = a.size\n' },
    'A.java:2',
  ],
  [
    'an accessor of Java',
    {
      'A.kt': 'class A {\n  val size = 1\n}\n',
      'B.java': 'class B {\n  int f(A a) { return a.getSize(); }\n}\n',
    },
    'A.kt:2',
  ],
  ['an attribute of C#', { 'A.cs': 'class SpareAttribute : Base {}\n[Spare]\nclass B {}\n' }, 'A.cs:1'],
  [
    'a word in another case',
    { 'a.php': '<?php\nfunction spare() {}\nfunction f() { return Spare(); }\n' },
    'a.php:2',
  ],
  [
    'a list of words',
    { 'a.js': "class A {\n  click() {}\n}\n'click key'.split(' ').forEach((one) => A.prototype[one]())\n" },
    'a.js:2',
  ],
  ['a query', { 'a.py': 'class A:\n    spare = 1\n\n\nQUERY = "SELECT spare FROM other"\n' }, 'a.py:2'],
  [
    'a function that JSX becomes',
    {
      'h.js': 'export function spare() {}\n',
      'a.jsx': "/** @jsx spare */\nimport { spare as h } from 'x'\n",
    },
    'h.js:1',
  ],
  ['what is left of a variable', { 'a.sh': `spare=1\necho \${1#$spare}\n` }, 'a.sh:1'],
  [
    'a module that is handed on',
    registered("import * as all from './handlers'\nregister(all)\n"),
    'handlers.ts:1',
  ],
  [
    'a module by whose keys something is found',
    registered("import * as all from './handlers'\nexport const f = (x: string) => all[x]\n"),
    'handlers.ts:1',
  ],
  ['a module under a name', registered("export * as handlers from './handlers'\n"), 'handlers.ts:1'],
  [
    'a module that another one hands on',
    registered("import * as all from './index'\nregister(all)\n", {
      'index.ts': "export * from './handlers'\n",
    }),
    'handlers.ts:1',
  ],
  [
    'a module in an object',
    {
      'a.js': "module.exports = { ...require('./handlers') }\n",
      'handlers.js': 'exports.spare = () => {}\n',
    },
    'handlers.js:1',
  ],
  [
    'a module of Python',
    { 'a.py': 'import handlers\n\nprint(dir(handlers))\n', 'handlers.py': 'def spare(): ...\n' },
    'handlers.py:1',
  ],
  ['an entry point', { 'a.go': 'package a\n\nfunc init() {}\n' }, 'a.go:3'],
  [
    'a method of a subtype that runs the next one',
    {
      'a.rb': 'class A\n  def spare\n    1\n  end\nend\nclass B < A\n  def spare\n    super\n  end\nend\n',
    },
    'a.rb:2',
  ],
  ['assembly', { 'a.go': 'package a\n\nfunc spare()\n', 'a.s': 'TEXT ·spare(SB), 4, $0\n' }, 'a.go:3'],
  [
    'a value that the compiler puts in',
    { 'a.scala': 'object A {\n  implicit val spare: Ordering[Int] = null\n}\n' },
    'a.scala:2',
  ],
  [
    'a protocol that reads all fields',
    { 'a.swift': 'struct A: Codable {\n  private let spare: Int\n}\n' },
    'a.swift:2',
  ],
  [
    'a protocol that asks for a type',
    { 'a.swift': 'struct A: Sequence {\n  typealias Spare = Int\n}\n' },
    'a.swift:2',
  ],
  ['a function that other programs get', { 'a.sh': 'spare() {\n  echo 1\n}\nexport -f spare\n' }, 'a.sh:1'],
  ['a specialisation', { 'a.h': 'namespace std {\ntemplate <>\nstruct hash<A> {};\n}\n' }, 'a.h:3'],
  ['a conversion', { 'A.java': 'class A {\n  public String toString() { return ""; }\n}\n' }, 'A.java:2'],
  ['a hook of Ruby', { 'a.rb': 'class A\n  def self.inherited(sub)\n    super\n  end\nend\n' }, 'a.rb:2'],
  [
    'a pattern of C#',
    { 'A.cs': 'class A {\n  public void Deconstruct(out int x) { x = 1; }\n}\n' },
    'A.cs:2',
  ],
  ['a loop of C++', { 'a.cpp': 'struct A {\n  int* begin() { return nullptr; }\n};\n' }, 'a.cpp:2'],
  [
    'an operator beside its type',
    { 'a.kt': 'package a\n\noperator fun String.times(x: Int) = 1\n' },
    'a.kt:3',
  ],
  ['a derived reader', { 'a.rs': '#[derive(Debug, Serialize)]\nstruct A {\n    spare: u32,\n}\n' }, 'a.rs:3'],
  ['a tag', { 'a.go': 'package a\n\ntype A struct {\n\tSpare int `json:"other"`\n}\n' }, 'a.go:4'],
  ['a mark of the type', { 'a.kt': '@Serializable\nclass A(\n    private val spare: Int,\n)\n' }, 'a.kt:3'],
  ['the environment', { 'a.sh': 'export SPARE=1\nexec other\n' }, 'a.sh:1'],
])('nothing names it, yet %s may', async (_, files, asked) => {
  const tree = await treeOf(files)
  const { references, emptiness } = await findReferences(tree, await target(tree, asked))
  expect(references.every(({ role }) => role === 'export' || role === 'import')).toBe(true)
  expect(emptiness?.isEvidence ?? false).toBe(false)
})

test.each<[string, Files, string]>([
  [
    'a string with more in it than a name',
    { 'a.ts': member(`go(\`handle/\${type}\`, \`handle \${type} now\`)`) },
    'a.ts:2',
  ],
  [
    'a module of which names are taken',
    registered("import * as all from './handlers'\nall.other()\nall\n  .more()\n"),
    'handlers.ts:1',
  ],
  [
    'traits that the language derives',
    { 'a.rs': '#[derive(Debug, Clone, PartialEq)]\nstruct A {\n    spare: u32,\n}\n' },
    'a.rs:3',
  ],
  [
    'a local function, which no string reaches',
    { 'a.js': "export function f(x) {\n  function onClick() {}\n  return x['on' + x]\n}\n" },
    'a.js:2',
  ],
])('%s leaves nothing in doubt', async (_, files, asked) => {
  const tree = await treeOf(files)
  const { references, emptiness } = await findReferences(tree, await target(tree, asked))
  expect([references, emptiness?.isEvidence]).toEqual([[], true])
})

test.each<[string, Files, string]>([
  [
    'a string of Ruby',
    { 'a.rb': 'class A\n  define_method("#{x}_path") { 1 }\nend\nA.new.root_path\n' },
    'root_path',
  ],
  [
    'a sum of strings',
    { 'a.js': "for (const x of ['Click']) A.prototype['on' + x] = f\na.onClick()\n" },
    'onClick',
  ],
  [
    'a list of words',
    { 'a.py': 'A = namedtuple("A", "reach other")\n\n\ndef f(a):\n    return a.reach\n' },
    'reach',
  ],
  ['a macro that is given it', { 'a.rs': 'make!(reach);\nfn f() { reach(); }\n' }, 'reach'],
  [
    'an alias of TypeScript',
    { 'a.ts': "import x from 'x'\nimport reach = x.y\nexport const f = () => reach()\n" },
    'reach',
  ],
  ['a global of JavaScript', { 'a.js': 'reach = 1\nh(reach)\n' }, 'reach'],
  ['a parameter of a type', { 'a.py': 'def f[Reach](x: Reach) -> Reach:\n    return x\n' }, 'Reach'],
  [
    'a property of Kotlin',
    { 'A.kt': 'class A(val reach: Int)\n', 'B.java': 'class B { int f(A a) { return a.getReach(); } }\n' },
    'getReach',
  ],
  [
    'a file of Kotlin',
    { 'reach.kt': 'fun f() = 1\n', 'B.java': 'class B { int f() { return ReachKt.f(); } }\n' },
    'ReachKt',
  ],
  ['an attribute of C#', { 'A.cs': 'class ReachAttribute : X {}\n[Reach]\nclass B {}\n' }, 'Reach'],
  [
    'an object of C#',
    { 'A.cs': 'class A { int f() { var x = new { reach = 1 }; return x.reach; } }\n' },
    'reach',
  ],
  [
    'a trait under another name',
    { 'a.php': '<?php\nclass A { use T { other as reach; } }\nfunction f($a) { return $a->reach(); }\n' },
    'reach',
  ],
  [
    'a tuple',
    {
      'a.swift': 'func g() -> (reach: Int, x: Int) { return (1, 2) }\nfunc f() -> Int { return g().reach }\n',
    },
    'reach',
  ],
  [
    'a wrapped property',
    { 'a.swift': 'struct A { @State var reach = 1; func f() { g(_reach) } }\n' },
    '_reach',
  ],
  [
    'a pointer to a function',
    { 'a.cpp': 'void (*g_hook)() = nullptr;\n\nint f() { return g_hook ? 1 : 0; }\n' },
    'g_hook',
  ],
  [
    'a variable of a class without a name',
    {
      'a.cpp':
        'static THREAD_LOCAL class {\npublic:\n  int push() { return 1; }\n} g_stack; // kept\n\nint f() { return g_stack.push(); }\n',
    },
    'g_stack',
  ],
  ['a default of the shell', { 'a.sh': `: "\${reach:=1}"\necho "$reach"\n` }, 'reach'],
])('that it is defined nowhere is not certain beside %s', async (_, files, name) => {
  const { definitions, emptiness } = await findDefinitions(await treeOf(files), name)
  expect([definitions, emptiness?.isEvidence]).toEqual([[], false])
})

test('a file of code that is too large to be read may use and define anything, another what it holds', async () => {
  const words = '// words\n'.repeat(130_000)
  const large = `${words}spare()\nfunction reach() {}\n`
  const files = {
    'a.js': 'export class A {\n  spare() {}\n}\nconst f = (a) => a.reach()\n',
    'data.txt': words,
  }
  const answers = async (files: Files) => {
    const store = sharedFacts()
    onTestFinished(() => store.close())
    const tree = await openCodeTree(await snapshotOf(files), store)
    const { emptiness } = await findReferences(tree, await target(tree, 'a.js:2'))
    return [emptiness?.isEvidence, (await findDefinitions(tree, 'reach')).emptiness?.isEvidence]
  }
  expect(await answers(files)).toEqual([true, true])
  expect(await answers({ ...files, 'bundle.js': words })).toEqual([false, false])
  expect(await answers({ ...files, 'data.txt': large })).toEqual([false, false])
})

test.each([false, true])('a list of what a module offers is an export (by an index: %s)', async (indexed) => {
  const files = { 'a.py': '__all__ = ["spare"]\n\n\ndef spare(): ...\n' }
  const tree = await treeOf(files, { indexed })
  expect(edges(await findReferences(tree, await target(tree, 'a.py:4')))).toEqual([
    'a.py:1 export same file 1',
  ])
})
