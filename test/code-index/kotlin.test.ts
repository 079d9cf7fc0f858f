/** Kotlin: what the table must find, by hand. */
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
const sample = () => read('sample.kt', fixture('sample.kt'))

describe('Kotlin', () => {
  test('symbols, visibility, tests', async () => {
    const facts = await sample()
    expect(facts.errorLines).toEqual([])
    expect(outline(facts)).toEqual([
      '8-40 exported class Store',
      '9-9 private field Store.size',
      '10-12 exported class Store.Companion',
      '11-11 exported constant Store.Companion.MAX',
      '14-14 exported field Store.items',
      '15-15 internal field Store.count',
      '21-21 exported method Store.constructor',
      '24-37 exported method Store.load',
      '39-39 internal method Store.pack',
      '42-42 exported function shout',
      '44-49 exported enum Color',
      '44-44 exported field Color.rgb',
      '45-45 exported enumerator Color.RED',
      '46-46 exported enumerator Color.GREEN',
      '48-48 exported method Color.dim',
      '51-55 exported interface Kind',
      '52-52 exported class Kind.None',
      '54-54 exported class Kind.Some',
      '54-54 exported field Kind.Some.x',
      '57-57 exported type Handler',
      '59-59 private variable top',
      '61-67 exported class StoreTest (test)',
      '62-66 exported method StoreTest.adds two (test)',
      '69-73 exported class Spec (test)',
      '70-72 private function Spec.adds (test)',
    ])
    expect(facts.packageName).toBe('a.b')
  })

  test('parameters, results, documentation', async () => {
    const facts = await sample()
    expect(parameters(facts, 'Store')).toEqual(['size: Int', 'name?: String'])
    expect(parameters(facts, 'Store.constructor')).toEqual(['other: Line'])
    expect(parameters(facts, 'Store.load')).toEqual(['row: Row', '…rest?: String', 'done?: (Int) -> Unit'])
    expect(parameters(facts, 'Color')).toEqual(['rgb: Int'])
    expect(parameters(facts, 'Kind.Some')).toEqual(['x: Int'])
    expect(symbol(facts, 'Store.size').signature.returnType).toBe('Int')
    expect(symbol(facts, 'Store.items').signature.returnType).toBe('List<Row>')
    expect(symbol(facts, 'Store.load').signature.returnType).toBe('R?')
    expect(symbol(facts, 'Color.rgb').signature.returnType).toBe('Int')
    expect(symbol(facts, 'Kind.Some.x').signature.returnType).toBe('Int')
    expect(symbol(facts, 'Store').doc).toBe('Keeps rows.')
    expect(symbol(facts, 'Store.load').doc).toBe('Loads.')
  })

  test('imports', async () => {
    expect(imports(await sample())).toEqual([
      '3 Row as Row from a.c.Row',
      '4 Entry as Line from a.c.Entry',
      '5 * as null from a.x',
    ])
  })

  test('references: roles, receivers, shapes of calls, locals', async () => {
    const facts = await sample()
    expect(uses(facts, 'Row')).toEqual([
      '3 import Row',
      '9 type Row in Store',
      '14 type Row in Store.items',
      '24 type Row in Store.load',
      '25 call Row(1 name) in Store.load',
    ])
    expect(uses(facts, 'run')).toEqual(['26 call each . run(1) in Store.load'])
    expect(uses(facts, 'each')).toEqual(['26 read each in Store.load local'])
    expect(uses(facts, 'split')).toEqual(['27 call split(1) in Store.load'])
    expect(uses(facts, 'map')).toEqual(['28 call items . map(1) in Store.load'])
    expect(uses(facts, 'filter')).toEqual(['28 call items.map { it.key + left } . filter(1) in Store.load'])
    expect(uses(facts, 'go')).toEqual(['29 call rows.find()! . go(0 *) in Store.load'])
    expect(uses(facts, 'count')).toEqual(['18 write count in Store', '30 write this . count in Store.load'])
    expect(uses(facts, 'left')).toEqual(['28 read left in Store.load local'])
    expect(uses(facts, 'error')).toEqual(['34 read error in Store.load local'])
    expect(uses(facts, 'help')).toEqual(['36 call a.b.Helper . help(1) in Store.load'])
    expect(uses(facts, 'test')).toEqual(['70 call test(2) in Spec.adds'])
    expect(uses(facts, 'name')).toEqual(['25 property name in Store.load'])
    expect(uses(facts, 'load')).toEqual(['65 call Store . load(0 *) in StoreTest.adds two'])
    expect(uses(facts, 'Service')).toEqual(['8 decorator Service in Store'])
    expect(uses(facts, 'T')).toEqual(['9 type T in Store local'])
  })

  test('supertypes and typed names', async () => {
    const facts = await sample()
    expect(supertypes(facts)).toEqual([
      'Store < Base',
      'Store < Keeper',
      'Color < Shape',
      'Kind.None < Kind',
      'Kind.Some < Kind',
      'Spec < FunSpec',
    ])
    const names = typedNames(facts)
    expect(names).toContain('Store > size: Int')
    expect(names).toContain('Store > items: List')
    expect(names).toContain('Store.load > row: Row')
    expect(names).toContain('Store.load > made: Row')
    expect(names).toContain('Store.load > error: Failure')
  })
})
