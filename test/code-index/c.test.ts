/** C: what the table must find, by hand. */
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
const sample = () => read('sample.c', fixture('sample.c'))

describe('C', () => {
  test('symbols, visibility, tests', async () => {
    const facts = await sample()
    expect(facts.errorLines).toEqual([])
    expect(outline(facts)).toEqual([
      '5-5 exported macro MAX_ROWS',
      '6-6 exported macro SQUARE',
      '8-8 exported type row_id',
      '11-16 exported struct row',
      '11-16 exported type Row',
      '12-12 exported field row.id',
      '13-13 exported field row.name',
      '13-13 exported field row.title',
      '14-14 exported field row.next',
      '15-15 exported field row.compare',
      '18-20 exported struct point_t',
      '19-19 exported field point_t.x',
      '22-22 exported enum color',
      '22-22 exported enumerator color.RED',
      '22-22 exported enumerator color.GREEN',
      '24-27 exported struct value',
      '25-25 exported field value.number',
      '26-26 exported field value.real',
      '29-29 private variable counter',
      '30-30 exported variable label',
      '33-33 exported function store_open',
      '38-51 private function store_load',
      '53-53 exported function store_close',
      '56-56 exported function on_unix',
    ])
    expect(facts.packageName).toBe(null)
  })

  test('parameters, results, documentation', async () => {
    const facts = await sample()
    expect(parameters(facts, 'SQUARE')).toEqual(['x: null'])
    expect(parameters(facts, 'store_open')).toEqual(['path: const char *', 'flags: int'])
    expect(parameters(facts, 'store_load')).toEqual(['self: struct store *', 'id: row_id', '…...?: null'])
    expect(symbol(facts, 'row.id').signature.returnType).toBe('row_id')
    expect(symbol(facts, 'row.name').signature.returnType).toBe('char')
    expect(symbol(facts, 'row.title').signature.returnType).toBe('char')
    expect(symbol(facts, 'row.compare').signature.returnType).toBe('int')
    expect(symbol(facts, 'point_t.x').signature.returnType).toBe('int')
    expect(symbol(facts, 'MAX_ROWS').doc).toBe('How many rows fit.')
    expect(symbol(facts, 'row').doc).toBe('A row.')
    expect(symbol(facts, 'Row').doc).toBe('A row.')
    expect(symbol(facts, 'store_open').doc).toBe('Declared here, defined elsewhere.')
    expect(symbol(facts, 'store_load').doc).toBe('Loads a row.')
  })

  test('imports', async () => {
    expect(imports(await sample())).toEqual([
      '1 * as null from stdio.h again',
      '2 * as null from ./store.h again',
    ])
  })

  test('references: roles, receivers, shapes of calls, locals', async () => {
    const facts = await sample()
    expect(uses(facts, 'row_id')).toEqual(['12 type row_id in row.id', '38 type row_id in store_load'])
    expect(uses(facts, 'self')).toEqual([
      '42 read self in store_load local',
      '44 read self in store_load local',
      '47 read self in store_load local',
    ])
    expect(uses(facts, 'id')).toEqual(['39 read id in store_load local'])
    expect(uses(facts, 'make_row')).toEqual(['39 call make_row(2) in store_load'])
    expect(uses(facts, 'SQUARE')).toEqual(['39 call SQUARE(1) in store_load'])
    expect(uses(facts, 'total')).toEqual([
      '42 write total in store_load local',
      '48 read total in store_load local',
    ])
    expect(uses(facts, 'handler')).toEqual(['44 call self . handler(1) in store_load'])
    expect(uses(facts, 'next')).toEqual(['45 write made . next in store_load'])
    expect(uses(facts, 'counter')).toEqual(['46 write counter in store_load'])
    expect(uses(facts, 'qsort')).toEqual(['47 call qsort(4) in store_load'])
    expect(uses(facts, 'label')).toEqual(['53 read label in store_close'])
    expect(uses(facts, 'MAX_ROWS')).toEqual(['40 read MAX_ROWS in store_load'])
    expect(uses(facts, 'store_open')).toEqual(['56 call store_open(2) in on_unix'])
  })

  test('supertypes and typed names', async () => {
    const facts = await sample()
    expect(supertypes(facts)).toEqual([])
    const names = typedNames(facts)
    expect(names).toContain('row > id: row_id')
    expect(names).toContain('row > next: row')
    expect(names).toContain('store_load > self: store')
    expect(names).toContain('store_load > id: row_id')
    expect(names).toContain('store_load > made: Row')
  })
})
