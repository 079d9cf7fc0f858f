/** Go: what the table must find, by hand. */
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
const sample = () => read('store/sample.go', fixture('sample.go'))

describe('Go', () => {
  test('symbols; methods belong to their receiver', async () => {
    const facts = await sample()
    expect(outline(facts)).toEqual([
      '14-14 exported constant Max',
      '14-14 internal constant small',
      '17-17 exported constant First',
      '18-18 exported constant Second',
      '21-21 internal variable engine',
      '24-28 exported struct Engine',
      '27-27 exported field Engine.Name',
      '27-27 internal field Engine.nick',
      '30-33 exported interface Reader',
      '32-32 exported method Reader.Read',
      '35-35 exported type Alias',
      '36-36 exported struct Box',
      '36-36 internal field Box.value',
      '39-50 exported method Engine.Run',
      '52-52 exported method Box.Close',
      '54-54 internal function lookup',
      '56-56 exported function TestRun (test)',
      '57-57 exported function TestHelper',
    ])
    const run = facts.symbols.indexOf(symbol(facts, 'Engine.Run'))
    expect(facts.symbols[facts.parents[run] ?? -1]?.name).toBe('Engine')
    expect(facts.packageName).toBe('store')
  })

  test('a method finds its type wherever that stands', async () => {
    const facts = await read('a.go', 'package a\n\nfunc (t *Late) F() {}\n\ntype Late struct{}\n')
    expect(outline(facts)).toEqual(['3-3 exported method Late.F', '5-5 exported struct Late'])
    expect(facts.parents).toEqual([1, null])
  })

  test('parameters, results, documentation', async () => {
    const facts = await sample()
    expect(parameters(facts, 'Engine.Run')).toEqual(['…addr?: string'])
    expect(parameters(facts, 'lookup')).toEqual(['a: int', 'b: int', 'c: string'])
    expect(parameters(facts, 'Box.Close')).toEqual(['_: int', '_: string'])
    expect(parameters(facts, 'Reader.Read')).toEqual(['p: []byte', '…more?: string'])
    expect(symbol(facts, 'lookup').signature.returnType).toBe('(*Engine, bool)')
    expect(symbol(facts, 'Engine').doc).toBe('Engine does the work.')
    expect(symbol(facts, 'Engine').signature.text).toBe('type Engine struct')
    expect(symbol(facts, 'Engine.Run').doc).toBe('Run runs.')
  })

  test('imports: alias, dot, blank, and the word a path is called by', async () => {
    expect(imports(await sample())).toEqual([
      '5 * as fmt from fmt',
      '6 * as null from math',
      '7 * as null from side/effect',
      '9 * as j from encoding/json',
      '10 * as yaml from gopkg.in/yaml.v3',
      '11 * as lib from github.com/x/lib/v2',
    ])
  })

  test('calls, receivers and locals; a name is local only behind its declaration', async () => {
    const facts = await sample()
    expect(uses(facts, 'Println')).toEqual(['42 call fmt . Println(3) in Engine.Run'])
    expect(uses(facts, 'url')).toEqual(['40 read url in Engine.Run', '42 read url in Engine.Run local'])
    expect(uses(facts, 'Do')).toEqual(['45 call n . Do(0 *) in Engine.Run'])
    expect(uses(facts, 'lookup')).toEqual(['44 call lookup(1) in Engine.Run', '56 call lookup(3) in TestRun'])
    // The only argument is a call: it may hand on several results.
    expect(uses(facts, 'wrap')).toEqual(['48 call wrap(0 *) in Engine.Run'])
    expect(uses(facts, 'Name')).toEqual([
      '44 property e . Name in Engine.Run',
      '48 write e . Name in Engine.Run',
    ])
    expect(uses(facts, 'size')).toEqual(['21 property size in engine'])
    expect(uses(facts, 'T')[0]).toBe('36 type T in Box.value local')
  })

  test('embedded types and typed names', async () => {
    const facts = await sample()
    expect(supertypes(facts)).toEqual(['Engine < Base', 'Engine < Other', 'Reader < Stringer'])
    const names = typedNames(facts)
    expect(names).toContain('engine: Engine')
    expect(names).toContain('Engine.Run > e: Engine')
    expect(names).toContain('Engine.Run > box: Box')
    expect(names).toContain('Engine > Name: string')
    expect(names).toContain('TestRun > t: testing.T')
  })
})
