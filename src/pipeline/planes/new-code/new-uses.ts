/** The imports and references that a change writes: on its added lines, and not in the file before. */
import type { FileFacts, ImportFact, Reference } from '../../../code-index/contract.ts'
import type { UseSite, World } from '../../../code-index/resolve/contract.ts'
import { type ChangeSet, type FileChange, pathOn } from '../../../domain/change-set.ts'
import { changedLines } from '../changed-lines.ts'

export type NewUses = {
  file: FileChange
  /** At the head. */
  place: UseSite & { text: string }
  /** Numbers of the lines that the change adds. */
  added: ReadonlySet<number>
  imports: ImportFact[]
  /** By name and shape: what was only moved or indented is not among them. */
  references: Reference[]
}

/**
 * Languages in which nearly all names are resolved. Not Rust, whose inline modules and macros were the only false alarms
 * on real commits, nor Java: too little was measured, and both compile before anybody reviews them.
 */
const judged: ReadonlySet<string> = new Set(['python', 'typescript', 'tsx', 'javascript', 'go'])

/** Files are read one after the other, so that what a stopped plane found so far is the same every time. */
export async function newUsesOf(
  file: FileChange,
  { base, head }: { base: World; head: World },
): Promise<NewUses | null> {
  const facts = await head.facts(file.path)
  const text = await head.text(file.path)
  if (!facts || text === null) return null
  const added = new Set(
    changedLines(file, 'new', 1, Number.MAX_SAFE_INTEGER).flatMap((line) => line.new ?? []),
  )
  const before = file.oldBlob === null ? null : await base.facts(pathOn('old', file))
  const touches = (line: number, endLine: number): boolean =>
    changedLines(file, 'new', line, endLine).length > 0
  const isParsed = ({ line }: { line: number }): boolean =>
    !facts.errorLines.some(({ startLine, endLine }) => line >= startLine && line <= endLine)
  const oldImports = new Set(before?.imports.map(importKey))
  return {
    file,
    place: { path: file.path, facts, enclosing: null, text },
    added,
    imports: facts.imports.filter(
      (fact) => touches(fact.line, fact.line) && isParsed(fact) && !oldImports.has(importKey(fact)),
    ),
    references: unlessBefore(
      facts.references.filter(
        (reference) => touches(reference.line, reference.endLine) && isParsed(reference),
      ),
      before,
    ),
  }
}

export function judgedFiles(change: ChangeSet, isForeign: (path: string) => boolean): FileChange[] {
  return change.files.filter(
    ({ path, kind, status, language, newBlob, hunks }) =>
      kind === 'text' &&
      status !== 'deleted' &&
      newBlob !== null &&
      hunks.length > 0 &&
      language !== null &&
      judged.has(language) &&
      !isForeign(path),
  )
}

/** Each reference of the file as it was excuses one of the same words. */
function unlessBefore(references: readonly Reference[], before: FileFacts | null): Reference[] {
  if (!before || references.length === 0) return [...references]
  const wanted = new Set(references.map(({ name }) => name))
  const left = new Map<string, number>()
  for (const reference of before.references)
    if (wanted.has(reference.name)) {
      const key = useKey(reference)
      left.set(key, (left.get(key) ?? 0) + 1)
    }
  return references.filter((reference) => (left.get(useKey(reference)) ?? 0) === 0)
}

function importKey({ source, imported }: ImportFact): string {
  return `${source}\n${imported}`
}

function useKey({ name, role, receiver, call }: Reference): string {
  const shape = call && `${call.positional} ${call.keywords.join(' ')} ${call.spread}`
  return [name, role, receiver, shape].join('\n')
}
