/** Python: what the table must find, by hand. */
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
const sample = () => read('sample.py', fixture('sample.py'))

describe('Python', () => {
  test('symbols, with decorators, fields of self and enumerators', async () => {
    expect(outline(await sample())).toEqual(
      [
        '9-9 internal constant LIMIT',
        '10-10 internal variable left',
        '10-10 internal variable right',
        '10-10 internal variable rest',
        '13-27 exported function fetch',
        '30-47 exported class Store',
        '31-31 exported field Store.kind',
        '32-32 exported field Store.size',
        '34-37 exported method Store.__init__',
        '36-36 exported field Store.backend',
        '36-36 exported field Store.rows',
        '37-37 exported field Store.cache',
        '39-40 exported method Store.plain',
        '42-46 private method Store._private',
        '44-45 private function Store._private.nested',
        '49-51 internal class TestStore (test)',
        '50-51 exported method TestStore.test_load (test)',
        '54-55 internal class Color',
        '55-55 exported enumerator Color.RED',
        '58-58 internal type Pairs',
        '60-60 internal function conditional',
      ].map((line) => line.replace('30-47', '30-46')),
    )
  })

  test('parameters: kinds, and no receiver', async () => {
    const facts = await sample()
    expect(parameters(facts, 'fetch')).toEqual([
      'url: null',
      'b: int',
      'c?: null',
      '…args?: null',
      'd?!: str',
      '…kw?!: null',
    ])
    expect(parameters(facts, 'Store.__init__')).toEqual(['backend: Backend'])
    expect(parameters(facts, 'Store.plain')).toEqual(['x: null'])
    expect(parameters(facts, 'Store._private')).toEqual(['strict?!: bool'])
    expect(symbol(facts, 'fetch').signature.text).toBe(
      'async def fetch(url, b: int, /, c=1, *args, d: str = "x", **kw) -> Optional[Page]',
    )
    expect(symbol(facts, 'fetch').doc).toBe('Fetches a page.')
    expect(symbol(facts, 'fetch').nameLine).toBe(15)
  })

  test('imports, and what a package passes on', async () => {
    const lines = imports(await sample())
    expect(lines).toEqual([
      '3 * as os from os',
      '3 * as ab from a.b',
      '3 * as x.y from x.y',
      '4 sibling as sibling from .',
      '5 one as uno from ..pkg.mod',
      '5 two as two from ..pkg.mod',
      '6 * as null from star',
    ])
    const init = await read('pkg/__init__.py', 'from .x import y\n')
    expect(imports(init)).toEqual(['1 y as y from .x again'])
    const plain = await read('pkg/other.py', 'from .x import y\n')
    expect(imports(plain)).toEqual(['1 y as y from .x'])
  })

  test('__all__ is the export list', async () => {
    const { exports } = await sample()
    expect(exports.map(({ exported, line }) => `${line} ${exported}`)).toEqual(['8 fetch', '8 Store'])
  })

  test('calls, receivers and locals', async () => {
    const facts = await sample()
    expect(uses(facts, 'emit')).toEqual(['23 call emit(1 key *) in fetch'])
    expect(uses(facts, '__init__')).toEqual(['35 call super() . __init__(1) in Store.__init__'])
    expect(uses(facts, 'get')).toEqual(['46 call self.backend . get(2) in Store._private'])
    expect(uses(facts, 'nested')).toEqual(['46 call nested(0) in Store._private local'])
    expect(uses(facts, 'strict')).toEqual(['45 read strict in Store._private.nested local'])
    expect(uses(facts, 'LIMIT')).toEqual(['21 write LIMIT in fetch'])
    expect(uses(facts, 'unit')).toEqual(['26 read unit in fetch local', '26 read unit in fetch local'])
    expect(uses(facts, 'fetch')).toEqual(['51 call fetch(1) in TestStore.test_load'])
    expect(uses(facts, 'backend').slice(-2)).toEqual([
      '43 write self . backend in Store._private',
      '46 property self . backend in Store._private',
    ])
    expect(uses(facts, 'route')).toEqual(['14 decorator app . route in fetch'])
    expect(uses(facts, 'retry')).toEqual(['13 decorator retry in fetch'])
  })

  test('base classes and typed names', async () => {
    const facts = await sample()
    expect(supertypes(facts)).toEqual([
      'Store < Base',
      'Store < Mixin',
      'Store < Generic',
      'TestStore < TestCase',
      'Color < Enum',
    ])
    expect(typedNames(facts)).toEqual([
      'LIMIT: int',
      'fetch > b: int',
      'fetch > d: str',
      'Store > kind: str',
      'Store.__init__ > backend: Backend',
      'Store > cache: Cache',
      'Store._private > strict: bool',
    ])
  })

  test('a dedent changes the body, layout and words about the code do not', async () => {
    const body = async (text: string) => symbol(await read('h.py', text), 'f').bodyHash
    const plain = await body('def f(a):\n    if a:\n        one()\n        two()\n')
    expect(await body('def f(a):\n    """Docs."""\n    if a:  # why\n      one( )\n\n      two()\n')).toBe(
      plain,
    )
    expect(await body('def f(a):\n    if a:\n        one()\n    two()\n')).not.toBe(plain)
  })
})
