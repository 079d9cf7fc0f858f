/** All that a model is shown of one changed file: its diff, what is known of it, the code around it. */
import { count } from '../../../base/count.ts'
import { type Fence, Untrusted } from '../../../base/untrusted/untrusted.ts'
import type { FileChange } from '../../../domain/change-set.ts'
import type { Evidence } from '../../../domain/evidence.ts'
import type { Candidate } from '../../../domain/finding.ts'
import type { ReviewContext } from '../../../domain/review-context.ts'
import { renderDiff } from './diff-lines.ts'
import { renderEvidence } from './evidence.ts'
import { knownFindingLines } from './known-findings.ts'
import { symbolLines, testLines } from './symbol-lines.ts'

export type FileBlock = {
  file: FileChange
  text: string
  bytes: number
  /** Why not all of it is in the text; null when all is. */
  cut: string | null
}

export type BlockParts = {
  context: ReviewContext
  /** Of this file only. */
  candidates: readonly Candidate[]
  /** The definitions around its changed lines. */
  chain: readonly Evidence[]
  fence: Fence
  /** The block is no longer than this, but for a little around the diff. */
  maxBytes: number
}

export function renderFileBlock(file: FileChange, parts: BlockParts): FileBlock {
  const { context, candidates, chain, fence, maxBytes } = parts
  const { text: diff, shown } = renderDiff(file, maxBytes)
  const symbols = context.symbols.filter(({ before, after }) => (after ?? before)?.path === file.path)
  const tests = context.tests.filter(({ path }) => path === file.path)
  const cited = new Set(candidates.flatMap((candidate) => candidate.evidence.map(({ evidence }) => evidence)))
  const evidence = context.evidence.filter(({ id }) => cited.has(id))
  const sections = [fence.render(new Untrusted(`diff of ${file.path}`, diff))]
  let room = maxBytes - Buffer.byteLength(diff)
  const add = (heading: string, texts: readonly string[]): void => {
    const fit: string[] = []
    for (const text of texts) {
      const size = Buffer.byteLength(text)
      if (size > room) break
      room -= size
      fit.push(text)
    }
    if (fit.length > 0) sections.push(`${heading}\n${fit.join('\n')}`)
  }
  const lines = (origin: string, all: readonly string[]): string[] =>
    all.length === 0 ? [] : [fence.render(new Untrusted(`${origin} ${file.path}`, all.join('\n')))]
  add('Symbols that changed:', lines('symbols of', symbolLines(symbols)))
  add('Already found by deterministic checks:', lines('findings on', knownFindingLines(candidates)))
  add(
    'Evidence of these findings:',
    evidence.map((item) => renderEvidence(item, fence)),
  )
  add(
    'The code around changed lines:',
    chain.map((item) => renderEvidence(item, fence)),
  )
  add('Tests that use the changed symbols:', lines('tests of', testLines(tests)))
  const text = sections.join('\n\n')
  const missing = file.hunks.length - shown
  return {
    file,
    text,
    bytes: Buffer.byteLength(text),
    cut:
      missing > 0
        ? `a model saw ${shown} of ${count(file.hunks.length, 'hunk')}; the rest is too long`
        : file.omitted,
  }
}
