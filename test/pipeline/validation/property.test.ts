/**
 * Random findings against random diffs: whatever survives is anchored, quoted and inside the limits, and every
 * candidate has its verdict. SIGHTLINE_FUZZ_SEED and SIGHTLINE_FUZZ_RUNS choose other worlds, and more.
 */
import { expect, test } from 'vitest'
import { visibleText } from '../../../src/base/visible-text.ts'
import type { Claim } from '../../../src/domain/claim.ts'
import type { Evidence } from '../../../src/domain/evidence.ts'
import { type Candidate, Finding, Verdict } from '../../../src/domain/finding.ts'
import { formatTag, isFileTag, lineHash, parseTag } from '../../../src/domain/line-tag.ts'
import { severities } from '../../../src/domain/severity.ts'
import { validateCandidates } from '../../../src/pipeline/validation/validate.ts'
import { Random } from '../../helpers/random.ts'
import { randomEdit, randomFile } from './random-code.ts'
import { candidate, createWorld, evidenceOf, inputOf, type World } from './world.ts'

const seed = Number(process.env.SIGHTLINE_FUZZ_SEED ?? 20_261_121)
const runs = Number(process.env.SIGHTLINE_FUZZ_RUNS ?? 300)
const perRun = 12
const planes = ['secrets', 'contract', 'rules', 'tests']

type Scene = { world: World; lines: { old: string[]; new: string[] }; evidence: Evidence[] }

function randomScene(random: Random): Scene {
  const old = randomFile(random, random.between(2, 30))
  const now = randomEdit(random, old, random.between(1, 8))
  const join = (lines: string[]) => `${lines.join('\n')}\n`
  const world = createWorld({ 'a.ts': join(old) }, { 'a.ts': join(now) })
  const lines = { old, new: now }
  const evidence = Array.from({ length: 8 }, (_, at) => randomEvidence(random, `E${at + 1}`, lines))
  return { world, lines, evidence }
}

/** True two times in three. */
function randomEvidence(random: Random, id: string, lines: Scene['lines']): Evidence {
  const side = random.pick(['old', 'new'] as const)
  const number = random.between(1, lines[side].length + 1)
  const text = random.chance(0.8) ? (lines[side][number - 1] ?? '') : random.pick(lines.new.concat(''))
  return evidenceOf(random.chance(0.95) ? 'a.ts' : 'z.ts', number, text, { id, side })
}

function randomCandidate(random: Random, id: string, scene: Scene): Candidate {
  const cited = random.chance(0.85) ? [random.pick(scene.evidence)] : []
  return candidate({
    id,
    plane: mostly(random, random.pick(planes), ['nobody']),
    rule: mostly(random, random.pick(['r/one', 'r/two', 'r/three']), ['not an id']),
    severity: random.pick(severities),
    category: random.pick(['contract', 'security'] as const),
    confidence: random.pick(['certain', 'likely', 'possible'] as const),
    title: mostly(random, 'A thing', ['x'.repeat(400), 'odd \u202e thing', '']),
    explanation: mostly(random, 'Why.', ['y'.repeat(3_990), 'z'.repeat(5_000), '\u0007']),
    anchor: {
      path: random.chance(0.95) ? 'a.ts' : 'z.ts',
      tags: Array.from({ length: random.between(1, 3) }, () => randomTag(random, scene)),
    },
    claims: Array.from({ length: random.between(0, 2) }, () => randomClaim(random, scene)),
    suggestion: random.chance(0.4) ? randomSuggestion(random, scene) : null,
    evidence: cited.map(({ id: evidence, text }) => ({
      evidence: random.chance(0.95) ? evidence : 'E99',
      quote: random.chance(0.9) ? text.slice(random.between(0, 3)) : 'made up',
    })),
  })
}

function mostly(random: Random, usual: string, odd: readonly string[]): string {
  return random.chance(0.97) ? usual : random.pick(odd)
}

function randomTag(random: Random, { lines, world }: Scene): string {
  const diff = world.change.files[0]?.hunks.flatMap((hunk) => hunk.lines) ?? []
  const side = random.pick(['old', 'new'] as const)
  const number = random.pick(diff.map((line) => line[side] ?? 1))
  const shift = random.chance(0.2) ? random.pick([-1, 1, 5]) : 0
  const tag = formatTag(side, Math.max(1, number + shift), lineHash(lines[side][number - 1] ?? ''))
  return random.pick([tag, tag, tag, `[${tag}]`, 'L1#000', 'nonsense', `F#${lineHash('a.ts')}`])
}

function randomClaim(random: Random, { lines }: Scene): Claim {
  const line = random.between(1, lines.new.length)
  const text = random.chance(0.9) ? (lines.new[line - 1] ?? '') : 'absent'
  return random.pick<Claim>([
    { kind: 'line-contains', side: 'new', text, path: 'a.ts', line },
    { kind: 'rule-matches', rule: 'r', path: 'a.ts', line },
    { kind: 'type-mismatch', checker: 'tsc', message: 'm', path: 'a.ts', line },
  ])
}

function randomSuggestion(random: Random, { lines }: Scene): Candidate['suggestion'] {
  const startLine = random.between(1, lines.new.length)
  const replacement = random.pick([
    lines.new[startLine - 1] ?? '',
    '  value',
    'a\u200bb',
    'x\n'.repeat(25),
    'eval(x)',
  ])
  return { path: 'a.ts', startLine, endLine: startLine + random.between(0, 2), replacement }
}

function complaintsAbout(finding: Finding, { world, lines, evidence }: Scene): string[] {
  const file = world.change.files.find(({ path }) => path === finding.anchor.path)
  const diff = file?.hunks.flatMap((hunk) => hunk.lines) ?? []
  const shown = diff.find((line) => line[finding.side] === finding.startLine)
  const [firstTag = ''] = finding.anchor.tags
  const first = parseTag(firstTag)
  const cites = finding.evidence.every(({ evidence: id, quote }) => {
    const item = evidence.find((one) => one.id === id)
    const actual = item?.path === 'a.ts' && lines[item.side ?? 'new'][(item.startLine ?? 0) - 1]
    return item !== undefined && quote.trim() !== '' && item.text.includes(quote) && actual === item.text
  })
  const quotesItself = finding.claims.some(({ kind }) => kind === 'line-contains')
  const rules: [string, boolean][] = [
    ['is a finding', Finding.safeParse(finding).success],
    ['is on the diff', shown !== undefined],
    [
      'has tags of the diff',
      finding.anchor.tags.every((tag) => {
        const parsed = parseTag(tag)
        return (
          parsed !== null &&
          diff.some((line) => line[parsed.side] === parsed.line && line.hash === parsed.hash)
        )
      }),
    ],
    [
      'hash of its tag is true',
      first !== null && lineHash(lines[first.side][first.line - 1] ?? '') === first.hash,
    ],
    [
      'range holds the shown line',
      first !== null && finding.startLine <= first.line && first.line <= finding.endLine,
    ],
    [
      'secrets are on changed lines',
      finding.plane !== 'secrets' ||
        diff.some((line) => line[first?.side ?? 'new'] === first?.line && line.kind !== 'context'),
    ],
    ['is quoted', finding.evidence.length > 0 ? cites : quotesItself],
    [
      'claims hold',
      finding.claims.every(
        (claim) => claim.kind !== 'line-contains' || (lines.new[claim.line - 1] ?? '').includes(claim.text),
      ),
    ],
    [
      'words are visible',
      visibleText(finding.title + finding.explanation) === finding.title + finding.explanation,
    ],
    ['excerpt is short', finding.excerpt.length > 0 && finding.excerpt.length <= 12],
    ['suggestion is harmless', isHarmless(finding.suggestion)],
    [
      'is not capped in vain',
      finding.confidence === 'certain' ||
        finding.claims.length > 0 ||
        finding.severity === 'medium' ||
        finding.severity === 'low',
    ],
    ['plane is known', planes.includes(finding.plane)],
    ['file tags are gone', finding.anchor.tags.every((tag) => !isFileTag(tag, 'a.ts'))],
  ]
  return rules.flatMap(([rule, holds]) => (holds ? [] : [rule]))
}

function isHarmless(suggestion: Finding['suggestion']): boolean {
  if (!suggestion) return true
  const { replacement } = suggestion
  return (
    visibleText(replacement) === replacement &&
    replacement.split('\n').length <= 20 &&
    !replacement.includes('eval')
  )
}

test(`of ${runs * perRun} random candidates every survivor holds (seed ${seed})`, async () => {
  const random = new Random(seed)
  let survivors = 0
  const fates = new Map<string, number>()
  for (let run = 0; run < runs; run++) {
    const scene = randomScene(random)
    const candidates = Array.from({ length: perRun }, (_, at) => randomCandidate(random, `C${at + 1}`, scene))
    const verdicts = await validateCandidates(
      inputOf(scene.world, { candidates, evidence: scene.evidence, planes }),
    )
    expect(verdicts.map(({ candidate: { id } }) => id).sort()).toEqual(candidates.map(({ id }) => id).sort())
    const fingerprints = new Set<string>()
    for (const verdict of verdicts) {
      fates.set(verdict.step, (fates.get(verdict.step) ?? 0) + 1)
      expect(Verdict.parse(verdict)).toEqual(verdict)
      expect(verdict.reason).not.toBe('')
      expect(verdict.outcome === 'dropped').toBe(verdict.finding === null)
      if (!verdict.finding) continue
      survivors++
      expect(complaintsAbout(verdict.finding, scene), JSON.stringify(verdict)).toEqual([])
      expect(fingerprints.has(verdict.finding.fingerprint)).toBe(false)
      fingerprints.add(verdict.finding.fingerprint)
    }
  }
  console.log(
    `seed ${seed}: ${survivors} of ${runs * perRun} survived; by step ${JSON.stringify([...fates].sort())}`,
  )
  expect(survivors).toBeGreaterThan(runs / 10)
})
