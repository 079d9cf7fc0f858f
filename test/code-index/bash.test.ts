/** Bash: what the table must find, by hand. */
import { describe, expect, test } from 'vitest'
import { factReader, fixture, imports, outline, symbol, uses } from './read-facts.ts'

const read = factReader()
const sample = () => read('sample.sh', fixture('sample.sh'))

describe('Bash', () => {
  test('symbols, visibility, tests', async () => {
    const facts = await sample()
    expect(facts.errorLines).toEqual([])
    expect(outline(facts)).toEqual([
      '8-8 exported constant MAX_ROWS',
      '9-9 exported variable LABEL',
      '10-10 exported variable count',
      '11-11 exported variable table',
      '14-26 exported function load_row',
      '28-31 exported function save_row',
    ])
    expect(facts.packageName).toBe(null)
  })

  test('documentation', async () => {
    const facts = await sample()

    expect(symbol(facts, 'load_row').doc).toBe('Loads a row.')
  })

  test('imports', async () => {
    expect(imports(await sample())).toEqual(['5 * as null from ./lib/common.sh again'])
  })

  test('references: roles, receivers, shapes of calls, locals', async () => {
    const facts = await sample()
    expect(uses(facts, 'save_row')).toEqual(['19 call save_row(3) in load_row'])
    expect(uses(facts, 'load_row')).toEqual(['33 call load_row(1)'])
    expect(uses(facts, 'count_rows')).toEqual(['21 call count_rows(1) in load_row'])
    expect(uses(facts, 'name')).toEqual([
      '19 read name in load_row local',
      '22 read name in load_row local',
      '23 read name in load_row local',
    ])
    expect(uses(facts, 'total')).toEqual([
      '18 write total in load_row local',
      '18 read total in load_row local',
    ])
    expect(uses(facts, 'each')).toEqual(['18 read each in load_row local', '19 read each in load_row local'])
    expect(uses(facts, 'count')).toEqual(['21 write count in load_row', '24 read count in load_row'])
    expect(uses(facts, 'MAX_ROWS')).toEqual(['21 read MAX_ROWS in load_row'])
    expect(uses(facts, 'table')).toEqual(['22 write table in load_row'])
    expect(uses(facts, 'items')).toEqual(['17 read items in load_row'])
    expect(uses(facts, 'HOME')).toEqual(['6 read HOME'])
    expect(uses(facts, 'source')).toEqual(['5 call source(1)'])
  })

  test('Bats: tests with titles, to their closing bracket', async () => {
    const facts = await read('sample.bats', fixture('sample.bats'))
    expect(outline(facts)).toEqual(['4-6 exported function setup', '8-11 exported function adds rows (test)'])
    expect(imports(facts)).toEqual(['2 * as null from test_helper again'])
    expect(uses(facts, 'run')).toEqual(['9 call run(2) in adds rows'])
  })

  test('an expansion that may be many words leaves the number of arguments open', async () => {
    const facts = await read('a.sh', 'save "$a" b\nsave $rest\nsave "$@"\n')
    expect(uses(facts, 'save')).toEqual(['1 call save(2)', '2 call save(0 *)', '3 call save(0 *)'])
  })
})
