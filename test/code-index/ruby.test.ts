/** Ruby: what the table must find, by hand. */
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
const sample = () => read('sample.rb', fixture('sample.rb'))

describe('Ruby', () => {
  test('symbols, visibility, tests', async () => {
    const facts = await sample()
    expect(facts.errorLines).toEqual([])
    expect(outline(facts)).toEqual([
      '4-54 exported module App',
      '6-51 exported class App.Store',
      '10-10 exported constant App.Store.MAX',
      '11-11 exported field App.Store.size',
      '11-11 exported field App.Store.name',
      '12-12 exported field App.Store.count',
      '15-27 exported method App.Store.load',
      '17-17 private field App.Store.@items',
      '18-18 private field App.Store.@count',
      '29-31 exported method App.Store.open',
      '34-34 exported method App.Store.close',
      '37-39 exported method App.Store.==',
      '41-41 exported method App.Store.fetch',
      '42-42 exported method App.Store.get',
      '46-48 private method App.Store.helper',
      '50-50 internal method App.Store.shared',
      '53-53 exported class App.Point',
      '56-60 exported function App::Store (test)',
      '57-59 private function App::Store.loads rows (test)',
      '62-66 exported class StoreTest (test)',
      '63-65 exported method StoreTest.test_loads (test)',
    ])
    expect(facts.packageName).toBe(null)
  })

  test('parameters, results, documentation', async () => {
    const facts = await sample()
    expect(parameters(facts, 'App.Store.load')).toEqual([
      'row: null',
      'others?: null',
      '…rest?: null',
      'key!: null',
      'mode?!: null',
      '…options?!: null',
    ])
    expect(parameters(facts, 'App.Store.open')).toEqual(['path: null'])
    expect(parameters(facts, 'App.Store.==')).toEqual(['other: null'])

    expect(symbol(facts, 'App.Store').doc).toBe('Keeps rows.')
    expect(symbol(facts, 'App.Store.load').doc).toBe('Loads rows.')
  })

  test('imports', async () => {
    expect(imports(await sample())).toEqual(['1 * as null from json', '2 * as null from ./store/row'])
  })

  test('references: roles, receivers, shapes of calls, locals', async () => {
    const facts = await sample()
    expect(uses(facts, 'Row')).toEqual(['16 read Row in App.Store.load'])
    expect(uses(facts, 'new')).toEqual([
      '16 call Row . new(1 name) in App.Store.load',
      '30 call new(1) in App.Store.open',
      '53 call Struct . new(2) in App.Point',
    ])
    expect(uses(facts, 'map')).toEqual(['17 call rest . map(0) in App.Store.load'])
    expect(uses(facts, 'made')).toEqual(['17 read made in App.Store.load local'])
    expect(uses(facts, 'size')).toEqual([
      '17 call made . size(0) in App.Store.load',
      '38 read size in App.Store.==',
      '38 call other . size(0) in App.Store.==',
    ])
    expect(uses(facts, '@items')).toEqual(['17 write @items in App.Store.load'])
    expect(uses(facts, 'each')).toEqual([
      '17 read each in App.Store.load local',
      '19 call others . each(0) in App.Store.load',
    ])
    expect(uses(facts, 'row')).toEqual(['24 read row in App.Store.load local'])
    expect(uses(facts, 'save!')).toEqual(['24 call row . save!(0) in App.Store.load'])
    expect(uses(facts, 'load_all')).toEqual(['23 call load_all(0 *) in App.Store.load'])
    expect(uses(facts, 'help')).toEqual(['47 call App::Helper . help(1) in App.Store.helper'])
    expect(uses(facts, 'load')).toEqual([
      '42 read load in App.Store.get',
      '58 call subject . load(1) in App::Store.loads rows',
    ])
    expect(uses(facts, 'MAX')).toEqual([
      '47 read MAX in App.Store.helper',
      '64 read App::Store . MAX in StoreTest.test_loads',
    ])
    expect(uses(facts, 'block')).toEqual([
      '20 read block in App.Store.load local',
      '23 read block in App.Store.load local',
    ])
  })

  test('supertypes and typed names', async () => {
    const facts = await sample()
    expect(supertypes(facts)).toEqual([
      'App.Store < Store',
      'App.Store < Comparable',
      'App.Store < Keeper',
      'StoreTest < Test',
    ])
    const names = typedNames(facts)
    expect(names).toContain('App.Store.load > made: Row')
  })
})
