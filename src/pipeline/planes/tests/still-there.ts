/** Tells whether what an assertion speaks of still exists, so that its removal does not just follow the code. */
import type { ChangeSet, DiffLine } from '../../../domain/change-set.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import { codeTokens } from '../code-tokens.ts'

/** Words asked for at once. */
const mostWords = 200

export type StillThere = (lines: readonly DiffLine[], language: string) => boolean

/** One pass over the head for all of `removed`. */
export async function openStillThere(
  change: ChangeSet,
  head: RepoSnapshot,
  removed: readonly { lines: readonly DiffLine[]; language: string }[],
): Promise<StillThere> {
  const words = [...new Set(removed.flatMap(({ lines, language }) => namesIn(lines, language)))]
  const files = words.length > 0 ? await head.filesWithWords(words.slice(0, mostWords)) : new Map()
  const goneWords = wordsGoneFromCode(change, new Set(removed.flatMap(({ lines }) => lines)))
  return (lines, language) => {
    const names = namesIn(lines, language)
    const isKnown = names.every((name) => (files.get(name)?.length ?? 0) > 0)
    return isKnown && ![...names, ...wordsInStrings(lines, language)].some((word) => goneWords.has(word))
  }
}

function namesIn(lines: readonly DiffLine[], language: string): string[] {
  return tokensOf(lines, language).filter((word) => /^[\p{L}_$][\p{L}\p{N}_$]{2,}$/u.test(word))
}

function wordsInStrings(lines: readonly DiffLine[], language: string): string[] {
  return tokensOf(lines, language)
    .filter((word) => /^["'`]/.test(word))
    .flatMap((word) => word.match(/[\p{L}\p{N}_$-]{3,}/gu) ?? [])
}

function tokensOf(lines: readonly DiffLine[], language: string): string[] {
  return codeTokens(lines.map(({ text }) => text).join('\n'), language)
}

/** Words that stand in removed lines of code other than the assertions, and in no added ones. */
function wordsGoneFromCode({ files }: ChangeSet, assertions: ReadonlySet<DiffLine>): ReadonlySet<string> {
  const of = (kind: DiffLine['kind']) =>
    files
      .filter(({ role }) => role !== 'test' && role !== 'docs')
      .flatMap(({ hunks }) =>
        hunks.flatMap(({ lines }) => lines.filter((line) => line.kind === kind && !assertions.has(line))),
      )
      .flatMap(({ text }) => text.match(/[\p{L}\p{N}_$-]{3,}/gu) ?? [])
  const added = new Set(of('added'))
  return new Set(of('removed').filter((word) => !added.has(word)))
}
