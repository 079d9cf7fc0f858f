/**
 * Random patches, sound and broken, through the parser of hunks and through a reading of bytes that knows nothing of it.
 * Both refuse a patch, or both find the same lines, with the same numbers and the same bytes.
 */
import type { Hunk } from '../../../src/domain/change-set.ts'
import { parseHunks } from '../../../src/pipeline/diff/parse-hunks.ts'
import { Random } from '../../helpers/random.ts'
import { countLines } from '../../pipeline/diff/second-count.ts'

export type DiffsOutcome = {
  patches: number
  lines: number
  refused: number
  slowestMs: number
  differences: string[]
}

const words = [
  ...['', 'x', 'const a = 1', '-', '+', ' ', '\\', '@@ -1 +1 @@', '--- a/x', '+++ b/x', 'diff --git a/x b/x'],
  ...[
    '\ufeff',
    '\u2028',
    '\u0085',
    'é',
    '漢字',
    '\u202e',
    '\\ No newline at end of file',
    'Index: x',
    '=====',
  ],
].map((word) => Buffer.from(word))
const bytes = [Buffer.from([0xff]), Buffer.from([0x0d]), Buffer.from([0x0b]), Buffer.from([0xe2, 0x80])]
const newline = Buffer.from('\n')
const unended = Buffer.from('\\ No newline at end of file\n')

export function runDiffs({ seed, patches }: { seed: number; patches: number }): DiffsOutcome {
  const random = new Random(seed)
  const outcome: DiffsOutcome = { patches, lines: 0, refused: 0, slowestMs: 0, differences: [] }
  for (let at = 0; at < patches; at++) {
    const sound = drawPatch(random)
    const isBroken = random.chance(0.3)
    const patch = isBroken ? damage(random, sound) : sound
    const startedAt = performance.now()
    const [ours, second] = [attempt(() => linesOf(parseHunks(patch).hunks)), attempt(() => countedIn(patch))]
    outcome.slowestMs = Math.max(outcome.slowestMs, performance.now() - startedAt)
    if (ours === null) outcome.refused++
    else outcome.lines += ours.length
    // What is broken may be refused by either; what both read must be the same, and what is sound must be read.
    const isWrong = ours === null || second === null ? !isBroken : ours.join('\n') !== second.join('\n')
    if (isWrong) outcome.differences.push(JSON.stringify(patch.toString('latin1')).slice(0, 400))
  }
  return outcome
}

function drawPatch(random: Random): Buffer {
  const parts: Buffer[] = [
    Buffer.from('diff --git a/x b/x\nindex 1111111..2222222 100644\n--- a/x\n+++ b/x\n'),
  ]
  let [old, fresh] = [random.between(1, 50), random.between(1, 50)]
  for (let left = random.between(1, 3); left > 0; left--) {
    const signs = Array.from({ length: random.between(1, 8) }, () =>
      random.pick<string>([' ', '+', '-', '+', '-']),
    )
    if (!signs.some((sign) => sign !== ' ')) signs.push('+')
    const [before, after] = [countOf(signs, '+'), countOf(signs, '-')]
    // Git names the line before an empty side.
    const start = (line: number, count: number) =>
      `${count === 0 ? line - 1 : line}${count === 1 ? '' : `,${count}`}`
    parts.push(
      Buffer.from(
        `@@ -${start(old, before)} +${start(fresh, after)} @@ ${random.pick(['', 'f() {', '@@ @@'])}\n`,
      ),
    )
    for (const [index, sign] of signs.entries()) {
      parts.push(Buffer.from(sign), drawLine(random), newline)
      const isLast = (own: string) => !signs.slice(index + 1).some((other) => other === ' ' || other === own)
      if (left === 1 && sign !== ' ' && isLast(sign) && random.chance(0.1)) parts.push(unended)
    }
    const gap = random.between(1, 20)
    ;[old, fresh] = [old + before + gap, fresh + after + gap]
  }
  return Buffer.concat(parts)
}

/** How many of the lines are not of the other side. */
function countOf(signs: readonly string[], other: string): number {
  return signs.filter((sign) => sign !== other).length
}

function drawLine(random: Random): Buffer {
  const parts = Array.from({ length: random.between(0, 3) }, () => random.pick(words))
  return Buffer.concat(random.chance(0.1) ? [...parts, random.pick(bytes)] : parts)
}

function damage(random: Random, patch: Buffer): Buffer {
  const at = random.between(0, patch.length - 1)
  const to = Math.min(patch.length, at + random.between(1, 12))
  const piece = patch.subarray(at, to)
  switch (random.between(0, 3)) {
    case 0:
      return Buffer.concat([patch.subarray(0, at), patch.subarray(to)])
    case 1:
      return Buffer.concat([patch.subarray(0, to), piece, patch.subarray(to)])
    case 2:
      return patch.subarray(0, at)
    default: {
      const other = Buffer.from(patch)
      other[at] = random.between(0, 255)
      return other
    }
  }
}

function attempt(read: () => string[]): string[] | null {
  try {
    return read()
  } catch {
    return null
  }
}

const signOf = { context: ' ', added: '+', removed: '-' } as const

function linesOf(hunks: readonly Hunk[]): string[] {
  return hunks.flatMap(({ lines }) =>
    lines.map(({ kind, old, new: fresh, text }) => `${signOf[kind]} ${old ?? ''} ${fresh ?? ''} ${text}`),
  )
}

const damagedHeader = /^@@(?! -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)/m

/** With the bytes as the product shows them. Throws where a header is not as git writes it. */
function countedIn(patch: Buffer): string[] {
  if (damagedHeader.test(patch.toString('latin1'))) throw new Error('a header is damaged')
  return countLines(patch).lines.map(({ sign, old, new: fresh, bytes: text }) => {
    const shown = new TextDecoder('utf-8', { ignoreBOM: true }).decode(text).replaceAll('\0', '\ufffd')
    return `${sign} ${sign === '+' ? '' : old} ${sign === '-' ? '' : fresh} ${shown}`
  })
}
