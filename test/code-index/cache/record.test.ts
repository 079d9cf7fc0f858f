/** Records give back what was put in, and their version speaks for what the extraction yields. */
import { expect, test } from 'vitest'
import { canonicalJson, sha256 } from '../../../src/base/canonical-json.ts'
import { decodeFacts, encodeFacts, recordVersion } from '../../../src/code-index/cache/record.ts'
import type { FileFacts } from '../../../src/code-index/contract.ts'
import { languages } from '../../../src/code-index/languages/registry.ts'
import { readerOf } from '../../../src/code-index/parsing/parse-file.ts'
import { fixture, samples } from '../read-facts.ts'

async function factsOfSamples(): Promise<FileFacts[]> {
  const all: FileFacts[] = []
  for (const [language, name] of Object.entries(samples)) {
    const table = languages.get(language)
    if (!table) throw new Error(`no table for ${language}`)
    const facts = (await readerOf(table)).read(fixture(name), '', () => true)
    if (facts) all.push(facts)
  }
  return all
}

test('every fact survives the way into bytes and back', async () => {
  const all = await factsOfSamples()
  expect(all).toHaveLength(14)
  for (const facts of all) {
    expect(facts.references.length).toBeGreaterThan(20)
    expect(decodeFacts(encodeFacts(facts))).toEqual(facts)
  }
})

test('the same facts make the same bytes', async () => {
  const [once, again] = [await factsOfSamples(), await factsOfSamples()]
  expect(again.map((facts) => sha256(encodeFacts(facts)))).toEqual(
    once.map((facts) => sha256(encodeFacts(facts))),
  )
})

test('damaged bytes throw rather than yield facts', async () => {
  const [facts] = await factsOfSamples()
  if (!facts) throw new Error('unreachable')
  const record = encodeFacts(facts)
  expect(() => decodeFacts(record.subarray(0, record.length / 2))).toThrow()
})

test('other facts from the same files ask for another record version', async () => {
  const hash = sha256(canonicalJson(await factsOfSamples())).slice(0, 16)
  // When this fails because the extraction has changed on purpose: raise recordVersion, and put both here anew.
  expect({ recordVersion, hash }).toEqual({ recordVersion: 13, hash: '25c31eadba461f3c' })
})
