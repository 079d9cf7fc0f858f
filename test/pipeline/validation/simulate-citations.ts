/** Makes citations for lines of a change, spoils them, sends them through validation, and counts what became of each. */
import type { ChangeSet, DiffLine, FileChange, Side } from '../../../src/domain/change-set.ts'
import type { Evidence } from '../../../src/domain/evidence.ts'
import type { Candidate, Finding } from '../../../src/domain/finding.ts'
import { parseTag, tagOf } from '../../../src/domain/line-tag.ts'
import type { ValidationContext } from '../../../src/pipeline/validation/contract.ts'
import { validationSteps } from '../../../src/pipeline/validation/steps.ts'
import { validateCandidate } from '../../../src/pipeline/validation/validate.ts'
import type { Random } from '../../helpers/random.ts'
import { type Cite, citationErrors, linesOf, type Meant } from './citation-mistakes.ts'

export type Count = {
  cites: number
  /** Number and hash name another line of the same words exactly, and no quoted line around it says otherwise. */
  twins: number
  survived: number
  right: number
  wrong: number
  recoverable: number
  recovered: number
}

export type Fault = { kind: string; cite: Cite; shown: string }

export function emptyCounts(): Map<string, Count> {
  const zero = { cites: 0, twins: 0, survived: 0, right: 0, wrong: 0, recoverable: 0, recovered: 0 }
  return new Map(Object.keys(citationErrors).map((kind) => [kind, { ...zero }]))
}

/** Each kind of error once for each of `number` changed lines of the change; faults are survivors on a wrong line. */
export async function simulate(
  change: ChangeSet,
  bench: ValidationContext,
  number: number,
  random: Random,
  counts: Map<string, Count>,
): Promise<Fault[]> {
  const faults: Fault[] = []
  const files = change.files.filter(({ hunks }) => hunks.length > 0)
  if (files.length === 0) return faults
  for (let at = 0; at < number; at++) {
    const meant = chooseLine(change, random.pick(files), random)
    if (!meant) continue
    const cite = { path: meant.file.path, tag: tagOf(meant.line), quote: quoteFor(meant, random) }
    for (const [kind, spoil] of Object.entries(citationErrors)) {
      const spoiled = spoil(cite, meant, random)
      const count = counts.get(kind)
      if (!spoiled || !count) continue
      const fault = await judge(spoiled, meant, bench, count, cite)
      if (fault !== null) faults.push({ kind, cite: spoiled, shown: fault })
    }
  }
  return faults
}

/** A changed line with words in it: the prompt asks for no other. */
function chooseLine(change: ChangeSet, file: FileChange, random: Random): Meant | null {
  const line: DiffLine = random.pick(random.pick(file.hunks).lines)
  if (line.kind === 'context' || line.text.trim().length < 3 || line.text.length > 2000) return null
  const side: Side = line.new !== null ? 'new' : 'old'
  return { change, file, line, side }
}

/** Half the line, half of them more lines below, or a piece; one in twenty is of a far line: a cause, a caller. */
function quoteFor({ file, line, side }: Meant, random: Random): string {
  const hunk = file.hunks.find(({ lines }) => lines.includes(line))
  const own = hunk?.lines.filter((one) => one[side] !== null) ?? []
  const at = own.indexOf(line)
  const far = own.filter((one, index) => Math.abs(index - at) > 3 && one.text.trim() !== '')
  if (random.chance(0.05) && far.length > 0) return random.pick(far).text
  if (random.chance(0.3))
    return own
      .slice(at, at + random.between(2, 4))
      .map(({ text }) => text)
      .join('\n')
  const words = line.text.trim()
  return random.chance(0.7) ? words : words.slice(0, Math.max(8, random.between(1, words.length)))
}

async function judge(
  cite: Cite,
  meant: Meant,
  bench: ValidationContext,
  count: Count,
  true_: Cite,
): Promise<string | null> {
  count.cites++
  const evidence = evidenceFor(meant, true_)
  const table = new Map(evidence ? [[evidence.id, evidence]] : [])
  const verdict = await validateCandidate(
    candidateFor(cite, evidence),
    0,
    { ...bench, evidence: table },
    validationSteps,
  )
  const { finding } = verdict
  if (finding) count.survived++
  const isTwin = namesTwin(cite, meant)
  if (isTwin && finding && !isRight(finding, meant)) {
    count.twins++
    return null
  }
  const recoverable = isRecoverable(cite, meant)
  if (recoverable) count.recoverable++
  if (!finding) return null
  if (isRight(finding, meant)) {
    count.right++
    if (recoverable) count.recovered++
    return null
  }
  count.wrong++
  return `${finding.anchor.path}:${finding.startLine} (${finding.side}) for ${meant.file.path}:${meant.line[meant.side]} (${meant.side})`
}

function isRight({ anchor, side, startLine, endLine }: Finding, meant: Meant): boolean {
  return (
    anchor.path === meant.file.path &&
    side === meant.side &&
    startLine === meant.line[side] &&
    endLine === startLine
  )
}

/** The whole citation is a right one, for another line of the same words. */
function namesTwin({ path, tag }: Cite, { change, line }: Meant): boolean {
  const file = change.files.find((one) => one.path === path)
  const parsed = parseTag(tag)
  return (
    file !== undefined &&
    parsed !== null &&
    linesOf(file).some((one) => one !== line && one.text === line.text && one[parsed.side] === parsed.line)
  )
}

/**
 * Of all lines of the named file, the meant one is the only one that at least two of the three witnesses (number, hash,
 * quoted words) point to, white space aside and a cut hash counting for nothing; and no other changed file has a line
 * with this number and hash. Where the path is wrong, all three must agree on one line of one other file, and the named
 * file must have no line with this hash.
 */
function isRecoverable(cite: Cite, meant: Meant): boolean {
  const [, letter, digits = '', hash = ''] = /([LO])(\d+)#?(\w*)/i.exec(cite.tag) ?? []
  const side: Side = letter?.toUpperCase() === 'O' ? 'old' : 'new'
  const quoted = new Set(meant.change.files.flatMap((file) => quotedLines(cite.quote, file)))
  const witnesses = (line: DiffLine) => {
    const isQuoted = quoted.has(line)
    const isHashed = hash.length === 3 && line.hash === hash.toLowerCase()
    return { isQuoted, isHashed, isNumbered: line[side] === Number(digits) }
  }
  if (cite.path !== meant.file.path) {
    const all = meant.change.files.flatMap(linesOf).filter((line) => {
      const { isQuoted, isHashed, isNumbered } = witnesses(line)
      return isQuoted && isHashed && isNumbered
    })
    const named = meant.change.files.find(({ path }) => path === cite.path)
    const isElsewhere = named && linesOf(named).some((line) => witnesses(line).isHashed)
    return all.length === 1 && all[0] === meant.line && !isElsewhere
  }
  const elsewhere = meant.change.files.some(
    (file) =>
      file !== meant.file &&
      linesOf(file).some(
        (line) => line[side] === Number(digits) && hash !== '' && line.hash === hash.toLowerCase(),
      ),
  )
  if (elsewhere) return false
  const strong = linesOf(meant.file).filter((line) => {
    const { isQuoted, isHashed, isNumbered } = witnesses(line)
    return [isQuoted, isHashed, isNumbered].filter(Boolean).length >= 2
  })
  return strong.length === 1 && strong[0] === meant.line
}

/** Every line of every place where the quoted lines stand in a row; a single one of less than eight signs as a whole. */
function quotedLines(quote: string, file: FileChange): DiffLine[] {
  const wanted = quote
    .split('\n')
    .map(squeeze)
    .filter((line) => line !== '')
  return file.hunks.flatMap(({ lines }) =>
    (['old', 'new'] as const).flatMap((side) => {
      const own = lines.filter((line) => line[side] !== null && line.text.trim() !== '')
      return own.flatMap((_, at) => {
        const block = own.slice(at, at + wanted.length)
        const fits =
          block.length === wanted.length &&
          block.every((line, next) => squeeze(line.text).includes(wanted[next] ?? ''))
        const isWhole =
          wanted.length > 1 || (wanted[0]?.length ?? 0) >= 8 || squeeze(block[0]?.text ?? '') === wanted[0]
        return fits && isWhole ? block : []
      })
    }),
  )
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, '')
}

/** What the bundle holds of the cited lines. Every second citation is by the tag itself, right or wrong. */
function evidenceFor({ file, line, side }: Meant, cite: Cite): Evidence | null {
  const first = line[side] ?? 1
  const quoted = squeeze(cite.quote.split('\n')[0] ?? '')
  if (first % 2 === 0 && squeeze(line.text).includes(quoted)) return null
  const shown = file.hunks.flatMap(({ lines }) => lines).filter((one) => one[side] !== null)
  const at = shown.indexOf(line)
  const holder = shown.slice(Math.max(0, at - 12), at + 12)
  const start = holder.findIndex((one) =>
    squeeze(one.text).includes(squeeze(cite.quote.split('\n')[0] ?? '')),
  )
  const from = start < 0 ? holder.indexOf(line) : Math.min(start, holder.indexOf(line))
  const run = holder
    .slice(from)
    .filter((one, index, all) => (one[side] ?? 0) === (all[0]?.[side] ?? 0) + index)
  return {
    id: 'E1',
    source: 'diff',
    trust: 'foreign',
    title: 'of the change itself',
    path: file.path,
    blob: null,
    side,
    startLine: run[0]?.[side] ?? first,
    endLine: run.at(-1)?.[side] ?? first,
    text: run.map(({ text }) => text.replace(/\r$/, '')).join('\n'),
  }
}

function candidateFor({ path, tag, quote }: Cite, evidence: Evidence | null): Candidate {
  return {
    id: 'C1',
    plane: 'reviewer',
    rule: 'reviewer/correctness',
    severity: 'low',
    category: 'correctness',
    confidence: 'likely',
    title: 'A simulated finding',
    explanation: '',
    remedy: null,
    anchor: { path, tags: [tag] },
    claims: [],
    suggestion: null,
    preExisting: false,
    byModel: true,
    evidence: [{ evidence: evidence ? evidence.id : tag, quote }],
  }
}
