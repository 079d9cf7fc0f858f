/** TypeScript, TSX and JavaScript: what the tables must find, by hand. */
import { describe, expect, test } from 'vitest'
import {
  factReader,
  fixture,
  imports,
  outline,
  parameters,
  supertypes,
  symbol,
  typedNames,
  uses,
} from './read-facts.ts'

const read = factReader()
const sample = () => read('src/sample.ts', fixture('sample.ts'))

describe('TypeScript', () => {
  test('symbols with range, visibility, kind and scope', async () => {
    expect(outline(await sample())).toEqual([
      '11-32 exported class Cache',
      '12-12 private field Cache.rows',
      '13-13 internal field Cache.limit',
      '14-14 exported field Cache.size',
      '15-15 private method Cache.#secret',
      '17-20 exported method Cache.constructor',
      '17-17 private field Cache.store',
      '17-17 exported field Cache.name',
      '23-26 exported method Cache.load',
      '28-31 exported method Cache.first',
      '34-34 exported function build',
      '35-35 exported constant hidden',
      '36-36 private variable counter',
      '36-36 private variable other',
      '37-44 exported function main',
      '39-41 private function main.inner',
      '42-42 private function main.helper',
      '47-51 exported interface Api',
      '48-48 exported method Api.get',
      '49-49 exported field Api.timeout',
      '52-52 private type Result',
      '52-52 exported field Result.ok',
      '52-52 exported field Result.value',
      '53-53 private type Id',
      '54-57 exported enum Level',
      '55-55 exported enumerator Level.Low',
      '56-56 exported enumerator Level.High',
      '58-60 private module vendor',
      '59-59 exported function vendor.patch',
      '61-63 private module Inner',
      '62-62 exported constant Inner.deep',
      '64-64 private function over',
      '65-71 private function over',
      '72-74 private class Shapeless',
      '73-73 exported method Shapeless.area',
      '75-80 private constant api',
      '76-78 exported method api.get',
      '79-79 exported method api.post',
    ])
  })

  test('signatures: parameters, types, result, documentation', async () => {
    const facts = await sample()
    expect(parameters(facts, 'Cache.load')).toEqual(['id: string', '{ deep, wide: broad = 2 }?: Options'])
    expect(parameters(facts, 'Cache.constructor')).toEqual([
      'store: Backend',
      'name?: string',
      '…rest?: string[]',
    ])
    expect(parameters(facts, 'hidden')).toBeNull()
    const load = symbol(facts, 'Cache.load')
    expect(load.signature.text).toBe(
      'async load(id: string, { deep, wide: broad = 2 }: Options = {}): Promise<T>',
    )
    expect(load.signature.returnType).toBe('Promise<T>')
    expect(load.doc).toBe('Loads one row.')
    expect(symbol(facts, 'Cache').doc).toBe('Keeps rows.')
    expect(symbol(facts, 'Cache').nameLine).toBe(11)
    expect(symbol(facts, 'Cache.first').signature.text).toBe('get first(): T')
    expect(symbol(facts, 'Id').signature.text).toBe('type Id = string | number')
    expect(symbol(facts, 'build').signature.text).toBe('const build = async (url: URL): Promise<Cache<Line>>')
  })

  test('parents follow the nesting', async () => {
    const facts = await sample()
    const parentOf = (name: string) => {
      const index = facts.parents[facts.symbols.indexOf(symbol(facts, name))]
      return typeof index === 'number' ? facts.symbols[index]?.name : null
    }
    expect(parentOf('Cache')).toBeNull()
    expect(parentOf('Cache.load')).toBe('Cache')
    expect(parentOf('Cache.store')).toBe('Cache')
    expect(parentOf('main.inner')).toBe('main')
  })

  test('imports in every form', async () => {
    expect(imports(await sample())).toEqual([
      '1 default as Store from ./store.ts',
      '1 type Options as Options from ./store.ts',
      '1 Row as Line from ./store.ts',
      '2 * as paths from node:path',
      '3 type Shape as Shape from ./shape',
      '4 * as null from ./polyfill',
      '5 a as b from ./letters again',
      '5 c as c from ./letters again',
      '6 * as null from ./all again',
      '7 * as ns from ./named again',
      '8 type Deep as Deep from ./deep again',
      '82 * as lazy from ./lazy',
      '83 readFile as read from fs',
      '83 stat as stat from fs',
    ])
  })

  test('exports, renamed and default', async () => {
    const { exports } = await sample()
    expect(exports.map(({ exported, local, line }) => `${line} ${local} as ${exported}`)).toEqual([
      '11 Cache as Cache',
      '34 build as build',
      '37 main as default',
      '45 hidden as shown',
      '47 Api as Api',
      '54 Level as Level',
    ])
  })

  test('calls with receiver and shape', async () => {
    const facts = await sample()
    expect(uses(facts, 'get')).toEqual(['24 call this.store . get(1 *) in Cache.load'])
    expect(uses(facts, 'join')).toEqual(['25 call paths . join(2) in Cache.load'])
    expect(uses(facts, 'load')).toEqual(['25 call load(1) in Cache.load'])
    expect(uses(facts, 'Cache')).toEqual(['34 type Cache in build', '34 call Cache(1) in build'])
    expect(uses(facts, 'next')).toEqual(['30 call this.rows.values() . next(0) in Cache.first'])
  })

  test('locals shadow, in their scope only', async () => {
    const facts = await sample()
    expect(uses(facts, 'counter')).toEqual([
      '38 write counter in main',
      '40 read counter in main.inner local',
    ])
    expect(uses(facts, 'inner')).toEqual(['42 call inner(1) in main.helper local'])
    expect(uses(facts, 'error')).toEqual(['69 read error in over local'])
    expect(uses(facts, 'hidden')).toEqual(['43 read hidden in main', '45 export hidden'])
    expect(uses(facts, 'broad')).toEqual(['24 read broad in Cache.load local'])
    expect(uses(facts, 'T').every((use) => use.endsWith('local'))).toBe(true)
  })

  test('roles besides calls', async () => {
    const facts = await sample()
    expect(uses(facts, 'logged')).toEqual(['28 decorator logged in Cache.first'])
    expect(uses(facts, 'rows')).toEqual([
      '19 write this . rows in Cache.constructor',
      '30 property this . rows in Cache.first',
    ])
    expect(uses(facts, 'Row')).toEqual(['1 import Row'])
    expect(supertypes(facts)).toEqual(['Cache < Store', 'Cache < Shape', 'Cache < Parsed', 'Api < Base'])
  })

  test('typed names: fields, parameters, written and constructed', async () => {
    const names = typedNames(await sample())
    expect(names).toContain('Cache > rows: Map')
    expect(names).toContain('Cache > store: Backend')
    expect(names).toContain('Cache > rows: Rows')
    expect(names).toContain('build > url: URL')
    expect(names).toContain('Api.get > url: string')
  })

  test('test calls are tests, named by their string', async () => {
    const facts = await read(
      'a.test.ts',
      "describe('cache', () => {\n  it.skip('loads', async () => {\n    load()\n  })\n  test.each([1])(`row  one`, (row) => row)\n})\nregex.test('x', () => 1)\n",
    )
    expect(outline(facts)).toEqual([
      '1-6 private function cache (test)',
      '2-4 private function cache.loads (test)',
      '5-5 private function cache.row one (test)',
    ])
    expect(uses(facts, 'load')).toEqual(['3 call load(0) in cache.loads'])
  })

  test('overloads of a method are symbols of their own', async () => {
    const facts = await read('a.ts', 'class A {\n  f(a: string): void\n  f(): void\n  f(a?: string) {}\n}\n')
    expect(outline(facts).slice(1)).toEqual([
      '2-2 exported method A.f',
      '3-3 exported method A.f',
      '4-4 exported method A.f',
    ])
  })

  test('a broken file keeps what can be read', async () => {
    const facts = await read(
      'broken.ts',
      'export function whole(a: number) {}\nconst broken = (\nclass After {}\n',
    )
    expect(outline(facts)[0]).toBe('1-1 exported function whole')
    expect(facts.errorLines.length).toBeGreaterThan(0)
    expect(facts.errorLines[0]?.startLine).toBeGreaterThan(1)
  })

  test('one construct the grammar does not know condemns its lines, not the file', async () => {
    const good = Array.from({ length: 20 }, (_, at) => `export const a${at} = call(${at})\n`).join('')
    const facts = await read('odd.ts', `${good}interface I {\n  <T>(a: T): T\n  <T, U>(b: U): T\n}\n${good}`)
    expect(uses(facts, 'call')).toHaveLength(40)
    const condemned = facts.errorLines.reduce(
      (sum, { startLine, endLine }) => sum + endLine - startLine + 1,
      0,
    )
    expect(condemned).toBeLessThan(6)
    expect(facts.errorLines.length).toBeGreaterThan(0)
  })
})

describe('TSX', () => {
  test('components are called with unknown arguments, elements are not', async () => {
    const facts = await read(
      'a.tsx',
      'export const App = () => <div id="x"><Card.Head big {...rest} /></div>\n',
    )
    expect(uses(facts, 'Head')).toEqual(['1 call Card . Head(0 *) in App'])
    expect(uses(facts, 'div')).toEqual([])
    expect(uses(facts, 'big')).toEqual(['1 property big in App'])
  })
})

describe('JavaScript', () => {
  test('CommonJS exports and functions assigned to members', async () => {
    const facts = await read(
      'a.cjs',
      [
        "const { parse: read } = require('./parse')",
        "const whole = require('./whole').inner",
        'exports.one = function (a, b = 1) {}',
        'module.exports.two = read',
        'Widget.prototype.draw = function (canvas) { return canvas }',
        'module.exports = { read, three: helper, four() {} }',
        'class Box extends Base {',
        '  size = 1',
        '  open = () => { this.lid = 1 }',
        '}',
      ].join('\n'),
    )
    expect(imports(facts)).toEqual(['1 parse as read from ./parse', '2 inner as whole from ./whole'])
    expect(facts.exports.map(({ exported, local }) => `${local} as ${exported}`)).toEqual([
      'one as one',
      'read as two',
      'read as read',
      'helper as three',
      'four as four',
    ])
    expect(outline(facts)).toEqual([
      '3-3 exported function one',
      '5-5 exported method Widget.draw',
      '6-6 exported method four',
      '7-10 private class Box',
      '8-8 exported field Box.size',
      '9-9 exported method Box.open',
    ])
    expect(parameters(facts, 'one')).toEqual(['a: null', 'b?: null'])
    expect(supertypes(facts)).toEqual(['Box < Base'])
  })

  test('the name of a function expression is known inside it only', async () => {
    const facts = await read('a.js', 'run(function again() { again() })\nagain()\n')
    expect(uses(facts, 'again')).toEqual(['1 call again(0) local', '2 call again(0)'])
  })

  test('var is hoisted, let is not', async () => {
    const facts = await read(
      'a.js',
      'function f() {\n  if (x) {\n    var y = 1\n    let z = 2\n  }\n  return y + z + x\n}\n',
    )
    expect(uses(facts, 'y')).toEqual(['6 read y in f local'])
    expect(uses(facts, 'z')).toEqual(['6 read z in f'])
  })
})

test.each(['a.js', 'a.ts'])('the word default in lists of imports and exports: %s', async (path) => {
  const facts = await read(
    path,
    "import { default as b } from './q'\nexport { default } from './x'\nexport { default as q } from './x'\nexport { z as default } from './x'\nconst client = 1\nexport {\n  client as default, // the client\n  client as 'a b',\n}\n",
  )
  expect(facts.imports.map(({ imported, local }) => `${imported} as ${local}`)).toEqual([
    'default as b',
    'default as default',
    'default as q',
    'z as default',
  ])
  expect(facts.exports.map(({ exported, local }) => `${local} as ${exported}`)).toEqual([
    'client as default',
    'client as a b',
  ])
})
