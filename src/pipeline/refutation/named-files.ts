/** The files that a finding names and nothing else of it leads to: a changelog, a page of documentation, a configuration. */
import { basename } from 'node:path/posix'
import type { EvidenceDraft } from '../../domain/evidence.ts'
import type { Finding } from '../../domain/finding.ts'
import { lastName, namedSymbols } from './named-symbols.ts'
import { type DossierContext, linesOf } from './sources.ts'

const mostFiles = 3
/** A shorter file is shown whole. */
const longestWhole = 60
/** Of a longer one, so many lines that hold another name of the finding, each with its neighbours, and how it begins. */
const mostMentions = 8
const beginning = 12
const beside = 2

const longestName = 200
/** `docs/setup.md`, `CHANGELOG.md`, `tsconfig.json:12`: the end of what may be a path. */
const ending = /\.[A-Za-z]\w{0,9}$/

function fileNamesIn(words: string): string[] {
  const written = words.match(/[\w@./-]+/g) ?? []
  const bare = written.map((one) => (one.length > longestName ? '' : one.replace(/[./-]{1,9}$/, '')))
  return [...new Set(bare.filter((one) => ending.test(one)))]
}

/** Those that are in the tree after the change and hold nothing the finding quotes; of several by one name, none. */
export async function namedFiles(finding: Finding, { head, book }: DossierContext): Promise<EvidenceDraft[]> {
  const words = [finding.title, finding.explanation, finding.remedy ?? ''].join('\n')
  const names = fileNamesIn(words)
  if (names.length === 0) return []
  const cited = new Set(finding.evidence.map(({ evidence }) => book.get(evidence)?.path))
  const paths = (await head.list()).map(({ path }) => path)
  const meant = names.flatMap((name) => {
    const fitting = paths.filter((path) => path === name || path.endsWith(`/${name}`))
    const [only, ...others] = fitting.includes(name) ? [name] : fitting
    return only === undefined || others.length > 0 || cited.has(only) || only === finding.anchor.path
      ? []
      : [only]
  })
  const chosen = [...new Set(meant)].slice(0, mostFiles)
  const texts = await head.readMany(chosen)
  const symbols = new Set(namedSymbols(finding).map(lastName))
  return chosen.flatMap((path) => {
    const source = texts.get(path)
    if (!source) return []
    return rangesOf(source.text.split('\n'), symbols).flatMap(([startLine, endLine]) => {
      const title = `\`${basename(path)}\`, which it names`
      return linesOf(source, { path, side: 'new', startLine, endLine }, title) ?? []
    })
  })
}

function rangesOf(lines: readonly string[], names: ReadonlySet<string>): [first: number, last: number][] {
  if (lines.length <= longestWhole) return [[1, lines.length]]
  const holds = (line: string) =>
    (line.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).some((word) => names.has(word))
  const mentions = lines.flatMap((line, at) => (holds(line) ? [at + 1] : [])).slice(0, mostMentions)
  const ranges: [number, number][] = [[1, beginning]]
  for (const mention of mentions) {
    const last = ranges.at(-1)
    const [from, to] = [Math.max(1, mention - beside), Math.min(lines.length, mention + beside)]
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else ranges.push([from, to])
  }
  return ranges
}
