/**
 * Random findings against random diffs: whatever survives is anchored, quoted and inside the limits, and every
 * candidate has its verdict. SIGHTLINE_FUZZ_SEED and SIGHTLINE_FUZZ_RUNS choose other worlds, and more.
 */
import { expect, test } from 'vitest'
import { visibleText } from '../../../src/base/visible-text.ts'
import type { Side } from '../../../src/domain/change-set.ts'
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
const runs = Number(process.env.SIGHTLINE_FUZZ_RUNS ?? 40)
const perRun = 12
const planes = ['secrets', 'contract', 'rules', 'tests', 'reviewer']
const paths = ['a.ts', 'b.ts'] as const

type Lines = Readonly<Record<Side, readonly string[]>>
type Scene = { world: World; files: ReadonlyMap<string, Lines>; evidence: Evidence[] }

/** One changed file or two, perhaps renamed, with CRLF, without a last line feed, with huge lines and many alike. */
function randomScene(random: Random): Scene {
  const files = new Map<string, Lines>()
  const [before, after, renames]: Record<string, string>[] = [{}, {}, {}]
  for (const path of paths.slice(0, random.between(1, 2))) {
    const ending = random.chance(0.2) ? '\r' : ''
    const old = randomFile(random, random.between(2, 30))
    if (random.chance(0.05))
      old.splice(random.between(0, old.length), 0, `const huge = '${'x'.repeat(20_000)}'`)
    const now = randomEdit(random, old, random.between(1, 8))
    const [a, b] = [old, now].map((lines) => lines.map((line) => line + ending))
    const lines = { old: a ?? [], new: b ?? [] }
    files.set(path, lines)
    const oldPath = random.chance(0.15) ? `was-${path}` : path
    if (oldPath !== path && renames) renames[path] = oldPath
    if (before) before[oldPath] = textOf(random, lines.old)
    if (after) after[path] = textOf(random, lines.new)
  }
  const world = createWorld(before ?? {}, after ?? {}, { renames: renames ?? {} })
  const evidence = Array.from({ length: 8 }, (_, at) => randomEvidence(random, `E${at + 1}`, files))
  return { world, files, evidence }
}

function textOf(random: Random, lines: readonly string[]): string {
  return lines.join('\n') + (random.chance(0.15) ? '' : '\n')
}

function linesOf(files: Scene['files'], path: string): Lines {
  return files.get(path) ?? { old: [], new: [] }
}

/** True two times in three. */
function randomEvidence(random: Random, id: string, files: Scene['files']): Evidence {
  const path = random.pick([...files.keys()])
  const lines = linesOf(files, path)
  const side = random.pick(['old', 'new'] as const)
  const number = random.between(1, lines[side].length + 1)
  const text = random.chance(0.8) ? (lines[side][number - 1] ?? '') : random.pick(lines.new.concat(''))
  return evidenceOf(random.chance(0.95) ? path : 'z.ts', number, text, { id, side })
}

function randomCandidate(random: Random, id: string, scene: Scene): Candidate {
  const cited = random.chance(0.85) ? [random.pick(scene.evidence)] : []
  const path = random.pick([...scene.files.keys()])
  return candidate({
    ...(random.chance(0.5) ? { byModel: true } : {}),
    ...(random.chance(0.02) ? { withdrawn: 'no' } : {}),
    id,
    plane: mostly(random, random.pick(planes), ['none']),
    rule: mostly(random, random.pick(['r/one', 'r/two', 'r/three']), ['not an id']),
    severity: random.pick(severities),
    category: random.pick(['contract', 'security'] as const),
    confidence: random.pick(['certain', 'likely', 'possible'] as const),
    title: mostly(random, 'A thing', ['x'.repeat(400), 'odd \u202e thing', '']),
    explanation: mostly(random, 'Why.', ['y'.repeat(3_990), 'z'.repeat(5_000), '\u0007']),
    anchor: {
      path: random.chance(0.9) ? path : random.pick(['z.ts', 'a.ts', 'b.ts', '../a.ts', '']),
      tags: Array.from({ length: random.between(1, 3) }, () => randomTag(random, scene, path)),
    },
    claims: Array.from({ length: random.between(0, 2) }, () => randomClaim(random, scene, path)),
    suggestion: random.chance(0.4) ? randomSuggestion(random, scene, path) : null,
    evidence: cited.map(({ id: evidence, text }) => ({
      evidence: random.chance(0.95) ? evidence : 'E99',
      quote: random.pick([text, text.slice(random.between(0, 3)), text.replace(/\s+/g, ' '), 'made up', '']),
    })),
  })
}

function mostly(random: Random, usual: string, odd: readonly string[]): string {
  return random.chance(0.97) ? usual : random.pick(odd)
}

function randomTag(random: Random, { files, world }: Scene, path: string): string {
  const diff =
    world.change.files.find((file) => file.path === path)?.hunks.flatMap((hunk) => hunk.lines) ?? []
  const side = random.pick(['old', 'new'] as const)
  const number = diff.length === 0 ? 1 : (random.pick(diff)[side] ?? 1)
  const lines = linesOf(files, path)[side]
  const shift = random.chance(0.2) ? random.pick([-1, 1, 5]) : 0
  const hashed = random.chance(0.9) ? number : number + 1
  const tag = formatTag(side, Math.max(1, number + shift), lineHash(lines[hashed - 1] ?? ''))
  const odd = [
    'L1#000',
    'nonsense',
    `F#${lineHash(path)}`,
    tag.slice(0, -1),
    tag.split('#')[0] ?? '',
    `[${tag}] +`,
  ]
  return random.pick([
    tag,
    tag,
    tag,
    tag,
    `[${tag}]`,
    random.pick([...odd, 'L999999999#abc', 'E1', '\u202eL1', 'L'.repeat(5000)]),
  ])
}

function randomClaim(random: Random, { files }: Scene, path: string): Claim {
  const lines = linesOf(files, path)
  const line = random.between(1, Math.max(1, lines.new.length))
  const text = random.chance(0.9) ? (lines.new[line - 1] ?? '') : 'absent'
  const name = random.pick(['parse', 'render', 'toString', '__proto__', ''])
  return random.pick<Claim>([
    { kind: 'line-contains', side: 'new', text, path, line },
    { kind: 'line-contains', side: 'new', text, path, line },
    { kind: 'rule-matches', rule: 'r', path, line },
    { kind: 'type-mismatch', checker: 'tsc', message: 'm', path, line },
    { kind: 'unused', name, path, line },
    { kind: 'undefined', name, path, line },
    { kind: 'caller-not-updated', symbol: name, definedIn: random.pick(paths), path, line },
    { kind: 'missing-path', target: random.pick(['x/y', '../..', '']), path, line },
  ])
}

function randomSuggestion(random: Random, { files }: Scene, path: string): Candidate['suggestion'] {
  const lines = linesOf(files, path)
  const startLine = random.between(1, Math.max(1, lines.new.length))
  const replacement = random.pick([
    lines.new[startLine - 1] ?? '',
    '  value',
    'a\u200bb',
    'x\n'.repeat(25),
    'eval(x)',
    'x'.repeat(30_000),
  ])
  return { path, startLine, endLine: startLine + random.between(-1, 2) || 1, replacement }
}

function complaintsAbout(finding: Finding, { world, files, evidence }: Scene): string[] {
  const lines = linesOf(files, finding.anchor.path)
  const file = world.change.files.find(({ path }) => path === finding.anchor.path)
  const diff = file?.hunks.flatMap((hunk) => hunk.lines) ?? []
  const shown = diff.find((line) => line[finding.side] === finding.startLine)
  const [firstTag = ''] = finding.anchor.tags
  const first = parseTag(firstTag)
  const cites = finding.evidence.every(({ evidence: id, quote }) => {
    const item = evidence.find((one) => one.id === id)
    const actual = linesOf(files, item?.path ?? '')[item?.side ?? 'new'][(item?.startLine ?? 0) - 1]
    const bare = (text: string | undefined) => text?.replace(/\r$/, '')
    return (
      item !== undefined &&
      quote.trim() !== '' &&
      item.text.includes(quote) &&
      bare(actual) === bare(item.text)
    )
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
        (claim) =>
          claim.kind !== 'line-contains' ||
          (linesOf(files, claim.path)[claim.side][claim.line - 1] ?? '').includes(claim.text),
      ),
    ],
    [
      'words are visible',
      visibleText(finding.title + finding.explanation) === finding.title + finding.explanation,
    ],
    ['excerpt is short', finding.excerpt.length > 0 && finding.excerpt.length <= 12],
    ['suggestion is harmless', isHarmless(finding.suggestion)],
    [
      'example is harmless',
      finding.example === undefined || isHarmless({ ...nothing, replacement: finding.example }),
    ],
    [
      'suggestion is on the diff',
      finding.suggestion === null || diff.some((line) => line.new === finding.suggestion?.startLine),
    ],
    ['nothing was taken back', finding.withdrawn === undefined],
    [
      'is not capped in vain',
      finding.confidence === 'certain' ||
        finding.claims.length > 0 ||
        finding.severity === 'medium' ||
        finding.severity === 'low',
    ],
    ['plane is known', planes.includes(finding.plane)],
    ['file tags are gone', finding.anchor.tags.every((tag) => !isFileTag(tag, finding.anchor.path))],
  ]
  return rules.flatMap(([rule, holds]) => (holds ? [] : [rule]))
}

const nothing = { path: '', startLine: 1, endLine: 1 }

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
}, 900_000)
