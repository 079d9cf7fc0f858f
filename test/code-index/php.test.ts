/** PHP: what the table must find, by hand. */
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
const sample = () => read('sample.php', fixture('sample.php'))

describe('PHP', () => {
  test('symbols, visibility, tests', async () => {
    const facts = await sample()
    expect(facts.errorLines).toEqual([])
    expect(outline(facts)).toEqual([
      '12-12 exported constant LIMIT',
      '17-51 exported class Store',
      '22-22 exported constant Store.MAX',
      '22-22 exported constant Store.MIN',
      '23-23 internal field Store.items',
      '24-24 private field Store.first',
      '24-24 private field Store.last',
      '25-25 exported field Store.count',
      '27-30 exported method Store.__construct',
      '27-27 private field Store.size',
      '33-48 exported method Store.load',
      '50-50 internal method Store.pack',
      '53-56 exported interface Keeper',
      '55-55 exported method Keeper.keep',
      '58-61 exported interface Loggable',
      '60-60 exported method Loggable.logAll',
      '63-67 exported enum Color',
      '65-65 exported enumerator Color.Red',
      '66-66 exported enumerator Color.Green',
      '69-72 exported function shout',
      '74-83 exported class StoreTest (test)',
      '76-79 exported method StoreTest.testLoads (test)',
      '81-82 exported method StoreTest.adds (test)',
    ])
    expect(facts.packageName).toBe('App\\Model')
  })

  test('parameters, results, documentation', async () => {
    const facts = await sample()
    expect(parameters(facts, 'Store.__construct')).toEqual(['size: int', 'name?: string'])
    expect(parameters(facts, 'Store.load')).toEqual(['row: Row', 'others?: ?array', '…rest?: string'])
    expect(parameters(facts, 'Keeper.keep')).toEqual(['times: int'])
    expect(parameters(facts, 'shout')).toEqual(['text: string'])
    expect(symbol(facts, 'Store.items').signature.returnType).toBe('array')
    expect(symbol(facts, 'Store.first').signature.returnType).toBe('?Row')
    expect(symbol(facts, 'Store.last').signature.returnType).toBe('?Row')
    expect(symbol(facts, 'Store.count').signature.returnType).toBe('int')
    expect(symbol(facts, 'Store.size').signature.returnType).toBe('int')
    expect(symbol(facts, 'Store').doc).toBe('Keeps rows.')
    expect(symbol(facts, 'Store.load').doc).toBe('Loads.')
  })

  test('imports', async () => {
    expect(imports(await sample())).toEqual([
      '7 Row as Row from App\\Data\\Row',
      '8 Entry as Line from App\\Data\\Entry',
      '9 Helper as Helper from App\\Util\\Helper',
      '9 Text as Words from App\\Util\\Text',
      '10 help as help from App\\Util',
    ])
  })

  test('references: roles, receivers, shapes of calls, locals', async () => {
    const facts = await sample()
    expect(uses(facts, 'Row')).toEqual([
      '7 import Row',
      '24 type Row in Store',
      '33 type Row in Store.load',
      '33 type Row in Store.load',
      '35 call Row(1 name) in Store.load',
    ])
    expect(uses(facts, 'run')).toEqual(['37 call each . run(1) in Store.load'])
    expect(uses(facts, 'save')).toEqual(['41 call row . save(0 *) in Store.load'])
    expect(uses(facts, 'help')).toEqual(['10 import help', '43 call Helper . help(1) in Store.load'])
    expect(uses(facts, 'table')).toEqual(['17 property table in Store'])
    expect(uses(facts, 'count')).toEqual(['40 write this . count in Store.load'])
    expect(uses(facts, 'MAX')).toEqual([
      '40 property self . MAX in Store.load',
      '78 property Store . MAX in StoreTest.testLoads',
    ])
    expect(uses(facts, '__construct')).toEqual(['29 call parent . __construct(1) in Store.__construct'])
    expect(uses(facts, 'find')).toEqual(['47 call $.App.Util . find(1) in Store.load'])
    expect(uses(facts, 'size')).toEqual([
      '29 read size in Store.__construct local',
      '39 property this . size in Store.load',
    ])
    expect(uses(facts, 'row')).toEqual(['41 read row in Store.load local', '43 read row in Store.load local'])
    expect(uses(facts, 'Helper')).toEqual(['9 import Helper', '43 type Helper in Store.load'])
    expect(uses(facts, 'LIMIT')).toEqual(['47 read LIMIT in Store.load'])
  })

  test('supertypes and typed names', async () => {
    const facts = await sample()
    expect(supertypes(facts)).toEqual([
      'Store < Base',
      'Store < Keeper',
      'Store < Countable',
      'Store < Loggable',
      'Store < Cached',
      'Keeper < Closer',
      'Color < Shape',
      'StoreTest < TestCase',
    ])
    const names = typedNames(facts)
    expect(names).toContain('Store > first: Row')
    expect(names).toContain('Store > last: Row')
    expect(names).toContain('Store.load > row: Row')
    expect(names).toContain('Store.load > made: Row')
  })
})
