/** Swift: what the table must find, by hand. */
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
const sample = () => read('sample.swift', fixture('sample.swift'))

describe('Swift', () => {
  test('symbols, visibility, tests', async () => {
    const facts = await sample()
    expect(facts.errorLines).toEqual([])
    expect(outline(facts)).toEqual([
      '5-35 exported class Store',
      '7-7 internal field Store.max',
      '8-8 exported field Store.items',
      '9-9 private field Store.size',
      '10-10 internal field Store.isEmpty',
      '12-15 internal method Store.init',
      '17-17 internal method Store.deinit',
      '20-31 exported method Store.load',
      '33-33 private method Store.pack',
      '34-34 internal method Store.subscript',
      '37-40 exported struct Point',
      '38-38 internal field Point.x',
      '38-38 internal field Point.y',
      '39-39 internal method Point.move',
      '42-46 internal enum Color',
      '43-43 internal enumerator Color.red',
      '44-44 internal enumerator Color.green',
      '44-44 internal enumerator Color.blue',
      '45-45 internal enumerator Color.custom',
      '48-52 internal interface Shape',
      '49-49 internal type Shape.Unit',
      '50-50 internal field Shape.area',
      '51-51 internal method Shape.draw',
      '54-56 internal impl Store',
      '55-55 internal method Store.draw',
      '58-58 internal type Handler',
      '60-60 internal function shout',
      '62-62 private variable limit',
      '64-68 internal class StoreTests (test)',
      '65-67 internal method StoreTests.testLoads (test)',
    ])
    expect(facts.packageName).toBe(null)
  })

  test('parameters, results, documentation', async () => {
    const facts = await sample()
    expect(parameters(facts, 'Store.init')).toEqual(['size!: Int', 'name?!: String'])
    expect(parameters(facts, 'Store.load')).toEqual([
      'row: Row',
      'from!: [Row]',
      '…rest?!: String',
      'done?!: (Int) -> Void',
    ])
    expect(parameters(facts, 'Store.subscript')).toEqual(['index: Int'])
    expect(parameters(facts, 'Point.move')).toEqual(['by!: Int'])
    expect(parameters(facts, 'Shape.draw')).toEqual(['times!: Int'])
    expect(parameters(facts, 'Store.draw')).toEqual(['times!: Int'])
    expect(parameters(facts, 'shout')).toEqual(['text: String'])
    expect(symbol(facts, 'Store.items').signature.returnType).toBe('[Row]')
    expect(symbol(facts, 'Store.size').signature.returnType).toBe('Int')
    expect(symbol(facts, 'Store.isEmpty').signature.returnType).toBe('Bool')
    expect(symbol(facts, 'Store.load').signature.returnType).toBe('R?')
    expect(symbol(facts, 'Store.subscript').signature.returnType).toBe('Row')
    expect(symbol(facts, 'Store.load').doc).toBe('Loads.')
  })

  test('imports', async () => {
    expect(imports(await sample())).toEqual(['1 * as null from Foundation', '2 * as null from Model'])
  })

  test('references: roles, receivers, shapes of calls, locals', async () => {
    const facts = await sample()
    expect(uses(facts, 'Row')).toEqual([
      '6 type Row in Store',
      '8 type Row in Store.items',
      '21 type Row in Store.load',
      '21 type Row in Store.load',
      '22 call Row(1 name) in Store.load',
      '34 type Row in Store.subscript',
      '54 type Row in Store',
    ])
    expect(uses(facts, 'run')).toEqual(['23 call each . run(1) in Store.load'])
    expect(uses(facts, 'each')).toEqual(['23 read each in Store.load local'])
    expect(uses(facts, 'split')).toEqual(['24 call split(1) in Store.load'])
    expect(uses(facts, 'map')).toEqual(['25 call items . map(1) in Store.load'])
    expect(uses(facts, 'first')).toEqual([
      '25 read first in Store.load local',
      '26 property rows . first in Store.load',
    ])
    expect(uses(facts, 'go')).toEqual(['26 call rows.first . go(1) in Store.load'])
    expect(uses(facts, 'size')).toEqual([
      '13 write self . size in Store.init',
      '13 read size in Store.init local',
    ])
    expect(uses(facts, 'count')).toEqual(['27 write self . count in Store.load'])
    expect(uses(facts, 'error')).toEqual(['29 read error in Store.load local'])
    expect(uses(facts, 'help')).toEqual(['30 call Model.Helper . help(1 to) in Store.load'])
    expect(uses(facts, 'close')).toEqual(['17 call close(0) in Store.deinit'])
    expect(uses(facts, 'left')).toEqual(['25 read left in Store.load local'])
    expect(uses(facts, 'T')).toEqual(['6 type T in Store local', '54 read T in Store'])
    expect(uses(facts, 'isEmpty')).toEqual(['10 property items . isEmpty in Store.isEmpty'])
  })

  test('supertypes and typed names', async () => {
    const facts = await sample()
    expect(supertypes(facts)).toEqual([
      'Store < Base',
      'Store < Keeper',
      'Point < Shape',
      'Color < String',
      'Shape < AnyObject',
      'Store < Shape',
      'StoreTests < XCTestCase',
    ])
    const names = typedNames(facts)
    expect(names).toContain('Store > size: Int')
    expect(names).toContain('Store > isEmpty: Bool')
    expect(names).toContain('Store.init > size: Int')
    expect(names).toContain('Store.load > row: Row')
    expect(names).toContain('Store.load > made: Row')
    expect(names).toContain('Point > x: Int')
  })
})
