/** Lines that are only wrapped differently are shown once; whatever else changes in them stays as it is. */
import { expect, test } from 'vitest'
import { isRewrapped } from '../../../../src/pipeline/reviewer/render/rewrapped-lines.ts'
import { hunkRows } from './hunk-rows.ts'

const java = { language: 'java', role: 'source' } as const
const python = { language: 'python', role: 'source' } as const
const prose = { language: null, role: 'docs' } as const

test.each([
  [
    'a comment that gets lines of its own',
    java,
    ['/** Returns the {@link Charset}. */'],
    ['/**', ' * Returns the', ' * {@link Charset}.', ' */'],
  ],
  ['a comment whose lines become longer', java, ['// one', '// two three'], ['// one two', '// three', '//']],
  ['a call over several lines', java, ['throw new E("a " + b);'], ['throw new E(', '    "a " + b', ');']],
  ['a comment of a language with layout', python, ['# one two', '# three'], ['# one two three']],
  ['a paragraph', prose, ['One two', 'three.'], ['One two three.']],
])('%s is the same', (_, file, before, after) => {
  expect(isRewrapped(before, after, file)).toBe(true)
  expect(isRewrapped(after, before, file)).toBe(true)
})

test.each([
  ['code that becomes a comment', java, ['// first', 'check(token);'], ['// first check(token);']],
  [
    'code behind a comment without a space',
    java,
    ['a();// first', 'check(token);'],
    ['a();// first check(token);'],
  ],
  [
    'code behind a comment at the end of a line',
    java,
    ['a(); // first', 'check(token);'],
    ['a(); // first check(token);'],
  ],
  ['a word that is torn', java, ['return x;', 'y();'], ['returnx;y();']],
  ['spaces in a text', java, ['say("a  b",', '  c)'], ['say("a b", c)']],
  ['a pointer', { language: 'c', role: 'source' } as const, ['x = 1;', '*p = 2;'], ['x = 1 *p = 2;']],
  ['a statement that moves into a block', python, ['if x: a()', 'b()'], ['if x:', '    a()', '    b()']],
  ['items of a list', prose, ['* one', '* two'], ['* one two']],
  ['what has no language', { language: null, role: 'config' } as const, ['a: b', 'c'], ['a: b c']],
  ['as many lines', java, ['  a();'], ['a();']],
  ['nothing', java, [], ['']],
])('%s is not', (_, file, before, after) => {
  expect(isRewrapped(before, after, file)).toBe(false)
})

test('a reader gets such lines as they are now, and is told', () => {
  const { block, rows } = hunkRows(
    'A.java',
    ['class A {', '  /** Says it. */', '  int a;', '}'],
    ['class A {', '  /**', '   * Says it.', '   */', '  int b;', '}'],
  )
  // What changes besides is a stretch with it, and shown before and after.
  expect(rows).toContain('O2 -  /** Says it. */')
  expect(block).not.toContain('wrapped differently')
  const alone = hunkRows(
    'A.java',
    ['class A {', '  /** Says it. */', '  int a;', '}'],
    ['class A {', '  /**', '   * Says it.', '   */', '  int a;', '}'],
  )
  expect(alone.block).toContain('(lines that are only wrapped differently are shown as they are now)')
  expect(alone.rows).toEqual([
    'L1  class A {',
    'L2 +  /**',
    'L3 +   * Says it.',
    'L4 +   */',
    'L5    int a;',
    'L6  }',
  ])
})

test.each(['data/products.csv', 'LICENSE'])('of %s the ends of what is added', (path) => {
  const lines = Array.from({ length: 60 }, (_, at) => `row ${at}`)
  const { rows, shown } = hunkRows(path, [], lines)
  expect(rows).toHaveLength(25)
  expect(rows).toContain('(36 lines like these)')
  expect(shown).toHaveLength(24)
  // Code that is only called so is read.
  expect(hunkRows('license.ts', [], lines).rows).toHaveLength(60)
})
