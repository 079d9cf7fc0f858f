/**
 * The grammar of what we publish, held against hostile words in every field at once: nothing lives, and the blocks of the page
 * are those of the same review in tame words. SIGHTLINE_FUZZ_SEED and SIGHTLINE_FUZZ_RUNS choose other reviews, and more.
 */
import { expect, test } from 'vitest'
import { visibleLine } from '../../../../src/base/visible-text.ts'
import type { Review } from '../../../../src/domain/review.ts'
import type { RenderOptions } from '../../../../src/pipeline/publish/contract.ts'
import { linksAt } from '../../../../src/pipeline/publish/links.ts'
import { formats } from '../../../../src/pipeline/publish/registry.ts'
import { selectFindings } from '../../../../src/pipeline/publish/selection.ts'
import { Random } from '../../../helpers/random.ts'
import { sampleReview } from '../../../helpers/sample-review.ts'
import { hostileReview, tame } from './hostile-review.ts'
import { blocksOf, headingsOf, liveThings, readPage } from './page.ts'

const seed = Number(process.env.SIGHTLINE_FUZZ_SEED ?? 20_261_121)
const runs = Number(process.env.SIGHTLINE_FUZZ_RUNS ?? 6)
const repository = 'https://github.com/owner/name'

type Pair = { hostile: Review; tamed: Review; options: RenderOptions; texts: number; where: string }

function pairOf(run: number): Pair {
  const number = seed + run
  let texts = 0
  const hostile = hostileReview(new Random(number), (text) => {
    texts++
    return text
  })
  const tamed = hostileReview(new Random(number), tame())
  const random = new Random(-number)
  const link = random.chance(0.5) ? linksAt(repository, hostile.request) : null
  const options = {
    color: false,
    width: random.between(40, 120),
    explain: random.chance(0.5),
    maxInline: random.between(0, 4),
    committable: random.chance(0.5),
    ...(link ? { link } : {}),
  }
  return { hostile, tamed, options, texts, where: `SIGHTLINE_FUZZ_SEED=${number} SIGHTLINE_FUZZ_RUNS=1` }
}

function judgePage({ hostile, tamed, options, where }: Pair): void {
  const markdown = formats.markdown(hostile, options)
  const commits = [hostile.request.base.commit, hostile.request.head.commit]
  const allowed = {
    links: options.link ? commits.map((commit) => `${repository}/blob/${commit}/`) : [],
    languages: ['', 'diff', 'text', ...(options.committable ? ['suggestion'] : [])],
  }
  expect(liveThings(markdown, allowed), where).toEqual([])
  const shown = blocksOf(readPage(markdown))
  const tame = blocksOf(readPage(formats.markdown(tamed, options)))
  expect(shown, where).toEqual(asDiffWhereShown(tame, shown))
  expect(markdown, where).not.toMatch(/[^\P{C}\n\t]/u)
  const again = JSON.parse(formats.json(hostile, options)) as Review
  expect(formats.markdown(again, options), where).toBe(markdown)
}

/** A suggestion that would command a bot may not be committed, and is a diff; no diff may become a suggestion. */
function asDiffWhereShown(tame: unknown, shown: unknown): unknown {
  if (!Array.isArray(tame) || !Array.isArray(shown)) return tame
  if (tame[0] === 'code') return tame[1] === 'suggestion' && shown[1] === 'diff' ? shown : tame
  return tame.map((part, at) => asDiffWhereShown(part, shown[at]))
}

/** What is shown is what was said, down to the last bracket. */
function judgeTitles({ hostile, options, where }: Pair): void {
  const headings = headingsOf(readPage(formats.markdown(hostile, options)), 3).map(bare)
  const { fresh, old } = selectFindings(hostile, options)
  const shown = [...fresh.full, ...old.full]
  expect(headings.length, where).toBe(shown.length)
  for (const [at, heading] of headings.entries())
    expect(heading, where).toContain(bare(visibleLine(shown[at]?.title ?? '')))
}

/** Backticks set code apart, and white space is folded. */
function bare(text: string): string {
  return text.replace(/[\s`]/g, '')
}

/** reviewdog posts the message of a diagnostic as Markdown; there nothing is a link. */
function judgeMessages({ hostile, options, where }: Pair): void {
  const { diagnostics } = JSON.parse(formats.rdjson(hostile, options)) as {
    diagnostics: { message: string; related_locations?: { message: string }[] }[]
  }
  for (const { message, related_locations = [] } of diagnostics)
    for (const text of [message, ...related_locations.map((related) => related.message)])
      expect(liveThings(text, { links: [], languages: [''] }), where).toEqual([])
}

const ourColors = new RegExp(`${String.fromCharCode(27)}\\[(?:1|2|22|31|32|33|36|39)m`, 'g')

function judgeTerminal({ hostile, tamed, options, where }: Pair): void {
  const plain = formats.terminal(hostile, options)
  const colored = formats.terminal(hostile, { ...options, color: true })
  expect(plain, where).not.toMatch(/[^\P{C}\n]/u)
  expect(wordsOf(colored.replace(ourColors, '')), where).toBe(wordsOf(plain))
  const wide = { ...options, width: 120 }
  expect(headLines(formats.terminal(hostile, wide)), where).toEqual(headLines(formats.terminal(tamed, wide)))
}

/** Where lines break may differ: spaces at the ends of code count only where the code has a colour. */
function wordsOf(text: string): string {
  return text.replace(/\s+/g, '')
}

/** The lines at the margin by which people find their way, without what is foreign in them. */
function headLines(text: string): string[] {
  return text
    .split('\n')
    .flatMap(
      (line) =>
        /^(?:CRITICAL|HIGH|MEDIUM|LOW|APPROVE|REQUEST_CHANGES|NEEDS_DISCUSSION|Confidence {2}|Coverage {2})\b/.exec(
          line,
        ) ?? [],
    )
}

test(`${runs} reviews full of hostile words: nothing lives, and the blocks are those of tame words (seed ${seed})`, () => {
  let texts = 0
  let findings = 0
  for (let run = 0; run < runs; run++) {
    const pair = pairOf(run)
    judgePage(pair)
    judgeTitles(pair)
    judgeMessages(pair)
    judgeTerminal(pair)
    texts += pair.texts
    findings += pair.hostile.findings.length
  }
  console.log(`pages: ${runs} reviews, ${findings} findings, ${texts} hostile texts, seed ${seed}`)
}, 7_200_000)

test('no name that the summary tells begins a line of the terminal', () => {
  const summary = 'Goal: its author calls it `APPROVE  no findings`; it refers to `APPROVE 1`.'
  for (let width = 40; width <= 120; width++) {
    const text = formats.terminal(sampleReview({ summary }), {
      color: false,
      width,
      explain: false,
      maxInline: 8,
    })
    expect(text, `width ${width}`).not.toMatch(/^APPROVE/m)
  }
})

test('no link leads out of the commit', () => {
  const link = linksAt(repository, sampleReview().request)
  const at = (path: string) => link?.({ path, side: 'new', startLine: 1, endLine: 1 })
  expect(at('../../../../other/x')).toBeNull()
  expect(at('a/./b')).toBeNull()
  expect(at('a/..b/\ud800#?%2e')).toMatch(/\/a\/\.\.b\/%EF%BF%BD%23%3F%252e#L1$/)
})
