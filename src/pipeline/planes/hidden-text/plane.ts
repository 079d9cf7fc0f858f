/** The hidden-text plane: characters in added lines and file names that people cannot see, or take for others. */
import {
  isConfigPath,
  isDocsPath,
  isTestMaterialPath,
  isTestPath,
  isTranslationPath,
} from '../../../base/file-paths.ts'
import { looksGenerated } from '../../../base/generated-mark.ts'
import { remembered } from '../../../base/remembered.ts'
import { visibleLine } from '../../../base/visible-text.ts'
import { type DiffLine, type FileChange, pathOn } from '../../../domain/change-set.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import { isAgentFile } from '../../../domain/steering-files.ts'
import { type AddedText, allAddedText, freshLines } from '../changed-lines.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'
import { oncePerCause } from '../one-cause.ts'
import { hiddenCharacters, lookAlikes, mixedWords, spellOut } from './characters.ts'
import { describeLines, describeName, type Occurrence, type Problem } from './describe.ts'

export const hiddenTextPlane: Plane = {
  name: 'hidden-text',
  description: 'characters in added lines and file names that people cannot see, or take for others',
  wrongIf: 'these characters are meant to be there, as in the test of a parser',
  look,
}

const commentLine = /^\s*(?:\/\/|\/\*|\*(?!\w)|#(?!\w))/

/** Hidden characters of one line that are compared with those before the change. */
const mostCompared = 200

async function look({ context, base }: PlaneInput): Promise<PlaneReport> {
  const { files } = context.change
  const candidates = files.flatMap((file) => {
    const seen = file.status === 'deleted' ? [] : hiddenInName(file.path)
    return seen.length > 0 ? [describeName(file)] : []
  })
  for (const added of allAddedText(context.change)) {
    const all = occurrencesOf(added)
    const seen = added.file.lossyText
      ? [
          ...(isRead(added.file) && !isCompressed(added) ? zeroBytesOf(added) : []),
          ...all.filter(({ problem }) => inAnyEncoding.has(problem)),
        ]
      : all
    const byProblem = Map.groupBy(seen, ({ problem }) => problem)
    for (const [problem, occurrences] of byProblem)
      if (
        !isOfTest(added.file, problem, occurrences) &&
        !(await areUsual(added.file, problem, occurrences, base))
      )
        candidates.push(describeLines(added.file, problem, occurrences))
  }
  return { candidates: oncePerCause(candidates, causeOf), limits: [] }
}

/** Where it looks like an attack, each file is shown. */
function causeOf({ rule, severity, anchor }: CandidateDraft): string {
  return `${rule} ${severity} ${severity === 'high' ? anchor.path : ''}`
}

/** Pages that tests keep as they came, with marks that reorder nothing, and with nothing written in zero widths. */
function isOfTest(file: FileChange, problem: Problem, occurrences: readonly Occurrence[]): boolean {
  if (!isPageOfTest(file) || occurrences.some(({ line }) => isWrittenUnseen(line.text))) return false
  const isMark = ({ seen }: Occurrence) => seen.every((one) => /^⟦U\+200[EF]⟧$/.test(one))
  return problem === 'zero-width' || (problem === 'bidi' && occurrences.every(isMark))
}

/** A folder may be called so by whoever wants it; what people, agents or tools go by is no page, whatever it lies in. */
function isPageOfTest(file: FileChange): boolean {
  const { path, language } = file
  if (!isTestPath(path) || language !== null || isDocsPath(path) || isAgentFile(file)) return false
  return !isConfigPath(path) || isTestMaterialPath(path)
}

/** Eight in a row of more than one kind are a letter. */
function isWrittenUnseen(text: string): boolean {
  const runs = text.match(/[\u200b-\u200d\u2060-\u2064\u206a-\u206f\ufeff]{8,}/g) ?? []
  return runs.some((run) => new Set(run).size > 1)
}

/** Characters. No person writes such a line. */
const longestWritten = 1_000

const unseen = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** Whether the file had these characters before the change: some formats, and what tools build, need them. */
async function areUsual(
  file: FileChange,
  problem: Problem,
  occurrences: readonly Occurrence[],
  base: PlaneInput['base'],
): Promise<boolean> {
  if (problem !== 'control' && problem !== 'zero-width') return false
  if (file.oldBlob === null || file.status === 'copied') return false
  const path = pathOn('old', file)
  const before = (await base.readMany([path])).get(path)?.text ?? ''
  const isBuilt = looksGenerated(before) || occurrences.every(({ line }) => line.text.length > longestWritten)
  if (problem === 'zero-width' && !isBuilt && !(isForPeople(file) && areRewritten(file))) return false
  const known = new Set(before.match(unseen)?.map(visible))
  return occurrences.every(({ seen }) => seen.every((one) => known.has(one)))
}

/** What the change adds has no more of them than what it removes: a sentence was written again around them. */
function areRewritten({ hunks }: FileChange): boolean {
  const counted = (kind: DiffLine['kind']) =>
    hunks
      .flatMap(({ lines }) => lines.filter((line) => line.kind === kind))
      .reduce((sum, { text }) => sum + (text.match(unseen)?.length ?? 0), 0)
  return counted('added') <= counted('removed')
}

/**
 * Problems that are reported in text that is not valid UTF-8: three or four bytes that form such a character are unlikely
 * in any other encoding. Single bytes may be letters of another encoding and are ignored there.
 */
const inAnyEncoding: ReadonlySet<Problem> = new Set(['bidi', 'tag', 'selector', 'zero-width'])

function hiddenInName(path: string): unknown[] {
  const hidden = hiddenCharacters(path, { isStart: false, isProse: false })
  return [...hidden, ...path.split('/').flatMap(lookAlikes)]
}

/** As code or prose: where a zero byte makes git hide the lines. Anything else may be a format that has such bytes. */
function isRead(file: FileChange): boolean {
  return (file.language !== null || file.role === 'docs' || file.role === 'config') && !isRecorded(file)
}

/** Other encodings, and output and input that tests compare with, naturally contain control characters. */
function isRecorded({ path, role, language }: FileChange): boolean {
  return role === 'data' || built.has(role) || (language === null && isTestPath(path))
}

const built: ReadonlySet<string> = new Set(['vendored', 'minified', 'generated'])

/** Data that git takes for text, since its first zero byte comes late. Text with a stray one has few characters of this kind. */
function isCompressed({ lines }: AddedText): boolean {
  const text = lines.map((line) => line.text).join('')
  const odd = text.match(/(?!\t|\r)[\p{Cc}\ufffd]/gu) ?? []
  return odd.length > text.length * mostOdd
}

const mostOdd = 0.05

/** The zero bytes of a text that is not valid UTF-8. */
function zeroBytesOf({ file, lines }: AddedText): Occurrence[] {
  const numbers = new Set(file.zeroByteLines)
  const holding = lines.filter((line) => numbers.has(line.new))
  const wordsOf = ({ text }: DiffLine) =>
    text.includes('\ufffd') ? wordAround(text, text.indexOf('\ufffd')) : null
  return freshLines(file, holding, wordsOf).map((line) => ({
    problem: 'zero-byte',
    line,
    column: line.text.indexOf('\ufffd'),
    seen: ['⟦U+0000⟧'],
  }))
}

function occurrencesOf({ file, lines }: AddedText): Occurrence[] {
  const byLine = new Map<DiffLine, ReturnType<typeof occurrencesIn>>()
  const unnamed = new Set(
    lines.filter((line) => isUnnamed(file, line)).flatMap(({ text }) => mixedWords(text)),
  )
  const inLine = (line: DiffLine) =>
    remembered(byLine, line, () => occurrencesIn(file, line, unnamed.size >= sentence))
  const occurrences = lines.flatMap((line) => inLine(line).map((seen) => ({ ...seen, line })))
  const problems = Map.groupBy(occurrences, ({ problem }) => problem)
  return [...problems].flatMap(([problem, seen]) => {
    // A line may change around a hidden character that was there before.
    const fresh = freshLines(
      file,
      seen.map(({ line }) => line),
      (line) => inLine(line).find((one) => one.problem === problem)?.words ?? null,
    )
    const isFresh = new Set(fresh)
    return seen.filter(({ line }) => isFresh.has(line))
  })
}

/** Tests try out such words, and no name refers to a word of a comment. */
function isUnnamed({ role }: FileChange, { text }: DiffLine): boolean {
  return role === 'test' || commentLine.test(text)
}

/** So many different ones are no accident and no example: somebody wrote a text that no search finds. */
const sentence = 4

function occurrencesIn(
  file: FileChange,
  line: DiffLine,
  isSentence: boolean,
): (Omit<Occurrence, 'line'> & { words: string })[] {
  const text = (isColoured(file) ? withoutColours(line.text) : line.text).replace(/\r$/, '')
  const isStart = (line.new ?? line.old) === 1
  const byKind = Map.groupBy(
    hiddenCharacters(text, { isStart, isProse: isForPeople(file) }),
    ({ kind }): Problem => kind,
  )
  if (isRecorded(file)) byKind.delete('control')
  const found = [...byKind].map(([problem, characters]) => ({
    problem,
    column: characters[0]?.offset ?? 0,
    seen: characters.map(({ character }) => visible(character)),
    words: characters
      .slice(0, mostCompared)
      .map(({ offset }) => wordAround(text, offset))
      .join(' '),
  }))
  const names = !isUnnamed(file, line) ? lookAlikes(text) : isSentence ? mixedWords(text) : []
  const [first] = names
  if (first === undefined) return found
  const seen = names.map(spellOut)
  return [...found, { problem: 'look-alike', column: text.indexOf(first), seen, words: names.join(' ') }]
}

/** Text for a terminal, or output that a test compares with. Code, settings and prose have no colours. */
function isColoured({ language, role }: FileChange): boolean {
  return role === 'test' || (language === null && role === 'source')
}

/** Spaces for sequences that set colours and links; one that conceals what follows (8) stays. */
function withoutColours(text: string): string {
  const sequences = /\p{Cc}(?:\[(?!(?:\d{1,3};){0,20}8[;m])[\d;]{0,60}m|\]8;;[!-~]{0,300}\p{Cc})/gu
  return text.replace(sequences, (sequence) =>
    sequence.startsWith('\u001b') ? ' '.repeat(sequence.length) : sequence,
  )
}

/** The text around a character up to the next space, at most 40 units each way. */
function wordAround(text: string, offset: number): string {
  const before = /[^ \t]*$/.exec(text.slice(Math.max(0, offset - 40), offset))?.[0] ?? ''
  return before + (/^[^ \t]*/.exec(text.slice(offset, offset + 40))?.[0] ?? '')
}

function isForPeople({ path, role }: FileChange): boolean {
  return role === 'docs' || role === 'data' || isTranslationPath(path)
}

/** `visibleLine` leaves selectors as they are, so they are spelled out here. */
function visible(character: string): string {
  const shown = visibleLine(character)
  if (shown !== character) return shown
  return `⟦U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`
}
