/** Java: what the table must find, by hand. */
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
const sample = () => read('a/b/c/Sample.java', fixture('Sample.java'))

describe('Java', () => {
  test('symbols, visibility, tests', async () => {
    const facts = await sample()
    expect(outline(facts)).toEqual([
      '9-55 exported class Sample',
      '11-11 private constant Sample.MAX',
      '11-11 private constant Sample.MIN',
      '12-12 internal field Sample.items',
      '14-17 exported method Sample.Sample',
      '20-34 exported method Sample.load',
      '36-36 internal method Sample.pack',
      '38-41 exported method Sample.loads (test)',
      '43-47 internal enum Sample.Color',
      '44-44 exported enumerator Sample.Color.RED',
      '45-45 exported enumerator Sample.Color.GREEN',
      '46-46 internal field Sample.Color.depth',
      '49-52 internal interface Sample.Inner',
      '50-50 exported constant Sample.Inner.LIMIT',
      '51-51 exported method Sample.Inner.go',
      '54-54 internal class Sample.Point',
      '54-54 internal field Sample.Point.x',
      '54-54 internal field Sample.Point.y',
    ])
    expect(facts.packageName).toBe('a.b.c')
  })

  test('parameters, results, documentation', async () => {
    const facts = await sample()
    expect(parameters(facts, 'Sample.Sample')).toEqual(['size: int', '…rest?: String'])
    expect(parameters(facts, 'Sample.load')).toEqual(['row: Row', 'others: Row[]'])
    expect(parameters(facts, 'Sample.Point')).toEqual(['x: int', 'y: int'])
    expect(symbol(facts, 'Sample.load').signature.returnType).toBe('R')
    expect(symbol(facts, 'Sample.load').doc).toBe('Loads.')
    expect(symbol(facts, 'Sample').doc).toBe('Keeps things.')
    expect(symbol(facts, 'Sample.items').signature.returnType).toBe('List<Row>')
  })

  test('imports: plain, static, wildcard', async () => {
    expect(imports(await sample())).toEqual([
      '3 List as List from java.util.List',
      '4 assertEquals as assertEquals from org.junit.Assert',
      '5 * as null from a.B',
      '6 * as null from java.io',
    ])
  })

  test('calls with receiver and shape; locals do not hide methods', async () => {
    const facts = await sample()
    expect(uses(facts, 'run')).toEqual(['24 call each . run(1) in Sample.load'])
    expect(uses(facts, 'help')).toEqual(['33 call a.b.Helper . help(1) in Sample.load'])
    expect(uses(facts, 'load')).toEqual(['32 call load(2) in Sample.load'])
    expect(uses(facts, 'key')).toEqual(['27 call Row . key(0 *) in Sample.load'])
    expect(uses(facts, 'ArrayList')).toEqual(['12 call ArrayList(0) in Sample.items'])
    expect(uses(facts, 'size')).toEqual([
      '15 read size in Sample.Sample local',
      '16 write this . size in Sample.Sample',
      '16 read size in Sample.Sample local',
    ])
    expect(uses(facts, 'error')).toEqual(['29 read error in Sample.load local'])
    expect(uses(facts, 'left')).toEqual(['31 read left in Sample.load local'])
    expect(uses(facts, 'MAX')).toEqual(['40 read MAX in Sample.loads'])
    expect(uses(facts, 'Service')).toEqual(['9 decorator Service in Sample'])
    expect(uses(facts, 'Override')).toEqual(['20 decorator Override in Sample.load'])
    const call = await read('B.java', 'class B { void f(Runnable run) { run(); run.run(); } }')
    expect(uses(call, 'run')).toEqual([
      '1 call run(0) in B.f',
      '1 read run in B.f local',
      '1 call run . run(0) in B.f',
    ])
  })

  test('supertypes and typed names', async () => {
    const facts = await sample()
    expect(supertypes(facts)).toEqual([
      'Sample < Store',
      'Sample < Shape',
      'Sample < Keeper',
      'Sample.Color < Shape',
    ])
    const names = typedNames(facts)
    expect(names).toContain('Sample > items: List')
    expect(names).toContain('Sample.load > row: Row')
    expect(names).toContain('Sample.load > made: Row')
    expect(names).toContain('Sample.load > each: Row')
    expect(names).toContain('Sample.load > reader: Reader')
    expect(names.some((name) => name.includes('others'))).toBe(false)
  })
})
