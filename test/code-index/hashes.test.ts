/** What counts as a change of a signature or a body, and what is only layout. */
import { describe, expect, test } from 'vitest'
import { factReader, symbol } from './read-facts.ts'

const read = factReader()

async function hashes(text: string, name = 'f', path = 'a.ts') {
  const { signatureHash, bodyHash } = symbol(await read(path, text), name)
  return { signatureHash, bodyHash }
}

const plain = 'export function f(a: number, b = [1, 2]) {\n  return call(a, { b })\n}\n'

describe('layout', () => {
  test.each([
    ['white space', 'export   function f(\n  a: number,\n  b = [1,2]\n) { return call( a , {b} ) }\n'],
    ['trailing commas', 'export function f(a: number, b = [1, 2],) {\n  return call(a, { b, },)\n}\n'],
    [
      'comments',
      '// x\nexport function f(a: number /* a */, b = [1, 2]) {\n  // y\n  return call(a, { b }) // z\n}\n',
    ],
    [
      'a comment behind a trailing comma',
      'export function f(a: number, b = [\n1, // one\n2, // two\n]) {\n  return call(a, { b })\n}\n',
    ],
    [
      'place',
      '\n\nconst other = 1\n\nexport function f(a: number, b = [1, 2]) {\n  return call(a, { b })\n}\n',
    ],
  ])('%s changes nothing', async (_name, text) => {
    expect(await hashes(text)).toEqual(await hashes(plain))
  })
})

describe('substance', () => {
  test('another parameter changes the signature only', async () => {
    const [before, after] = [await hashes(plain), await hashes(plain.replace('a: number', 'a: string'))]
    expect(after.signatureHash).not.toBe(before.signatureHash)
    expect(after.bodyHash).toBe(before.bodyHash)
  })

  test('another statement changes the body only', async () => {
    const [before, after] = [await hashes(plain), await hashes(plain.replace('call', 'fall'))]
    expect(after.signatureHash).toBe(before.signatureHash)
    expect(after.bodyHash).not.toBe(before.bodyHash)
  })

  test('white space inside a string is substance', async () => {
    const of = (text: string) => hashes(`function f() { return '${text}' }`)
    expect((await of('a b')).bodyHash).not.toBe((await of('ab')).bodyHash)
  })

  test('words do not run together', async () => {
    const one = await hashes('function f() { return a }')
    expect((await hashes('function f() { returna }')).bodyHash).not.toBe(one.bodyHash)
    expect((await hashes('function f() { return\na }')).bodyHash).not.toBe(one.bodyHash)
  })

  test('a decorator is part of the signature', async () => {
    const bare = await hashes('def f(): pass\n', 'f', 'a.py')
    const cached = await hashes('@cached\ndef f(): pass\n', 'f', 'a.py')
    expect(cached.signatureHash).not.toBe(bare.signatureHash)
    expect(cached.bodyHash).toBe(bare.bodyHash)
  })

  test('a tuple of one is no bracket', async () => {
    const tuple = await hashes('x = (1,)\n', 'x', 'a.py')
    expect((await hashes('x = (1)\n', 'x', 'a.py')).bodyHash).not.toBe(tuple.bodyHash)
  })
})
