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

const facts = await factsOfSamples()

test('every fact survives the way into bytes and back', () => {
  expect(facts).toHaveLength(14)
  for (const one of facts) {
    expect(one.references.length).toBeGreaterThan(20)
    expect(decodeFacts(encodeFacts(one))).toEqual(one)
  }
})

test('the same facts make the same bytes', async () => {
  const bytesOf = (all: FileFacts[]) => all.map((one) => sha256(encodeFacts(one)))
  expect(bytesOf(await factsOfSamples())).toEqual(bytesOf(facts))
})

test('damaged bytes throw rather than yield facts', () => {
  const records = facts.map(encodeFacts)
  for (const record of records) expect(() => decodeFacts(record.subarray(0, record.length / 2))).toThrow()
})

test('other facts from the same files ask for another record version', () => {
  const hash = sha256(canonicalJson(facts)).slice(0, 16)
  // When this fails because the extraction has changed on purpose: raise recordVersion, and put both here anew.
  expect({ recordVersion, hash }).toEqual({ recordVersion: 24, hash: 'b7d6b4495094f4dc' })
})
