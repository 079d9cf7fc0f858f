/** C#: what the table must find, by hand. */
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
const sample = () => read('Sample.cs', fixture('Sample.cs'))

describe('C#', () => {
  test('symbols, visibility, tests', async () => {
    const facts = await sample()
    expect(facts.errorLines).toEqual([])
    expect(outline(facts)).toEqual([
      '9-43 exported class Store',
      '12-12 private constant Store.Max',
      '12-12 private constant Store.Min',
      '13-13 internal field Store.items',
      '14-14 exported field Store.Changed',
      '16-16 exported field Store.Count',
      '17-17 exported method Store.this[]',
      '19-22 exported method Store.Store',
      '27-38 exported method Store.Load',
      '34-34 private function Store.Load.Twice',
      '40-40 internal method Store.Pack',
      '41-41 exported method Store.operator +',
      '42-42 private method Store.Hidden',
      '45-45 exported enum Color',
      '45-45 exported enumerator Color.Red',
      '45-45 exported enumerator Color.Green',
      '47-51 exported interface IShape',
      '49-49 exported field IShape.Area',
      '50-50 exported method IShape.Draw',
      '53-53 exported class Point',
      '53-53 exported field Point.X',
      '53-53 exported field Point.Y',
      '55-55 exported type Handler',
      '57-65 exported class StoreTests (test)',
      '60-61 exported method StoreTests.Loads (test)',
      '63-64 exported method StoreTests.Adds (test)',
    ])
    expect(facts.packageName).toBe('App.Model')
  })

  test('parameters, results, documentation', async () => {
    const facts = await sample()
    expect(parameters(facts, 'Store.this[]')).toEqual(['index: int'])
    expect(parameters(facts, 'Store.Store')).toEqual(['size: int', 'name?: string', '…rest?: object[]'])
    expect(parameters(facts, 'Store.Load')).toEqual(['row: Row', 'others: int', 'done?: Func<int, int>'])
    expect(parameters(facts, 'Store.Load.Twice')).toEqual(['left: int'])
    expect(parameters(facts, 'Store.operator +')).toEqual(['left: Store<T>', 'right: Row'])
    expect(parameters(facts, 'IShape.Draw')).toEqual(['times: int'])
    expect(parameters(facts, 'Point')).toEqual(['X: int', 'Y: int'])
    expect(parameters(facts, 'Handler')).toEqual(['code: int'])
    expect(parameters(facts, 'StoreTests.Adds')).toEqual(['x: int'])
    expect(symbol(facts, 'Store.Max').signature.returnType).toBe('int')
    expect(symbol(facts, 'Store.Min').signature.returnType).toBe('int')
    expect(symbol(facts, 'Store.items').signature.returnType).toBe('List<Row>')
    expect(symbol(facts, 'Store.Changed').signature.returnType).toBe('EventHandler')
    expect(symbol(facts, 'Store.Count').signature.returnType).toBe('int')
    expect(symbol(facts, 'Store').doc).toBe('Keeps rows.')
    expect(symbol(facts, 'Store.Load').doc).toBe('Loads.')
  })

  test('imports', async () => {
    expect(imports(await sample())).toEqual([
      '1 * as null from System',
      '2 * as null from System.Collections.Generic',
      '3 * as null from System.Math',
      '4 Entry as Line from App.Data',
    ])
  })

  test('references: roles, receivers, shapes of calls, locals', async () => {
    const facts = await sample()
    expect(uses(facts, 'Row')).toEqual([
      '10 type Row in Store',
      '13 type Row in Store.items',
      '13 type Row in Store.items',
      '27 type Row in Store.Load',
      '27 type Row in Store.Load',
      '29 call Row(1 name) in Store.Load',
      '30 type Row in Store.Load',
      '41 type Row in Store.operator +',
    ])
    expect(uses(facts, 'Run')).toEqual(['30 call each . Run(1) in Store.Load'])
    expect(uses(facts, 'Find')).toEqual(['32 call rows . Find(1) in Store.Load'])
    expect(uses(facts, 'size')).toEqual([
      '19 read size in Store.Store local',
      '21 write this . size in Store.Store',
      '21 read size in Store.Store local',
    ])
    expect(uses(facts, 'Twice')).toEqual(['36 call Twice(1) in Store.Load local'])
    expect(uses(facts, 'Help')).toEqual(['37 call App.Helper . Help(1) in Store.Load'])
    expect(uses(facts, 'Name')).toEqual(['17 property items[index] . Name in Store.this[]'])
    expect(uses(facts, 'count')).toEqual(['36 write this . count in Store.Load'])
    expect(uses(facts, 'Max')).toEqual(['36 read Max in Store.Load'])
    expect(uses(facts, 'Serializable')).toEqual(['9 decorator Serializable in Store'])
    expect(uses(facts, 'T')).toEqual([
      '10 type T in Store local',
      '41 type T in Store.operator + local',
      '41 type T in Store.operator + local',
    ])
  })

  test('supertypes and typed names', async () => {
    const facts = await sample()
    expect(supertypes(facts)).toEqual(['Store < Base', 'Store < IKeeper', 'IShape < IKeeper'])
    const names = typedNames(facts)
    expect(names).toContain('Store > items: List')
    expect(names).toContain('Store.Load > row: Row')
    expect(names).toContain('Store.Load > made: Row')
    expect(names).toContain('Store.Load > each: Row')
    expect(names).toContain('Store.Load > line: Line')
    expect(names).toContain('Store.Load > error: Failure')
  })
})
