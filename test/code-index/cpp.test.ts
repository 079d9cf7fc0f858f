/** C++: what the table must find, by hand. */
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
const sample = () => read('sample.cpp', fixture('sample.cpp'))

describe('C++', () => {
  test('symbols, visibility, tests', async () => {
    const facts = await sample()
    expect(facts.errorLines).toEqual([
      { startLine: 19, endLine: 19 },
      { startLine: 77, endLine: 77 },
    ])
    expect(outline(facts)).toEqual([
      '7-48 exported module app::model',
      '10-31 exported class app::model.Store',
      '13-13 exported constant app::model.Store.kMax',
      '15-15 exported method app::model.Store.Store',
      '16-16 exported method app::model.Store.~Store',
      '19-19 exported method app::model.Store.load',
      '20-20 exported method app::model.Store.operator+',
      '23-23 internal method app::model.Store.count',
      '26-26 private field app::model.Store.size_',
      '27-27 private field app::model.Store.items_',
      '27-27 private field app::model.Store.spare_',
      '28-30 private struct app::model.Store.Inner',
      '29-29 exported field app::model.Store.Inner.depth',
      '33-33 exported enum app::model.Color',
      '33-33 exported enumerator app::model.Color.Red',
      '33-33 exported enumerator app::model.Color.Green',
      '35-35 exported type app::model.RowList',
      '37-38 exported type app::model.Small',
      '40-40 exported function app::model.makeRow',
      '42-42 exported constant app::model.limit',
      '45-45 private function app::model.hidden',
      '50-50 exported macro CHECK_ROW',
      '53-69 exported method app::model.Store.count',
      '71-73 exported function StoreTest.LoadsRows (test)',
      '75-75 exported function StoreFixture.Closes (test)',
      '77-79 exported function store loads (test)',
    ])
    expect(facts.packageName).toBe(null)
  })

  test('parameters, results, documentation', async () => {
    const facts = await sample()
    expect(parameters(facts, 'app::model.Store.Store')).toEqual(['size?: int'])
    expect(parameters(facts, 'app::model.Store.load')).toEqual([
      'row: const Row&',
      'others?: std::vector<int>',
    ])
    expect(parameters(facts, 'app::model.Store.operator+')).toEqual(['other: const Row&'])
    expect(parameters(facts, 'app::model.makeRow')).toEqual(['key: int'])
    expect(parameters(facts, 'CHECK_ROW')).toEqual(['row: null'])
    expect(symbol(facts, 'app::model.Store.kMax').signature.returnType).toBe('int')
    expect(symbol(facts, 'app::model.Store.load').signature.returnType).toBe('std::unique_ptr<Row>')
    expect(symbol(facts, 'app::model.Store.operator+').signature.returnType).toBe('Row')
    expect(symbol(facts, 'app::model.Store.size_').signature.returnType).toBe('int')
    expect(symbol(facts, 'app::model.Store.items_').signature.returnType).toBe('std::vector<Row>')
    expect(symbol(facts, 'app::model.Store').doc).toBe('Keeps rows.')
    expect(symbol(facts, 'app::model.Store.load').doc).toBe('Loads.')
  })

  test('imports', async () => {
    expect(imports(await sample())).toEqual([
      '1 * as null from vector again',
      '2 * as null from ./store.hpp again',
      '4 string as string from std',
      '5 * as null from std::chrono',
    ])
  })

  test('references: roles, receivers, shapes of calls, locals', async () => {
    const facts = await sample()
    expect(uses(facts, 'Row')).toEqual([
      '19 type Row in app::model.Store.load',
      '19 type Row in app::model.Store.load',
      '20 type Row in app::model.Store.operator+',
      '20 type Row in app::model.Store.operator+',
      '27 type Row in app::model.Store',
      '35 type Row in app::model.RowList',
      '40 type Row in app::model.makeRow',
      '53 type Row in app::model.Store.count',
      '54 type Row in app::model.Store.count',
      '55 type Row in app::model.Store.count',
      '56 type Row in app::model.Store.count',
      '56 call Row(1) in app::model.Store.count',
    ])
    expect(uses(facts, 'size_')).toEqual([
      '15 write size_ in app::model.Store.Store',
      '23 read size_ in app::model.Store.count',
      '58 read size_ in app::model.Store.count',
      '61 write this . size_ in app::model.Store.count',
    ])
    expect(uses(facts, 'run')).toEqual(['57 call each . run(1) in app::model.Store.count'])
    expect(uses(facts, 'save')).toEqual(['60 call made . save(1) in app::model.Store.count'])
    expect(uses(facts, 'help')).toEqual(['62 call app::Helper . help(1 *) in app::model.Store.count'])
    expect(uses(facts, 'make_unique')).toEqual(['54 call std . make_unique(2) in app::model.Store.count'])
    expect(uses(facts, 'parse')).toEqual(['64 call parse(1) in app::model.Store.count'])
    expect(uses(facts, 'first')).toEqual(['60 read first in app::model.Store.count local'])
    expect(uses(facts, 'second')).toEqual(['61 read second in app::model.Store.count local'])
    expect(uses(facts, 'plain')).toEqual(['62 read plain in app::model.Store.count local'])
    expect(uses(facts, 'error')).toEqual(['66 read error in app::model.Store.count local'])
    expect(uses(facts, 'call')).toEqual(['68 call call(1) in app::model.Store.count local'])
    expect(uses(facts, 'makeRow')).toEqual(['72 call makeRow(1) in StoreTest.LoadsRows'])
    expect(uses(facts, 'Base')).toEqual(['11 extends Base in app::model.Store'])
    expect(uses(facts, 'T')).toEqual([
      '11 type T in app::model.Store local',
      '38 read T in app::model.Small local',
    ])
    expect(uses(facts, 'left')).toEqual(['58 read left in app::model.Store.count local'])
  })

  test('supertypes and typed names', async () => {
    const facts = await sample()
    expect(supertypes(facts)).toEqual(['app::model.Store < Base', 'app::model.Store < Keeper'])
    const names = typedNames(facts)
    expect(names).toContain('app::model.Store.load > row: Row')
    expect(names).toContain('app::model.Store > items_: std::vector')
    expect(names).toContain('app::model.Store.count > made: Row')
    expect(names).toContain('app::model.Store.count > plain: Row')
    expect(names).toContain('app::model.Store.count > raw: Row')
    expect(names).toContain('app::model.Store.count > error: Failure')
  })
})
