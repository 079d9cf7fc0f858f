/** CommonJS, C#, Kotlin, PHP and Ruby: what a name means beyond its own file, and what is left open. */
import { expect, test } from 'vitest'
import { findReferences } from '../../../src/code-index/query/references.ts'
import { doubts, edges, target, treeOf } from '../query/open-repo.ts'

type Files = Record<string, string>

async function usesOf(files: Files, asked: string, { indexed = true } = {}) {
  const tree = await treeOf(files, { indexed })
  const answer = await findReferences(tree, await target(tree, asked))
  return { edges: edges(answer), doubts: doubts(answer) }
}

test.each([{ indexed: true }, { indexed: false }])(
  'CommonJS: a function that is all a module exports, under any name; members, and a module with a default, are not it ($indexed)',
  async (options) => {
    const files = {
      'lib/load.js': 'function load(id) {\n  return id\n}\nload.all = () => []\nmodule.exports = load\n',
      'a.js': "const load = require('./lib/load')\n\nload(1)\nload.all()\n",
      'b.js':
        "const read = require('./lib/load')\nconst { all } = require('./lib/load')\n\nmodule.exports = [read, all]\n",
      'c.ts': "import fetch = require('./lib/load')\n\nfetch(2)\n",
      'lib/other.ts': 'export default function load(id: number) {\n  return id\n}\n',
      'd.js': "const load = require('./lib/other')\n\nload(3)\n",
    }
    const { edges } = await usesOf(files, 'lib/load.js:1', options)
    expect(edges.filter((edge) => !edge.startsWith('lib/'))).toEqual([
      'a.js:3 call import 1',
      'a.js:4 read import 1',
      'b.js:4 read import 1',
      'c.ts:3 call import 1',
    ])
    const other = await usesOf(files, 'lib/other.ts:1', options)
    expect(other.edges).toEqual([])
  },
)

const csharp: Files = {
  'src/Shop.csproj': '<Project><ItemGroup><Using Include="Shop.Core" /></ItemGroup></Project>\n',
  'src/GlobalUsings.cs': 'global using Shop.Tools;\n',
  'src/Store.cs':
    'namespace Shop.Core;\n\npublic interface IStore\n{\n  int Load(int id);\n}\n\npublic partial class Store : IStore\n{\n  public int Load(int id) => id;\n  public int Load(int id, int depth) => id + depth;\n}\n',
  'src/Store.More.cs':
    'namespace Shop.Core;\n\npublic partial class Store\n{\n  public int Twice(int id) => Load(id) + Load(id, 2);\n}\n',
  'src/Tools.cs':
    'namespace Shop.Tools;\n\npublic static class StoreTools\n{\n  public static int Sum(this IStore store, int id) => store.Load(id);\n}\n',
  'src/Desk.cs':
    'namespace Shop.Front;\n\npublic class Desk\n{\n  private readonly Store _store = new Store();\n\n  public int Run(dynamic other)\n  {\n    var again = _store;\n    return _store.Twice(1) + again.Sum(2) + other.Twice(3);\n  }\n}\n',
  'other/Store.cs': 'namespace Elsewhere;\n\npublic class Store\n{\n  public int Twice(int id) => id;\n}\n',
}

test('C#: a member of another part of a class, by the type of a field', async () => {
  const found = await usesOf(csharp, 'src/Store.More.cs:5')
  expect(found.edges).toEqual(['src/Desk.cs:10 call receiver type 0.9 in Run'])
})

test('C#: overloads are told apart by their arguments, across the parts of a class', async () => {
  expect((await usesOf(csharp, 'src/Store.cs:11')).edges).toEqual([
    'src/Store.More.cs:5 call receiver type 0.9 in Twice',
  ])
})

test('C#: an extension method whose namespace is opened for the whole project', async () => {
  expect((await usesOf(csharp, 'src/Tools.cs:5')).edges).toEqual([
    'src/Desk.cs:10 call receiver type 0.9 in Run',
  ])
})

test('C#: a type is one of the namespaces that are open, never one of the same name elsewhere', async () => {
  expect((await usesOf(csharp, 'other/Store.cs:3')).edges).toEqual([])
  expect((await usesOf(csharp, 'src/Store.cs:8')).edges).toEqual([
    'src/Desk.cs:5 type import 1 in _store',
    'src/Desk.cs:5 call import 1 in _store',
  ])
})

const kotlin: Files = {
  'core/src/main/kotlin/shop/Store.kt':
    'package shop\n\nopen class Store(val size: Int) {\n  fun load(id: Int): Int = id\n\n  companion object {\n    fun open(): Store = Store(1)\n  }\n}\n\nfun Store.twice(id: Int): Int = load(id) * 2\n\nfun helper(): Int = 1\n',
  'app/src/main/kotlin/front/Desk.kt':
    'package front\n\nimport shop.Store\nimport shop.helper as help\nimport shop.twice\n\nclass Desk(private val store: Store) : Store(2) {\n  fun run(): Int {\n    val opened = Store.open()\n    return store.load(1) + opened.twice(2) + help() + load(3)\n  }\n\n  fun build() = StringBuilder().apply { load(4) }\n}\n',
}

test('Kotlin: a member by a declared type, by inheritance and inside of an extension; not in a block with a receiver', async () => {
  const found = await usesOf(kotlin, 'core/src/main/kotlin/shop/Store.kt:4')
  expect(found.edges).toEqual([
    'app/src/main/kotlin/front/Desk.kt:10 call receiver type 0.9 in run',
    'app/src/main/kotlin/front/Desk.kt:10 call inherited 0.85 in run',
    'core/src/main/kotlin/shop/Store.kt:11 call same file 1 in twice',
  ])
  expect(found.doubts.join('\n')).toContain('Desk.kt:13')
})

test('Kotlin: companions, extensions and functions under another name', async () => {
  const file = 'core/src/main/kotlin/shop/Store.kt'
  expect((await usesOf(kotlin, `${file}:7`)).edges).toEqual([
    'app/src/main/kotlin/front/Desk.kt:9 call receiver type 0.9 in run',
  ])
  expect((await usesOf(kotlin, `${file}:11`)).edges).toEqual([
    'app/src/main/kotlin/front/Desk.kt:5 import import 1',
    'app/src/main/kotlin/front/Desk.kt:10 call receiver type 0.9 in run',
  ])
  expect((await usesOf(kotlin, `${file}:13`)).edges).toEqual([
    'app/src/main/kotlin/front/Desk.kt:4 import import 1',
    'app/src/main/kotlin/front/Desk.kt:10 call import 1 in run',
  ])
})

const php: Files = {
  'composer.json': '{"autoload": {"psr-4": {"Shop\\\\": "src/"}}}\n',
  'src/Core/Loads.php':
    '<?php\nnamespace Shop\\Core;\n\ntrait Loads\n{\n  public function load(int $id): int { return $id; }\n}\n',
  'src/Core/Store.php':
    '<?php\nnamespace Shop\\Core;\n\nclass Store\n{\n  use Loads;\n\n  public static function open(): static { return new static(); }\n}\n',
  'src/Front/Desk.php':
    '<?php\nnamespace Shop\\Front;\n\nuse Shop\\Core;\nuse Shop\\Core\\Store as Shelf;\n\nclass Desk\n{\n  /** @var Shelf|null */\n  private $store;\n\n  /** @param \\Shop\\Core\\Store $given */\n  public function run($given, $other)\n  {\n    $made = new Core\\Store();\n    return $this->store->load(1) + $given->load(2) + $made->load(3) + $other->load(4) + \\Shop\\Core\\Store::open()->load(5);\n  }\n}\n',
  'old/Store.php': '<?php\nclass Store\n{\n  public function load($id) { return $id; }\n}\n',
}

test.each([{ indexed: true }, { indexed: false }])(
  'PHP: a method of a trait, by documented, constructed and returned types ($indexed)',
  async (options) => {
    const found = await usesOf(php, 'src/Core/Loads.php:6', options)
    expect(found.edges).toEqual(
      Array.from({ length: 4 }, () => 'src/Front/Desk.php:16 call receiver type 0.9 in run'),
    )
    expect(found.doubts).toEqual(['src/Front/Desk.php:16 call a local of unknown type'])
    expect((await usesOf(php, 'old/Store.php:4', options)).edges).toEqual([])
  },
)

test('PHP: a class under another name, by a path and by its whole name', async () => {
  expect((await usesOf(php, 'src/Core/Store.php:4')).edges).toEqual([
    'src/Front/Desk.php:5 import import 1',
    'src/Front/Desk.php:15 call import 1 in run',
    'src/Front/Desk.php:16 type import 1 in run',
  ])
})

const ruby: Files = {
  'lib/shop.rb': "require 'shop/store'\n\nmodule Shop\n  LIMIT = 3\nend\n",
  'lib/shop/store.rb':
    'module Shop\n  module Loads\n    def load_all(id)\n      id\n    end\n  end\n\n  class Store\n    include Loads\n\n    def self.build_default\n      new(1)\n    end\n\n    def initialize(size)\n      @size = size\n    end\n\n    def twice(id)\n      load_all(id) * LIMIT\n    end\n  end\nend\n',
  'lib/shop/desk.rb':
    'module Shop\n  class Desk\n    attr_reader :store\n\n    def initialize\n      @store = Store.new(2)\n    end\n\n    def run(other)\n      store.twice(1) + @store.twice(2) + other.twice(3) + Shop::Store.build_default\n    end\n  end\nend\n',
  'lib/other.rb': 'class Store\n  def twice(id)\n    id\n  end\nend\n',
}

test('Ruby: a method by what an instance variable and its reader hold', async () => {
  const found = await usesOf(ruby, 'lib/shop/store.rb:19')
  expect(found.edges).toEqual([
    'lib/shop/desk.rb:10 call receiver type 0.9 in run',
    'lib/shop/desk.rb:10 call receiver type 0.9 in run',
  ])
  expect(found.doubts).toEqual(['lib/shop/desk.rb:10 call a local of unknown type'])
})

test('Ruby: mixed in methods, methods of a class, constants by the modules around', async () => {
  expect((await usesOf(ruby, 'lib/shop/store.rb:3')).edges).toEqual([
    'lib/shop/store.rb:20 call same file 1 in twice',
  ])
  expect((await usesOf(ruby, 'lib/shop/store.rb:11')).edges).toEqual([
    'lib/shop/desk.rb:10 call receiver type 0.9 in run',
  ])
  expect((await usesOf(ruby, 'lib/shop.rb:4')).edges).toEqual(['lib/shop/store.rb:20 read import 1 in twice'])
  expect((await usesOf(ruby, 'lib/shop/store.rb:8')).edges).toEqual([
    'lib/shop/desk.rb:6 read import 1 in initialize',
    'lib/shop/desk.rb:10 read receiver type 0.9 in run',
  ])
})
