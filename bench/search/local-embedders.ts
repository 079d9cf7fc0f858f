/** Vectors made on this machine without a model, to be measured: signed hashes of words, and of their letters. */
import { tokensOf } from '../../src/code-index/lexical/terms.ts'
import type { Embedder } from '../../src/llm/embedding/contract.ts'

/** Words and parts of words, weighted by the root of how often; with `letters`, every four letters of them too. */
export function hashEmbedder(dimensions: number, letters: boolean): Embedder {
  const model = `hash-${letters ? 'letters' : 'words'}`
  return {
    id: { provider: 'local', model, dimensions, dtype: 'float32', prefixes: { document: '', query: '' } },
    limits: { inputs: 1_000, tokens: 1e9, tokensPerInput: 1e6 },
    async embed(texts) {
      return {
        rows: texts.map((text) => hashVector(featuresOf(text, letters), dimensions)),
        usage: { calls: 1, tokens: 0 },
      }
    },
  }
}

export function featuresOf(text: string, letters: boolean): Map<string, number> {
  const counts = new Map<string, number>()
  for (const token of tokensOf(text)) {
    counts.set(token, (counts.get(token) ?? 0) + 1)
    if (!letters) continue
    const word = `<${token}>`
    for (let at = 0; at + 4 <= word.length; at++) {
      const gram = `4${word.slice(at, at + 4)}`
      counts.set(gram, (counts.get(gram) ?? 0) + 0.5)
    }
  }
  return counts
}

export function hashVector(features: ReadonlyMap<string, number>, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const [feature, count] of features) {
    const hash = hashOf(feature)
    const at = (hash >>> 1) % dimensions
    vector[at] = (vector[at] ?? 0) + (hash % 2 === 0 ? 1 : -1) * Math.sqrt(count)
  }
  if (!vector.some((part) => part !== 0)) vector[0] = 1
  return vector
}

/** FNV-1a with a last stir, so that its low bits are of use. */
function hashOf(text: string): number {
  let hash = 2_166_136_261
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 2_246_822_519)
  return (hash ^ (hash >>> 13)) >>> 0
}
