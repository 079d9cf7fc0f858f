/** Hostile files in a language: each is read or is listed as a failure, and the next file is read all the same. */
import { afterAll, describe, expect, test } from 'vitest'
import { createFactStore } from '../../../src/code-index/fact-store.ts'
import { drawn } from '../../helpers/matrix.ts'
import { source } from '../read-facts.ts'

const endings = ['kt', 'c', 'cpp', 'cs', 'rb', 'php', 'swift', 'scala', 'sh']

const texts: Record<string, string> = {
  '2,900 open brackets': '(\n'.repeat(2_900),
  '2,900 levels of nesting': `${'{\n'.repeat(2_900)}${'}\n'.repeat(2_900)}`,
  'angles that never close': 'a<b<'.repeat(1_000),
  // Grammars have hung on shorter ones than that.
  'one line of 65 characters': `fun f(x: Int) = g<${'a<b<('.repeat(9)}x`.slice(0, 65),
  'one more of 65': `fun f() = ${'.&&'.repeat(30)}`.slice(0, 65),
  'types that begin strings': '":<val x = if('.repeat(5).slice(0, 65),
  'lambdas in lambdas': '{ a -> '.repeat(500),
  'a template left open': `val x = "${'${'.repeat(300)}`,
  'a long chain of calls': `x${'\n.a()'.repeat(1_000)}`,
  'a picture, by its bytes': Buffer.from(
    Uint8Array.from({ length: 20_000 }, (_, at) => (at * at * 31) % 256),
  ).toString(),
  'mixed line endings': 'a\r\nb\rc\n\r\n{\r}\n'.repeat(500),
  'NUL bytes and lone surrogates': `${'\0'.repeat(500)}\n${'\ud800'.repeat(500)}\nx = 1\n`,
  'conflict markers': '<<<<<<< HEAD\nfoo(\n=======\nbar {\n>>>>>>> x\n'.repeat(100),
  nothing: '',
}

const store = createFactStore({
  cacheFolder: null,
  // Grammars that hang are ended twice, each time after this much work.
  limits: { fileDeadlineMs: { base: 200, perThousand: 0 } },
})
afterAll(() => store.close())

describe.each(drawn(endings))('.%s', (ending) => {
  test('every file is answered', async () => {
    const start = ending === 'php' ? '<?php\n' : ''
    const hard = Object.entries(texts).map(([name, text]) => source(`${name}.${ending}`, `${start}${text}`))
    const plain = source(`plain.${ending}`, `${start}// or # nothing but a comment\n`)
    const facts = await store.facts([...hard, plain])
    const failed = new Set(store.failures.map(({ path }) => path))
    expect(facts.has(plain.path)).toBe(true)
    for (const { path } of hard) expect([path, facts.has(path) !== failed.has(path)]).toEqual([path, true])
  })

  test('what is refused from the text alone is listed', async () => {
    const path = `deep.${ending}`
    const facts = await store.facts([source(path, '(\n'.repeat(100_000))])
    expect(facts.size).toBe(0)
    expect(store.failures).toContainEqual({ path, reason: 'too-deep' })
  })
})
