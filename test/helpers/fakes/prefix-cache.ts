/**
 * Remembers prompts, so that the usage figures of a fake come from a real comparison of prefixes: by marked blocks, as
 * Anthropic counts, or by the longest common beginning, as OpenAI and Gemini do.
 */
import { createHash } from 'node:crypto'
import { countTokens } from './tokens.ts'

export type PromptBlock = { text: string; mark: null | '5m' | '1h' }

/** How many blocks before a mark are looked at for an earlier entry. */
const lookback = 20
const rememberedPrompts = 64

export class PrefixCache {
  private readonly entries = new Set<string>()
  private readonly prompts = new Map<string, string[]>()

  /** Tokens read from and written to the cache. Prefixes below `minimum` tokens are not cached, and no error. */
  markedBlocks(
    model: string,
    blocks: readonly PromptBlock[],
    minimum: number,
  ): { read: number; write: number; writeHour: number } {
    const prefixes = prefixesOf(model, blocks)
    const marked = blocks.flatMap((block, index) => (block.mark === null ? [] : [index]))
    let hit = -1
    for (const mark of marked)
      for (let index = mark; index >= 0 && index > mark - lookback; index -= 1)
        if (this.entries.has(prefixes[index]?.name ?? '')) hit = Math.max(hit, index)
    let written = hit < 0 ? 0 : (prefixes[hit]?.tokens ?? 0)
    const read = written
    let write = 0
    let writeHour = 0
    for (const mark of marked) {
      const prefix = prefixes[mark]
      if (!prefix || prefix.tokens < minimum) continue
      this.entries.add(prefix.name)
      const fresh = Math.max(0, prefix.tokens - written)
      write += fresh
      if (blocks[mark]?.mark === '1h') writeHour += fresh
      written = Math.max(written, prefix.tokens)
    }
    return { read, write, writeHour }
  }

  /** Tokens of the longest beginning shared with an earlier prompt, in steps of 128, from `minimum` on. */
  commonPrefix(scope: string, prompt: string, minimum: number): number {
    const earlier = this.prompts.get(scope) ?? []
    const shared = Math.max(0, ...earlier.map((other) => sharedBytes(other, prompt)))
    this.prompts.set(scope, [...earlier, prompt].slice(-rememberedPrompts))
    const tokens = Math.floor(shared / 4)
    return tokens < minimum ? 0 : tokens - (tokens % 128)
  }

  /** As if all time to live had passed. */
  expire(): void {
    this.entries.clear()
    this.prompts.clear()
  }
}

function prefixesOf(model: string, blocks: readonly PromptBlock[]): { name: string; tokens: number }[] {
  const running = createHash('sha256').update(model)
  let tokens = 0
  return blocks.map((block) => {
    running.update(`\0${block.text}`)
    tokens += countTokens(block.text)
    return { name: running.copy().digest('hex'), tokens }
  })
}

function sharedBytes(left: string, right: string): number {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  const end = Math.min(a.length, b.length)
  let low = 0
  let high = end
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (a.subarray(0, middle).equals(b.subarray(0, middle))) low = middle
    else high = middle - 1
  }
  return low
}
