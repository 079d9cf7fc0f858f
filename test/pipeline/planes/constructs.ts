/**
 * Language × construct: what the checks that resolve names say where a name does not simply stand for what is written in
 * one place. The table in docs/quality/witnesses.md has these rows.
 */
import type { Changed, Texts } from '../../helpers/in-memory/change.ts'

export type Construct = {
  language: string
  construct: string
  base: Texts
  head: Changed
  /** `path rule severity confidence`, sorted; none: nothing is said. */
  says: readonly string[]
}

const high = (path: string, rule: string) => `${path} ${rule} high certain`
const medium = (path: string, rule: string) => `${path} ${rule} medium likely`

const text =
  'export function parse(text: string): string {\n  return text\n}\nexport default function load() {}\n'
const cargo = '[package]\nname = "kit"\nversion = "0.1.0"\n'
const module = 'module example.com/kit\n\ngo 1.22\n'

export const constructs: readonly Construct[] = [
  {
    language: 'TypeScript',
    construct: 'import of a file in the same folder',
    base: { 'a.ts': text },
    head: { 'b.ts': "import { pasre } from './a.ts'\n" },
    says: [high('b.ts', 'new-code/unknown-export')],
  },
  {
    language: 'TypeScript',
    construct: 'dynamic import',
    base: { 'a.ts': text },
    head: {
      'b.ts':
        "export const commands = {\n  one: () => import('./a.js').then((m) => m.default),\n  two: () => import('./a.js').then(({ parse }) => parse('a')),\n  three: () => import('./a.js').catch(() => null),\n}\n",
    },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: '`export *` of a file',
    base: { 'a.ts': text, 'index.ts': "export * from './a.ts'\n" },
    head: { 'b.ts': "import { pasre } from './index.ts'\n" },
    says: [medium('b.ts', 'new-code/unknown-export')],
  },
  {
    language: 'TypeScript',
    construct: '`export *` of a generated file, of a package, or of a file that names what is generated',
    base: {
      'client.d.ts': "export * from './made'\n",
      'open.ts': "export * from 'elsewhere'\n",
      'index.ts': "export * from './language/index.js'\n",
      'language/index.ts': "export { Pie, Chart } from './generated/ast.js'\n",
    },
    head: {
      'b.ts':
        "import { Prisma } from './client'\nimport { other } from './open.ts'\nimport type { Chart } from './index.js'\n",
    },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 're-export under another name, the word `default` among them',
    base: { 'a.ts': text, 'index.ts': "export { parse as read, default as load, default } from './a.ts'\n" },
    head: { 'b.ts': "import load2, { load, read } from './index.ts'\n" },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'declared module and merged namespace',
    base: {
      'a.ts':
        "export class Store {}\nexport namespace Store {\n  export const limit = 1\n}\ndeclare module './a.ts' {\n  interface Store {\n    extra(): void\n  }\n}\n",
    },
    head: { 'b.ts': "import { Store } from './a.ts'\n\nStore.limit\nnew Store().extra()\n" },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'declaration files that declare one module together',
    base: {
      'types/index.d.ts':
        "/// <reference path='./models.d.ts' />\ndeclare module 'shop' {\n  export const limit: number\n}\n",
      'types/models.d.ts': "declare module 'shop' {\n  interface Row {\n    id: string\n  }\n}\n",
    },
    head: { 'b.ts': "import { type Row } from './types/index'\n\nexport const row: Row = { id: 'a' }\n" },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'call over several lines that loses an argument with its parameter',
    base: {
      'a.ts':
        'export function perform(\n  first: string,\n  middle: Date,\n  pop: () => string,\n  last: () => void,\n): void {}\n\nperform(\n  "a",\n  new Date(),\n  () => "b",\n  () => {},\n)\n',
    },
    head: {
      'a.ts':
        'export function perform(\n  first: string,\n  pop: () => string,\n  last: () => void,\n): void {}\n\nperform(\n  "a",\n  () => "b",\n  () => {},\n)\n',
    },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: '`export *` of a file with syntax that was not read, in which the name may be',
    base: {
      'core.ts': 'export const parse = make<<(((\n',
      'index.ts': "export * from './core.ts'\nexport const version = 1\n",
    },
    head: { 'b.ts': "import { parse } from './index.ts'\n" },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'import that is marked as an expected error',
    base: { 'a.ts': text },
    head: { 'b.ts': "import {\n  // @ts-expect-error\n  pasre,\n} from './a.ts'\n" },
    says: [],
  },
  {
    language: 'Python',
    construct: 'lambda that a class gives a name',
    base: { 'a.py': 'A = 1\n' },
    head: {
      'a.py':
        'A = 1\n\n\nclass Kit:\n    twice = lambda self, x: x * 2\n\n    def load(self):\n        return self.twice(1)\n',
    },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'path mapping',
    base: {
      'tsconfig.json': '{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"] } } }\n',
      'src/a.ts': text,
    },
    head: { 'src/b.ts': "import { pasre } from '@/a'\n" },
    says: [medium('src/b.ts', 'new-code/unknown-export')],
  },
  {
    language: 'TypeScript',
    construct: 'path mapping that a script meets, or that a package of the same name disagrees with',
    base: {
      'tsconfig.json':
        '{ "compilerOptions": { "baseUrl": "src", "paths": { "shop": ["./"], "@/*": ["*"] } } }\n',
      'package.json': '{ "name": "shop", "main": "lib/web.js" }\n',
      'lib/web.js': 'exports.draw = () => {}\n',
      'src/index.ts': text,
    },
    head: {
      'examples/a.js': "import { draw } from 'shop'\nimport { other } from '@/index'\n\ndraw(other)\n",
      'examples/b.ts': "import { draw } from 'shop'\n\ndraw()\n",
    },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'package of the workspace, conditional exports',
    base: {
      'package.json': '{ "private": true, "workspaces": ["packages/*"] }\n',
      'packages/core/package.json':
        '{ "name": "@kit/core", "exports": { ".": { "browser": "./dist/browser.js", "default": "./dist/index.js" } } }\n',
      'packages/core/src/browser.ts': 'export const inBrowser = true\n',
      'packages/core/src/index.ts': text,
    },
    head: { 'packages/app/b.ts': "import { pasre } from '@kit/core'\n" },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'callers of a removed function whose name nothing else has',
    base: { 'a.ts': text, 'b.ts': "import { parse } from './a.ts'\n\nparse('a')\n" },
    head: { 'a.ts': 'export default function load() {}\n' },
    says: [high('a.ts', 'contract/removed-symbol')],
  },
  {
    language: 'TypeScript',
    construct: 'callers of a changed function, of which the tree has one',
    base: { 'a.ts': text, 'b.ts': "import { parse } from './a.ts'\n\nparse('a')\n" },
    head: { 'a.ts': text.replace('text: string)', 'text: string, strict: boolean)') },
    says: [high('a.ts', 'contract/signature-arity')],
  },
  {
    language: 'TypeScript',
    construct: 'callers of a changed function, of which the tree has two',
    base: {
      'a.ts': text,
      'b.ts': "import { parse } from './a.ts'\n\nparse('a')\n",
      'c.ts': 'export function parse() {}\n',
    },
    head: { 'a.ts': text.replace('text: string)', 'text: string, strict: boolean)') },
    says: [medium('a.ts', 'contract/signature-arity')],
  },
  {
    language: 'TypeScript',
    construct: 'decorated method',
    base: {
      'a.ts':
        'declare function bind(n: number): MethodDecorator\nexport class Store {\n  @bind(1)\n  load(a: string) {\n    return a\n  }\n}\n',
      'b.ts': "import { Store } from './a.ts'\n\nnew Store().load('a')\n",
    },
    head: {
      'a.ts':
        'declare function bind(n: number): MethodDecorator\nexport class Store {\n  @bind(1)\n  load(a: string, b: string) {\n    return a + b\n  }\n}\n',
    },
    says: [high('a.ts', 'contract/signature-arity')],
  },
  {
    language: 'JavaScript',
    construct: 'CommonJS, filled in a loop over the names of another package',
    base: {
      'syntax.js':
        "const { Syntax } = require('esprima')\nfor (const type in Syntax) exports[type] = Syntax[type]\nfunction add(type) {\n  exports[type] = type\n}\nadd('File')\n",
    },
    head: { 'b.js': "const Syntax = require('./syntax')\nconsole.log(Syntax.Identifier)\n" },
    says: [],
  },
  {
    language: 'JavaScript',
    construct: 'CommonJS, filled at run time',
    base: { 'a.js': "for (const name of ['one', 'two']) module.exports[name] = () => name\n" },
    head: { 'b.js': "const { one, three } = require('./a.js')\n\none(three)\n" },
    says: [],
  },
  {
    language: 'JavaScript',
    construct: 'default export in a list',
    base: { 'a.js': 'const a = 1\nexport default a\n', 'b.js': "import a from './a.js'\n\na\n" },
    head: { 'a.js': 'const a = 1\nexport { a as default, a }\n' },
    says: [],
  },
  {
    language: 'Python',
    construct: 'import of a module',
    base: { 'kit/__init__.py': '', 'kit/a.py': 'def parse(text):\n    return text\n' },
    head: { 'kit/b.py': 'from kit.a import pasre\n' },
    says: [high('kit/b.py', 'new-code/unknown-export')],
  },
  {
    language: 'Python',
    construct: '`import *`, also of a module that is built, and `__getattr__`',
    base: {
      'kit/__init__.py': '',
      'kit/a.py': 'def parse(text):\n    return text\n',
      'kit/all.py': 'from kit.a import *\n',
      'kit/fast.py': 'from kit._speedups import *\n',
      'kit/lazy.py': 'def __getattr__(name):\n    return name\n',
    },
    head: {
      'kit/b.py': 'from kit.lazy import anything\nfrom kit.all import parse\nfrom kit.fast import escape\n',
    },
    says: [],
  },
  {
    language: 'Python',
    construct: 'metaclass and class decorator',
    base: {
      'a.py':
        'from dataclasses import dataclass\n\n\nclass Meta(type):\n    def __call__(cls, *args):\n        return args\n\n\nclass Made(metaclass=Meta):\n    def __init__(self, a):\n        self.a = a\n\n\n@dataclass\nclass Row:\n    a: int\n    b: int = 1\n',
    },
    head: { 'b.py': 'from a import Made, Row\n\nMade(1, 2, 3)\nRow(1, 2)\n' },
    says: [],
  },
  {
    language: 'Python',
    construct: 'member of a subtype behind a written base type',
    base: {
      'kit.py': 'class Widget:\n    def chosen_text(self):\n        return 1\n',
      'select.py':
        'from kit import Widget\n\n\nclass Select(Widget):\n    def chosen_text(self):\n        return 2\n',
      'b.py': 'from kit import Widget\n\n\ndef run(widget: Widget):\n    return widget.chosen_text()\n',
    },
    head: { 'kit.py': 'class Widget:\n    pass\n' },
    says: [],
  },
  {
    language: 'Go',
    construct: 'name of a package',
    base: { 'go.mod': module, 'text/text.go': 'package text\n\nfunc Parse(s string) string { return s }\n' },
    head: {
      'main.go': 'package main\n\nimport "example.com/kit/text"\n\nfunc main() { text.Pasre("a") }\n',
    },
    says: [high('main.go', 'new-code/unknown-export')],
  },
  {
    language: 'Go',
    construct: 'call whose one argument is a call that gives one result, when a parameter is added',
    base: {
      'go.mod': module,
      'key.go': 'package kit\n\nfunc prefix(issuer string) string { return issuer }\n',
      'use.go':
        'package kit\n\ntype Manager struct{}\n\nfunc (m *Manager) issuer(at int) string { return "a" }\n\nfunc (m *Manager) path() string {\n\treturn prefix(m.issuer(1))\n}\n',
    },
    head: { 'key.go': 'package kit\n\nfunc prefix(issuer, kind string) string { return issuer + kind }\n' },
    says: [high('key.go', 'contract/signature-arity')],
  },
  {
    language: 'Go',
    construct: 'call whose one argument is a call that gives two results, or comes from elsewhere',
    base: {
      'go.mod': module,
      'key.go': 'package kit\n\nfunc prefix(issuer string) string { return issuer }\n',
      'use.go':
        'package kit\n\nimport "example.com/other"\n\nfunc pair() (string, string) { return "a", "b" }\n\nfunc path() string {\n\treturn prefix(other.Issuer(1)) + prefix(pair())\n}\n',
    },
    head: { 'key.go': 'package kit\n\nfunc prefix(issuer, kind string) string { return issuer + kind }\n' },
    says: [],
  },
  {
    language: 'Go',
    construct: 'file for another platform',
    base: {
      'go.mod': module,
      'a_linux.go': 'package kit\n\nfunc open(a string) {}\n',
      'a_windows.go': 'package kit\n\nfunc open(a string, b string) {}\n',
    },
    head: { 'b.go': 'package kit\n\nfunc run() { open("a") }\n' },
    says: [],
  },
  {
    language: 'Rust',
    construct: 'macro around a definition',
    base: {
      'Cargo.toml': cargo,
      'src/lib.rs': 'mod a;\nmod b;\n',
      'src/a.rs': 'pub fn wake() -> usize {\n    7\n}\n',
      'src/b.rs': 'use crate::a::wake;\n\nfn run() -> usize {\n    wake()\n}\n',
    },
    head: { 'src/a.rs': 'cfg_rt! {\n    pub fn wake() -> usize {\n        7\n    }\n}\n' },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'addition to a global type that is removed',
    base: {
      'a.ts':
        'export interface Editor {}\n\ndeclare global {\n  interface HTMLElement {\n    editor?: Editor\n  }\n}\n\nexport const root = (one: HTMLElement): HTMLElement => one\n',
    },
    head: {
      'a.ts': 'export interface Editor {}\n\nexport const root = (one: HTMLElement): HTMLElement => one\n',
    },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'member of an object in a function that is named like a function of the file',
    base: { 'a.ts': text },
    head: {
      'b.ts':
        'export function controller(label: string) {\n  return {\n    validate: value => validate(value, 1, label),\n  }\n}\n\nfunction validate(value: string, least: number, label: string) {\n  return value.length > least && label\n}\n',
    },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'name in a tuple type',
    base: {
      'a.ts':
        'type Abort = () => void\nexport type Blocks = [store: number, abortPromise: Abort]\n\nfunction abortPromise(): void {}\n\nexport const run = () => abortPromise()\n',
    },
    head: {
      'a.ts':
        'type Abort = () => void\nexport type Blocks = [store: number, abortPromise: Abort]\n\nexport const run = () => {}\n',
    },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'default import of a file with `export =`',
    base: {
      'words.ts': "export const words = { hello: 'Hello' }\n",
      'en.cts': "import { words } from './words'\nexport = words\n",
      'b.ts': "import { words } from './words'\n\nexport const greet = () => words.hello\n",
    },
    head: {
      'en.cts': "export = { hello: 'Hello' }\n",
      'words.ts': "import words from './en.cjs'\nexport type Word = keyof typeof words\n",
      'b.ts': "import words from './en.cjs'\n\nexport const greet = () => words.hello\n",
    },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'statement with `declare` that is removed',
    base: { 'a.ts': 'declare var jasmine: any\n\nexport const run = () => jasmine.getEnv()\n' },
    head: { 'a.ts': "import 'jasmine-core/boot.js'\n\nexport const run = () => jasmine.getEnv()\n" },
    says: [],
  },
  {
    language: 'JavaScript',
    construct: 'field that the constructor gives instead of a declaration',
    base: {
      'a.js':
        'class Box {\n  undeclaredWidth = 1\n  constructor() {\n    this.other = 2\n  }\n}\n\nexport function run() {\n  const box = new Box()\n  return box.undeclaredWidth\n}\n',
    },
    head: {
      'a.js':
        'class Box {\n  constructor() {\n    this.undeclaredWidth = 1\n  }\n}\n\nexport function run() {\n  const box = new Box()\n  return box.undeclaredWidth\n}\n',
    },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'dynamic imports of one name from several files',
    base: {
      'a.ts': 'export function parseFile(source: string) {\n  return source\n}\n',
      'c.ts': 'export function parseFile(source: string, options: object) {\n  return options && source\n}\n',
    },
    head: {
      'b.ts':
        "export async function run(name: string) {\n  if (name === 'a') {\n    const { parseFile } = await import('./a.ts')\n    return parseFile(name)\n  }\n  const { parseFile } = await import('./c.ts')\n  return parseFile(name, {})\n}\n",
    },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'first parameter that is renamed, with an optional one behind it',
    base: {
      'a.ts': 'export function find(path: string) {\n  return path\n}\n',
      'b.ts': "import { find } from './a.ts'\n\nexport const found = (where: string) => find(where)\n",
    },
    head: { 'a.ts': 'export function find(stem: string, path?: string) {\n  return path ?? stem\n}\n' },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'class whose base is computed, and its constructor is not here',
    base: {
      'a.ts':
        "const Parent = typeof BroadcastChannel === 'undefined' ? class {} : BroadcastChannel\n\nexport class Strict<Messages extends object> extends (Parent as new (name: string) => object) {\n  messages?: Messages\n}\n",
    },
    head: { 'b.ts': "import { Strict } from './a.ts'\n\nexport const channel = new Strict('words')\n" },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'name of the platform that a file no longer covers',
    base: {
      'a.ts':
        "const DOMException = globalThis.DOMException ?? Error\n\nexport const fault = () => new DOMException('aborted')\n",
    },
    head: { 'a.ts': "export const fault = () => new DOMException('aborted')\n" },
    says: [],
  },
  {
    language: 'JavaScript',
    construct: '`exports` under another name',
    base: {
      'lib/log.js':
        "const util = require('./util')\nconst log = exports\nlog.config = require('./config')\nfunction unused() {}\n",
      'lib/config.js': 'exports.levels = 3\n',
      'lib/util.js': 'exports.a = 3\n',
    },
    head: { 'test/a.test.js': "const log = require('../lib/log')\n\nlog.config.levels\n" },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'call of what a getter returns',
    base: {
      'scope.ts':
        'export class Scope {\n  get get() {\n    return this.provider.get.bind(this.provider)\n  }\n}\n',
    },
    head: { 'b.ts': "import { Scope } from './scope.ts'\n\nnew Scope().get('a')\n" },
    says: [],
  },
  {
    language: 'Python',
    construct: 'method that is defined for one version of Python only',
    base: {
      'pipe.py':
        'class Pipe:\n    if PY2:\n        def feed(self, data):\n            pass\n    else:\n        def feed(self, data):\n            return 1\n',
    },
    head: { 'b.py': 'from pipe import Pipe\n\nPipe().feed(1)\n' },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'what a declaration file declares without `export`',
    base: { 'types.d.ts': "import { A } from 'a'\n\ntype Options = A\nexport type Name = string\n" },
    head: { 'b.ts': "import { Options } from './types'\n\nexport const all: Options[] = []\n" },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'type that moves to a declaration file for all files',
    base: { 'error.ts': 'type Raw = { code: string }\n\nexport class Failure {\n  raw?: Raw\n}\n' },
    head: {
      'error.ts': 'export class Failure {\n  raw?: Raw\n}\n',
      'types.d.ts': "type Raw = { code: string; emitter: import('events').EventEmitter }\n",
    },
    says: [],
  },
  {
    language: 'Rust',
    construct: 're-export that moves into a macro',
    base: {
      'Cargo.toml': '[package]\nname = "a"\n',
      'src/lib.rs': 'pub mod proto;\npub mod client;\n',
      'src/proto.rs': 'pub mod h1;\npub use self::h1::Conn;\n',
      'src/proto/h1.rs': 'pub struct Conn;\n',
      'src/client.rs': 'use crate::proto::Conn;\n\npub fn open() -> Conn {\n    Conn\n}\n',
    },
    head: { 'src/proto.rs': 'cfg_http1! {\n    pub mod h1;\n    pub use self::h1::Conn;\n}\n' },
    says: [],
  },
  {
    language: 'Rust',
    construct: 'field in a macro with the name of a macro that goes',
    base: {
      'Cargo.toml': '[package]\nname = "a"\n',
      'src/lib.rs':
        'macro_rules! meta {\n    () => { 1 };\n}\n\nmacro_rules! event {\n    ($e:expr) => { Event { meta: $e } };\n}\n',
    },
    head: { 'src/lib.rs': 'macro_rules! event {\n    ($e:expr) => { Event { meta: $e } };\n}\n' },
    says: [],
  },
  {
    language: 'JavaScript',
    construct: 'import of a file that moved, whose path now means another place',
    base: {
      'src/hooks/use.js': 'export function use() {}\n',
      'src/hooks/tests/use.test.js':
        "import { use } from '../use'\n\ntest('use', () => {\n  use()\n  use()\n  use()\n})\n",
    },
    head: {
      'src/hooks/use.js': null,
      'src/hooks/tests/use.test.js': null,
      'packages/a/tests/use.notest.js':
        "import { use } from '../use'\n\ntest('use', () => {\n  use()\n  use()\n  use()\n})\n",
    },
    says: [],
  },
  {
    language: 'Rust',
    construct: 'constant function that moves into a macro',
    base: {
      'Cargo.toml': '[package]\nname = "a"\n',
      'src/lib.rs':
        'pub struct Atomic;\n\nimpl Atomic {\n    pub const fn null() -> Self {\n        Atomic\n    }\n}\n\npub fn make() -> Atomic {\n    Atomic::null()\n}\n',
    },
    head: {
      'src/lib.rs':
        'pub struct Atomic;\n\nimpl Atomic {\n    const_fn! {\n        pub const fn null() -> Self {\n            Atomic\n        }\n    }\n}\n\npub fn make() -> Atomic {\n    Atomic::null()\n}\n',
    },
    says: [],
  },
  {
    language: 'Rust',
    construct: '`into` that becomes a `From` of the other type',
    base: {
      'Cargo.toml': '[package]\nname = "a"\n',
      'src/lib.rs':
        'pub struct Selected(usize);\n\nimpl Selected {\n    pub fn into(self) -> usize {\n        self.0\n    }\n}\n\npub fn code(one: Selected) -> usize {\n    one.into()\n}\n',
    },
    head: {
      'src/lib.rs':
        'pub struct Selected(usize);\n\nimpl From<Selected> for usize {\n    fn from(one: Selected) -> usize {\n        one.0\n    }\n}\n\npub fn code(one: Selected) -> usize {\n    one.into()\n}\n',
    },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'one wrong call in several files',
    base: { 'a.ts': 'export function only(a: number): number {\n  return a\n}\n' },
    head: {
      'b.ts': "import { only } from './a.ts'\n\nonly()\n",
      'c.ts': "import { only } from './a.ts'\n\nonly()\n",
    },
    says: [medium('b.ts', 'new-code/argument-count')],
  },
  {
    language: 'JavaScript',
    construct: 'import of what a declaration file leaves out, and of the folder of a package that is built',
    base: {
      'package.json': '{ "name": "shop", "main": "lib/index.js", "types": "index.d.ts" }\n',
      'index.d.ts': 'export declare function parse(text: string): string\n',
      'src/index.js': 'export const parse = (text) => text\nexport const fill = 1\n',
      'other.d.ts': 'export declare const one: number\n',
      'other.js': 'exports.one = 1\nexports.two = 2\n',
    },
    head: {
      'test/a.js': "import { fill } from '../'\nimport { two } from '../other'\n\nfill(two)\n",
      'test/b.ts': "import { fill } from '..'\n\nfill()\n",
    },
    says: [],
  },
  {
    language: 'JavaScript',
    construct: 'module that is handed to a function, which may fill it',
    base: { 'lib/log.js': "require('pkginfo')(module, 'version')\nfunction unused() {}\n" },
    head: { 'test/a.test.js': "const log = require('../lib/log')\n\nlog.version\n" },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'type in a comment of JavaScript',
    base: {
      'meta.mjs':
        '/**\n * @typedef {readonly [string, { import: string }]} Entry\n */\nexport const entries = []\n',
    },
    head: { 'b.ts': "import type { Entry } from './meta.mjs'\n" },
    says: [],
  },
  {
    language: 'JavaScript',
    construct: 'method that another file still assigns to the prototype',
    base: {
      'lib/core.js':
        'class Node {\n  compare(other) {\n    return other\n  }\n}\n\nmodule.exports = { Node }\n',
      'lib/node.js':
        "const { Node } = require('./core')\n\nNode.prototype.compare = function (other) {\n  return other\n}\n",
      'lib/use.js': "const { Node } = require('./core')\n\nconst node = new Node()\nnode.compare(node)\n",
    },
    head: { 'lib/core.js': 'class Node {}\n\nmodule.exports = { Node }\n' },
    says: [],
  },
  {
    language: 'JavaScript',
    construct: 'bundle in the root of the project that has its own copy of a method that goes',
    base: {
      'lib/part.js':
        'class Part {\n  performAppear() {\n    return 1\n  }\n  show() {\n    return this.performAppear()\n  }\n}\n\nmodule.exports = Part\n',
      'index.js':
        '(function webpackUniversalModuleDefinition(root, factory) {\n  module.exports = factory()\n})(this, function () {\n  const part = {}\n  part.show = () => _this.performAppear()\n})\n',
    },
    head: {
      'lib/part.js': 'class Part {\n  show() {\n    return 1\n  }\n}\n\nmodule.exports = Part\n',
    },
    says: [],
  },
  {
    language: 'JavaScript',
    construct: 'new parameter in the middle of a function that sorts out what it is given',
    base: {
      'lib/a.js':
        'function watch(events, callback) {\n  return callback(events)\n}\n\nmodule.exports = { watch }\n',
      'test/a.test.js':
        "const { watch } = require('../lib/a')\n\nwatch('a', function (all) { return all })\n",
    },
    head: {
      'lib/a.js':
        'function watch(events, options, callback) {\n  if (!callback) callback = options\n  return callback(events)\n}\n\nmodule.exports = { watch }\n',
    },
    says: [],
  },
  {
    language: 'JavaScript',
    construct: 'global that loses its declaration and is still assigned',
    base: {
      'test/all.js': 'const brackets = riot.brackets\n\nafter(() => {\n  riot.brackets = brackets\n})\n',
    },
    head: { 'test/all.js': 'brackets = riot.brackets\n\nafter(() => {\n  riot.brackets = brackets\n})\n' },
    says: [],
  },
  {
    language: 'Rust',
    construct: 'type that becomes another name of a type from elsewhere',
    base: {
      'Cargo.toml': cargo,
      'src/lib.rs':
        'struct Info {\n    provider: String,\n}\n\npub fn show(info: &Info) -> &str {\n    &info.provider\n}\n',
    },
    head: {
      'src/lib.rs':
        'use other::Snapshot;\n\ntype Info = Snapshot;\n\npub fn show(info: &Info) -> &str {\n    &info.provider\n}\n',
    },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'wrong call that a test of types expects',
    base: { 'a.ts': 'export function only(a: number): number {\n  return a\n}\n' },
    head: { 'types_test/b.ts': "import { only } from '../a.ts'\n\n// typings:expect-error\nonly()\n" },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'built files that are no longer kept',
    base: {
      'dist/index.ts': 'export function only(): number {\n  return 1\n}\n',
      'test/a.test.ts': "import { only } from '../dist/index.ts'\n\nonly()\n",
    },
    head: { 'dist/index.ts': null },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'several members of one class that are removed',
    base: {
      'a.ts': 'export class Store {\n  save() {}\n  load() {}\n  keep() {}\n}\n',
      'b.ts':
        "import { Store } from './a.ts'\n\nconst store = new Store()\nstore.save()\nstore.load()\nstore.keep()\n",
    },
    head: { 'a.ts': 'export class Store {\n  keep() {}\n}\n' },
    says: [high('a.ts', 'contract/removed-symbol')],
  },
  {
    language: 'JavaScript',
    construct: 'members that the default export is given',
    base: {
      'src/index.js':
        "import express from './express'\n\nexport default function init() {}\n\nObject.assign(init, { express })\n",
      'src/express.js': 'export default {}\n',
    },
    head: { 'test/index.test.js': "import init, { express } from '../src'\n" },
    says: [],
  },
  {
    language: 'JavaScript',
    construct: 'function that moved to another script of the page',
    base: {
      'page/index.js':
        "(function() {\n\tfunction baseUrl() {\n\t\tconst output = location.origin\n\t\treturn output.replace(/[/]$/, '')\n\t}\n\twindow.show = () => baseUrl()\n})()\n",
    },
    head: {
      'page/index.js': '(function() {\n\twindow.show = () => baseUrl()\n})()\n',
      'page/helpers.js':
        "function baseUrl() {\n\tconst output = location.origin\n\treturn output.replace(/[/]$/, '')\n}\n",
    },
    says: [],
  },
  {
    language: 'Rust',
    construct: 'macro that is given the names of what it writes',
    base: {
      'Cargo.toml': cargo,
      'src/lib.rs': 'mod a;\nmod b;\n',
      'src/a.rs': 'pub fn get() -> usize {\n    7\n}\n\npub fn post() -> usize {\n    8\n}\n',
      'src/b.rs': 'use crate::a;\n\nfn run() -> usize {\n    a::get() + a::post()\n}\n',
    },
    head: {
      'src/a.rs':
        'macro_rules! route {\n    ($name:ident, $value:expr) => {\n        pub fn $name() -> usize {\n            $value\n        }\n    };\n}\n\nroute!(get, 7);\nroute!(post, 8);\n',
    },
    says: [],
  },
  {
    language: 'Rust',
    construct: 'trait that is derived instead of written',
    base: {
      'Cargo.toml': cargo,
      'src/lib.rs': 'mod a;\nmod b;\n',
      'src/a.rs':
        '#[derive(Debug)]\npub struct Font {\n    pub size: u8,\n}\n\nimpl Default for Font {\n    fn default() -> Font {\n        Font { size: 7 }\n    }\n}\n',
      'src/b.rs': 'use crate::a::Font;\n\nfn run() -> Font {\n    Font::default()\n}\n',
    },
    head: { 'src/a.rs': '#[derive(Debug, Default)]\npub struct Font {\n    pub size: u8,\n}\n' },
    says: [],
  },
  {
    language: 'Rust',
    construct: 'removed method that called one of its name, of a type from elsewhere',
    base: {
      'Cargo.toml': cargo,
      'src/lib.rs':
        'use screen::Inner;\n\npub struct Window {\n    inner: Inner,\n}\n\nimpl Window {\n    pub fn open(inner: Inner) -> Window {\n        inner.set_ime_allowed(true);\n        Window { inner }\n    }\n\n    pub fn set_ime_allowed(&self, allowed: bool) {\n        self.inner.set_ime_allowed(allowed);\n    }\n}\n',
    },
    head: {
      'src/lib.rs':
        'use screen::Inner;\n\npub struct Window {\n    inner: Inner,\n}\n\nimpl Window {\n    pub fn open(inner: Inner) -> Window {\n        inner.set_ime_allowed(true);\n        Window { inner }\n    }\n}\n',
    },
    says: [],
  },
  {
    language: 'Rust',
    construct: 'trait that is split',
    base: {
      'Cargo.toml': cargo,
      'src/lib.rs': 'pub trait Widget {\n    fn draw(&self);\n    fn on_press(&self, key: u8);\n}\n',
    },
    head: {
      'src/lib.rs':
        'pub trait Widget {\n    fn draw(&self);\n}\n\npub trait Interactive: Widget {\n    fn on_press(&self, key: u8);\n}\n',
    },
    says: [],
  },
  {
    language: 'Java',
    construct: 'override of a method that was removed, its name in no other type',
    base: {
      'src/main/java/kit/A.java': 'package kit;\n\nclass A {\n  void load(int a) {}\n}\n',
      'src/main/java/kit/B.java':
        'package kit;\n\nclass B extends A {\n  @Override\n  void load(int a) {}\n}\n',
    },
    head: { 'src/main/java/kit/A.java': 'package kit;\n\nclass A {\n}\n' },
    says: [high('src/main/java/kit/A.java', 'contract/override-not-updated')],
  },
  {
    language: 'Java',
    construct: 'receiver that is declared with a type from elsewhere',
    base: {
      'src/main/java/kit/A.java':
        'package kit;\n\nclass A {\n  Object getUserData(String key) {\n    return key;\n  }\n}\n',
      'src/main/java/kit/B.java':
        'package kit;\n\nimport org.w3c.dom.Document;\n\nclass B {\n  Object read(Document document) {\n    return document.getUserData("key");\n  }\n}\n',
    },
    head: {
      'src/main/java/kit/A.java':
        'package kit;\n\nclass A {\n  Object userData(String key) {\n    return key;\n  }\n}\n',
    },
    says: [],
  },
  {
    language: 'Go',
    construct: 'field whose type belongs to another module, with a method of the name that goes',
    base: {
      'go.mod': 'module example.com/kit\n\ngo 1.21\n',
      'hosts/hosts.go':
        'package hosts\n\ntype Container struct{}\n\nfunc (c *Container) LookupNetIP(host string) string { return host }\n',
      'server/server.go':
        'package server\n\nimport "example.org/dns/proxy"\n\ntype Server struct {\n\tinternal *proxy.Proxy\n}\n\nfunc (s *Server) Resolve(host string) string { return s.internal.LookupNetIP(host) }\n',
    },
    head: { 'hosts/hosts.go': 'package hosts\n\ntype Container struct{}\n' },
    says: [],
  },
  {
    language: 'Rust',
    construct: 'method of an expression in a macro, with the name of a function that moves',
    base: {
      'Cargo.toml': cargo,
      'src/lib.rs': 'pub mod text;\npub mod other;\n',
      'src/text.rs':
        'pub struct Text;\n\nimpl Text {\n    pub fn unified_diff(&self) -> String {\n        String::new()\n    }\n}\n\npub fn unified_diff() -> String {\n    String::new()\n}\n\n#[test]\nfn shows() {\n    let text = Text;\n    check!(&text\n        .unified_diff()\n        .unified_diff());\n}\n',
      'src/other.rs': 'pub fn other() {}\n',
    },
    head: {
      'src/text.rs':
        'pub struct Text;\n\nimpl Text {\n    pub fn unified_diff(&self) -> String {\n        String::new()\n    }\n}\n\n#[test]\nfn shows() {\n    let text = Text;\n    check!(&text\n        .unified_diff()\n        .unified_diff());\n}\n',
      'src/other.rs': 'pub fn other() {}\n\npub fn unified_diff() -> String {\n    String::new()\n}\n',
    },
    says: [],
  },
  {
    language: 'Python',
    construct: 'import that is removed while its name is used',
    base: { 'a.py': 'import json\nimport os\n\n\ndef f():\n    return json.dumps(os.environ)\n' },
    head: { 'a.py': 'import json\n\n\ndef f():\n    return json.dumps(os.environ)\n' },
    says: [high('a.py', 'contract/removed-import')],
  },
  {
    language: 'Python',
    construct: 'import that another binding or a star replaces',
    base: {
      'a.py': 'import json\n\n\ndef f():\n    return json.dumps(1)\n',
      'b.py': 'import os\nimport re\n\n\ndef f(word):\n    return os.x(re)\n',
      'all.py': 'import os\n',
    },
    head: {
      'a.py':
        'try:\n    import ujson as json\nexcept ImportError:\n    json = None\n\n\ndef f():\n    return json.dumps(1)\n',
      'b.py': 'from all import *\n\n\ndef f(word):\n    with word as re:\n        return os.x(re)\n',
    },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'import that is removed while its name is used',
    base: {
      'a.ts': text,
      'b.ts':
        "import path from 'node:path'\nimport { parse } from './a.ts'\n\nexport const f = () => parse(path.sep)\n",
    },
    head: { 'b.ts': 'export const f = () => parse(path.sep)\n' },
    says: [medium('b.ts', 'contract/removed-import'), medium('b.ts', 'contract/removed-import')],
  },
  {
    language: 'TypeScript',
    construct: 'import that is removed where other files use the name without one',
    base: {
      'a.test.ts': "import { it } from 'vitest'\n\nit('adds', () => {})\n",
      'b.test.ts': "it('takes away', () => {})\n",
    },
    head: { 'a.test.ts': "it('adds', () => {})\n" },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'import that is removed from the settings of a tool, or where a framework gives names',
    base: {
      'nuxt.config.ts': "import { defineNuxtConfig } from 'nuxt'\n\nexport default defineNuxtConfig({})\n",
      'app/package.json': '{ "dependencies": { "nuxt": "^3.0.0" } }\n',
      'app/a.ts': "import { useState } from '#app'\n\nexport const a = () => useState('a')\n",
    },
    head: {
      'nuxt.config.ts': 'export default defineNuxtConfig({})\n',
      'app/a.ts': "export const a = () => useState('a')\n",
    },
    says: [],
  },
  {
    language: 'JavaScript',
    construct: 'call that leaves out a new parameter',
    base: {
      'a.ts': 'export function refresh(token: string): string {\n  return token\n}\n',
      'a.test.js': "const { refresh } = require('./a')\n\nrefresh('a')\n",
    },
    head: {
      'a.ts': 'export function refresh(token: string, csrf: string): string {\n  return token + csrf\n}\n',
    },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'import of a file in another case',
    base: { 'Button.tsx': 'export const Button = 1\n' },
    head: { 'b.ts': "import { Button } from './button'\n\nexport const b = Button\n" },
    says: [high('b.ts', 'new-code/path-case')],
  },
  {
    language: 'Python',
    construct: 'name that other files import, and this one does not',
    base: { 'a.py': 'import sys\n\nprint(sys.argv)\n', 'b.py': 'import os\n' },
    head: { 'b.py': 'import os  # type: ignore\nif sys.version_info < (3, 8):\n    os.abort()\n' },
    says: [high('b.py', 'new-code/unbound-name')],
  },
  {
    language: 'Python',
    construct: 'name that a host may give, or that is bound in any form',
    base: {
      'a.py': 'import config\nimport sys\n\nprint(config, sys)\n',
      'c.py': 'print(config.debug)\n',
      'b.py': 'import os\n',
    },
    head: {
      'b.py': 'import os\n\nconfig.load()\nplugin.run()\nwith os.popen("a") as sys:\n    sys.read()\n',
    },
    says: [],
  },
  {
    language: 'Go',
    construct: "git's marks of a conflict",
    base: { 'a.go': 'package a\n' },
    head: {
      'a.go': 'package a\n\nfunc f() {\n<<<<<<< HEAD\n\ta()\n=======\n\tb()\n>>>>>>> 1e9c5c3b\n}\n',
    },
    says: [high('a.go', 'new-code/open-conflict')],
  },
  {
    language: 'Go',
    construct: 'bracket that is lost as its line changes',
    base: { 'a.go': 'package a\n\nfunc f(n int) {\n\tif n > 3 {\n\t\tg(n)}\n}\n' },
    head: { 'a.go': 'package a\n\nfunc f(n int) {\n\tif n > 3 {\n\t\tg(n)\n}\n' },
    says: [medium('a.go', 'new-code/lost-bracket')],
  },
  {
    language: 'C++',
    construct: 'bracket that is lost beside branches of the preprocessor',
    base: {
      'a.cc': '#if A\nint one();\n#endif\nint f(int n) {\n  if (n) {\n    return 1;\n  }\n  return 2;\n}\n',
    },
    head: {
      'a.cc': '#if A\nint one();\n#endif\nint f(int n) {\n  if (n) {\n    return 1;\n  return 2;\n}\n',
    },
    says: [medium('a.cc', 'new-code/lost-bracket')],
  },
  {
    language: 'C++',
    construct: 'bracket that each branch of the preprocessor closes, and a choice within one of them',
    base: { 'a.cc': 'void f(E e) {\n  log(text(1)\n      .arg(one(e.what())), 2);\n}\n' },
    head: {
      'a.cc':
        'void f(E e) {\n  log(text(1)\n#if A >= 2\n      .arg(two(e.what())), 2);\n#elif B\n#ifdef C\n      .arg(three(e)), 2);\n#else\n      , 2);\n#endif\n#else\n      .arg(one(e.what())), 2);\n#endif\n}\n',
    },
    says: [],
  },
  {
    language: 'C',
    construct: 'bracket that each branch of the preprocessor opens',
    base: { 'a.c': 'int f(int s) {\n  if (s == 1) {\n    return 0;\n  }\n  return 1;\n}\n' },
    head: {
      'a.c':
        'int f(int s) {\n#ifdef A\n  if (type(s) == 1) {\n#else\n  if (s == 1) {\n#endif\n    return 0;\n  }\n  return 1;\n}\n',
    },
    says: [],
  },
  {
    language: 'C++',
    construct: 'bracket that is lost in the first branch of the preprocessor',
    base: { 'a.cc': 'void f(E e) {\n#if A\n  g(two(e));\n#else\n  g(one(e));\n#endif\n}\n' },
    head: { 'a.cc': 'void f(E e) {\n#if A\n  g(two(e);\n#else\n  g(one(e));\n#endif\n}\n' },
    says: [medium('a.cc', 'new-code/lost-bracket')],
  },
  {
    language: 'Java',
    construct: 'bracket in a text of a file that has another error',
    base: { 'A.java': 'class A {\n  String s = "{}";\n}\n' },
    head: { 'A.java': 'class A {\n  String s = "{"\n    "[";\n}\n' },
    says: [],
  },
  {
    language: 'Java',
    construct: 'bracket in a line that is commented out, in a file that has another error',
    base: { 'A.java': 'class A {\n}\n' },
    head: { 'A.java': 'class A {\n  // void f() {\n  int s = ;\n}\n' },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'bracket in a text, and one that another hunk closes',
    base: { 'a.ts': `${text}export const f = () => [1]\n` },
    head: { 'a.ts': `${text}export const f = () => {\n  return ['(', 1]\n}\n` },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: "git's marks of a conflict in a string",
    base: { 'a.ts': text },
    head: { 'a.ts': `${text}export const marks = \`\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n\`\n` },
    says: [],
  },
  {
    language: 'JavaScript',
    construct: 'function of a test runner, which the next runner makes global',
    base: {
      'test/a.js':
        "var lab = require('lab').script();\nvar describe = lab.describe;\nvar it = lab.it;\ndescribe('a', function () {\n  it('b', function () {});\n});\n",
    },
    head: {
      'test/a.js': "describe('a', function () {\n  it('b', function () {});\n});\n",
    },
    says: [],
  },
  {
    language: 'JavaScript',
    construct: 'types of a dialect among the parameters, which the grammar fails on',
    base: {
      'a.js':
        'function text(\n  mergedProps: void | Object,\n  registered: Registered,\n  obj: { [key: string]: Interpolation }\n): string {\n  return all\n}\n\nexport function f(all, known, part) {\n  return text(all, known, part)\n}\n',
    },
    head: {
      'a.js':
        'function text(\n  mergedProps: void | Object,\n  registered: Registered | void,\n  obj: { [key: string]: Interpolation }\n): string {\n  return all\n}\n\nexport function f(all, known, part) {\n  return text(all, known, part)\n}\n',
    },
    says: [],
  },
  {
    language: 'Go',
    construct: 'package that moves to another module, with the only methods of their names',
    base: {
      'go.mod': module,
      'internal/sdp/media.go':
        'package sdp\n\ntype Media struct{}\n\nfunc NewMedia() *Media { return nil }\n',
      'internal/sdp/codec.go': 'package sdp\n\nfunc (m *Media) WithCodec(name string) *Media { return m }\n',
      'peer.go':
        'package kit\n\nimport "example.com/kit/internal/sdp"\n\nfunc f(all []any) {\n\tsdp.NewMedia()\n\tfor _, media := range all {\n\t\tmedia.WithCodec("a")\n\t}\n}\n',
    },
    head: {
      'internal/sdp/media.go': null,
      'internal/sdp/codec.go': null,
      'peer.go':
        'package kit\n\nimport "example.org/sdp"\n\nfunc f(all []any) {\n\tsdp.NewMedia()\n\tfor _, media := range all {\n\t\tmedia.WithCodec("a")\n\t}\n}\n',
    },
    says: [],
  },
  {
    language: 'TypeScript',
    construct: 'package of the workspace, of which the importer wants another version',
    base: {
      'packages/kit/package.json': '{ "name": "kit", "version": "1.0.0", "main": "./index.ts" }\n',
      'packages/kit/index.ts': "export { parse, print } from './hooks.ts'\n",
      'packages/kit/hooks.ts': 'export function parse() {}\nexport function print() {}\n',
      'examples/old/package.json': '{ "name": "old", "dependencies": { "kit": "0.9.1" } }\n',
      'examples/old/a.ts': "import { parse } from 'kit'\n\nparse()\n",
    },
    head: {
      'packages/kit/index.ts': "export { print } from './hooks.ts'\n",
      'packages/kit/hooks.ts': 'export function print() {}\n',
    },
    says: [],
  },
]
