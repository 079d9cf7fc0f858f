/** Rust: what the table must find, by hand. */
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
const sample = () => read('src/sample.rs', fixture('sample.rs'))

describe('Rust', () => {
  test('symbols; impl blocks hold methods', async () => {
    expect(outline(await sample())).toEqual([
      '6-6 private module sub',
      '9-13 exported struct Point',
      '11-11 exported field Point.x',
      '12-12 private field Point.y',
      '14-17 internal enum Shape',
      '15-15 exported enumerator Shape.Dot',
      '16-16 exported enumerator Shape.Line',
      '16-16 exported field Shape.Line.to',
      '18-21 exported interface Draw',
      '19-19 exported constant Draw.SIDES',
      '20-20 exported method Draw.draw',
      '22-26 exported impl Point',
      '23-25 exported method Point.draw',
      '27-37 exported impl Point',
      '28-36 exported method Point.new',
      '38-38 private constant LIMIT',
      '39-39 private type Pair',
      '40-42 internal macro twice',
      '43-50 private function outer',
      '51-58 private module tests (test)',
      '54-57 private function tests.adds (test)',
    ])
  })

  test('parameters without self, results, documentation', async () => {
    const facts = await sample()
    expect(parameters(facts, 'Point.new')).toEqual(['x: i32', '(a, b): (i32, u8)'])
    expect(parameters(facts, 'Draw.draw')).toEqual(['canvas: &mut Canvas'])
    expect(symbol(facts, 'outer').signature.returnType).toBe('Result<(), Error>')
    expect(symbol(facts, 'Point').doc).toBe('A point.')
    expect(symbol(facts, 'Draw').signature.text).toBe('pub trait Draw: Base + fmt::Debug')
  })

  test('use trees, flattened', async () => {
    expect(imports(await sample())).toEqual([
      '2 fmt as fmt from std',
      '2 * as io from std::io',
      '2 Read as R from std::io',
      '2 * as null from std::collections',
      '3 B as B from crate::a again',
      '4 * as y from super::x',
      '5 * as s from serde',
      '6 * as sub from self::sub',
      '53 * as null from super',
    ])
  })

  test('calls, receivers, macros', async () => {
    const facts = await sample()
    expect(uses(facts, 'new')).toEqual([
      '44 call Point . new(2) in outer',
      '45 call std::path::PathBuf . new(0) in outer',
    ])
    expect(uses(facts, 'line')).toEqual(['24 call canvas . line(2) in Point.draw'])
    expect(uses(facts, 'scale')).toEqual(['29 call scale(1) in Point.new'])
    // Inside a macro there are only tokens: the number of arguments is not known.
    expect(uses(facts, 'total')).toEqual(['47 call made . total(0 *) in outer'])
    expect(uses(facts, 'add')).toEqual(['47 call add(0 *) in outer local'])
    expect(uses(facts, 'outer')).toEqual(['56 call outer(0) in tests.adds'])
    expect(uses(facts, 'derive')).toEqual(['9 decorator derive in Point'])
    expect(uses(facts, 'test')[1]).toBe('54 decorator test in tests.adds')
  })

  test('patterns bind small names and compare with big ones', async () => {
    const facts = await sample()
    expect(uses(facts, 'found')).toEqual(['33 read found in Point.new local'])
    expect(uses(facts, 'inner')).toEqual(['32 read inner in Point.new local'])
    expect(uses(facts, 'LIMIT')).toEqual(['34 read LIMIT in Point.new', '46 read LIMIT in outer'])
    expect(uses(facts, 'a')).toEqual([
      '3 read crate . a',
      '34 read a in Point.new local',
      '46 read a in outer local',
    ])
  })

  test('supertraits, implementations, typed names', async () => {
    const facts = await sample()
    expect(supertypes(facts)).toEqual(['Draw < Base', 'Draw < Debug', 'Point < Draw'])
    expect(uses(facts, 'Point').slice(0, 3)).toEqual([
      '16 type Point in Shape.Line.to',
      '22 type Point in Point',
      '27 type Point in Point',
    ])
    const names = typedNames(facts)
    expect(names).toContain('Draw.draw > canvas: Canvas')
    expect(names).toContain('outer > made: Point')
    expect(names).toContain('outer > path: std::path::PathBuf')
    expect(names).toContain('Point > y: Vec')
  })
})
