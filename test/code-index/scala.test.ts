/** Scala: what the table must find, by hand. */
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
const sample = () => read('sample.scala', fixture('sample.scala'))

describe('Scala', () => {
  test('symbols, visibility, tests', async () => {
    const facts = await sample()
    expect(facts.errorLines).toEqual([])
    expect(outline(facts)).toEqual([
      '8-30 exported class Store',
      '9-9 private field Store.size',
      '10-10 exported field Store.items',
      '11-11 internal field Store.count',
      '14-27 exported method Store.load',
      '29-29 internal method Store.pack',
      '32-35 exported class Store',
      '33-33 exported constant Store.Max',
      '34-34 exported method Store.apply',
      '37-40 exported interface Shape',
      '38-38 exported method Shape.draw',
      '39-39 exported type Shape.Unit2',
      '42-42 exported class Some2',
      '42-42 exported field Some2.x',
      '42-42 exported field Some2.y',
      '44-44 exported class Kind',
      '46-48 exported class Kind',
      '47-47 exported class Kind.None2',
      '50-54 exported class StoreSuite (test)',
      '51-53 exported function StoreSuite.adds (test)',
      '56-58 exported class StoreSpec (test)',
      '57-57 exported function StoreSpec.load (test)',
    ])
    expect(facts.packageName).toBe('a.b')
  })

  test('parameters, results, documentation', async () => {
    const facts = await sample()
    expect(parameters(facts, 'Store')).toEqual(['size: Int', 'name?: String'])
    expect(parameters(facts, 'Store.load')).toEqual(['row: Row', '…rest?: String*'])
    expect(parameters(facts, 'Store.apply')).toEqual(['size: Int'])
    expect(parameters(facts, 'Shape.draw')).toEqual(['times?: Int'])
    expect(parameters(facts, 'Some2')).toEqual(['x: Int', 'y: Int'])
    expect(symbol(facts, 'Store.size').signature.returnType).toBe('Int')
    expect(symbol(facts, 'Store.items').signature.returnType).toBe('List[Row]')
    expect(symbol(facts, 'Store.load').signature.returnType).toBe('Option[R]')
    expect(symbol(facts, 'Store.apply').signature.returnType).toBe('Store[Row]')
    expect(symbol(facts, 'Shape.draw').signature.returnType).toBe('Unit')
    expect(symbol(facts, 'Store.load').doc).toBe('Loads.')
  })

  test('imports', async () => {
    expect(imports(await sample())).toEqual([
      '3 Row as Row from a.c.Row',
      '4 Entry as Line from a.c.Entry',
      '4 Point as Point from a.c.Point',
      '5 * as null from a.x',
    ])
  })

  test('references: roles, receivers, shapes of calls, locals', async () => {
    const facts = await sample()
    expect(uses(facts, 'Row')).toEqual([
      '3 import Row',
      '9 type Row in Store',
      '10 type Row in Store.items',
      '14 type Row in Store.load',
      '15 call Row(1 name) in Store.load',
      '34 type Row in Store.apply',
    ])
    expect(uses(facts, 'run')).toEqual(['16 call each . run(1) in Store.load'])
    expect(uses(facts, 'each')).toEqual(['16 read each in Store.load local'])
    expect(uses(facts, 'split')).toEqual(['17 call split(1) in Store.load'])
    expect(uses(facts, 'map')).toEqual(['18 call items . map(1) in Store.load'])
    expect(uses(facts, 'filter')).toEqual(['18 call items.map(_.key + left) . filter(1) in Store.load'])
    expect(uses(facts, 'size')).toEqual(['9 read size in Store', '34 read size in Store.apply local'])
    expect(uses(facts, 'count')).toEqual(['19 write this . count in Store.load'])
    expect(uses(facts, 'key')).toEqual([
      '18 property _ . key in Store.load',
      '21 read key in Store.load local',
    ])
    expect(uses(facts, 'error')).toEqual(['25 read error in Store.load local'])
    expect(uses(facts, 'help')).toEqual(['26 call a.b.Helper . help(1) in Store.load'])
    expect(uses(facts, 'go')).toEqual(['21 call go(1) in Store.load'])
    expect(uses(facts, 'name')).toEqual(['15 property name in Store.load'])
    expect(uses(facts, 'Max')).toEqual(['52 property Store . Max in StoreSuite.adds'])
    expect(uses(facts, 'T')).toEqual(['9 type T in Store local'])
    expect(uses(facts, 'munit')).toEqual(['50 read munit in StoreSuite'])
    expect(uses(facts, 'should')).toEqual(['57 call "A store" . should(0 *) in StoreSpec.load'])
  })

  test('supertypes and typed names', async () => {
    const facts = await sample()
    expect(supertypes(facts)).toEqual([
      'Store < Base',
      'Store < Keeper',
      'Shape < Closer',
      'Some2 < Shape',
      'Kind.None2 < Kind',
      'StoreSuite < FunSuite',
      'StoreSpec < AnyFlatSpec',
    ])
    const names = typedNames(facts)
    expect(names).toContain('Store > items: List')
    expect(names).toContain('Store.load > row: Row')
    expect(names).toContain('Store.load > made: Row')
    expect(names).toContain('Store.load > other: Point')
    expect(names).toContain('Store.load > error: Failure')
  })
})
