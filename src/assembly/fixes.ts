/**
 * Suggested fixes applied to the work tree, one at a time. Validation has checked each suggestion alone; here the file must
 * still be what was reviewed, and parse with all fixes that were applied to it. What undoes them is on disk before any file
 * is written.
 */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readBelow, rewriteBelow } from '../base/below.ts'
import { sha256 } from '../base/canonical-json.ts'
import { writeWhole } from '../base/durable.ts'
import { remembered } from '../base/remembered.ts'
import type { FactStore } from '../code-index/contract.ts'
import { createFactStore } from '../code-index/fact-store.ts'
import { type Edit, editsOf, type Finding, type Suggestion } from '../domain/finding.ts'
import type { Review } from '../domain/review.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { parsesAsBefore, withEdits } from '../pipeline/validation/suggestion/check-suggestion.ts'
import { stateFolder } from '../storage/runs/registry.ts'
import { patchOf } from './patch-text.ts'
import type { Services } from './services.ts'

export type Fixable = Finding & { readonly suggestion: Suggestion }

/** What would be changed, as `git apply` reads it; or why it is not, in words. */
export type OfferedFix = { readonly patch: string } | { readonly refused: string }

export type Fixes = {
  /** The folder whose files are fixed. */
  readonly workTree: string
  /** Findings that are shown with a suggestion, in the order of the review. */
  readonly findings: readonly Fixable[]
  /** Reads the work tree and writes nothing. */
  offer(finding: Fixable): Promise<OfferedFix>
  /** The same, and writes the file. */
  apply(finding: Fixable): Promise<OfferedFix>
  /** The patch of everything that was applied, for `git apply --reverse`; null when nothing was. */
  readonly undo: string | null
  close(): Promise<void>
}

type OpenFile = {
  /** As it was reviewed; null when it cannot be read. */
  readonly reviewed: string | null
  /** As it was when its first fix was applied. */
  original: string | null
  /** Sorted from the top. */
  applied: readonly Edit[]
}

/** `change`: what was reviewed, of a repository with a work tree; read here and not later. */
export async function openFixes(
  review: Pick<Review, 'findings'>,
  { head, repositoryLabel: workTree }: Pick<CollectedChange, 'head' | 'repositoryLabel'>,
  { settings, environment, folders }: Pick<Services, 'settings' | 'environment' | 'folders'>,
): Promise<Fixes> {
  const findings = review.findings.filter((finding): finding is Fixable => finding.suggestion !== null)
  const texts = await head.readMany([...new Set(findings.map(({ suggestion }) => suggestion.path))])
  const files = new Map<string, OpenFile>()
  const facts = createFactStore({ cacheFolder: folders.cache })
  const undoPath = join(
    stateFolder(settings.journal, environment),
    'fixes',
    `${randomBytes(6).toString('hex')}.patch`,
  )
  const fileOf = (path: string) =>
    remembered(files, path, () => ({ reviewed: texts.get(path)?.text ?? null, original: null, applied: [] }))
  const patches = () =>
    [...files].flatMap(([path, { original, applied }]) =>
      original === null || applied.length === 0 ? [] : [patchOf(path, original, applied)],
    )
  const plan = async ({ suggestion }: Fixable) => {
    const { path } = suggestion
    const file = fileOf(path)
    const now = readFile(workTree, path)
    const expected = file.original === null ? file.reviewed : fixedText(file.original, file.applied)
    if (now === null || expected === null || !isSame(now, expected))
      return { refused: `${path} is not as it was reviewed` }
    const original = file.original ?? now
    const edits = editsOf(suggestion)
    const applied = [...file.applied, ...edits].sort((a, b) => a.startLine - b.startLine)
    if (applied.some(({ startLine }, at) => startLine <= (applied[at - 1]?.endLine ?? 0)))
      return { refused: 'it changes lines that another fix has changed' }
    const fixed = fixedText(original, applied)
    const fault = await faultOf(facts, path, original, fixed)
    return fault === null
      ? { file, now, original, applied, fixed, patch: patchOf(path, original, edits) }
      : { refused: fault }
  }
  return {
    workTree,
    findings,
    offer: async (finding) => {
      const planned = await plan(finding)
      return 'refused' in planned ? planned : { patch: planned.patch }
    },
    async apply(finding) {
      const planned = await plan(finding)
      if ('refused' in planned) return planned
      const { file, now, original, applied, fixed, patch } = planned
      const before = { ...file }
      Object.assign(file, { original, applied })
      try {
        writeWhole(undoPath, Buffer.from(patches().join('')), { replace: true })
        // In place: a file that is renamed over would lose its owner and its rights.
        rewriteBelow(workTree, finding.suggestion.path, now, fixed)
        return { patch }
      } catch (error) {
        Object.assign(file, before)
        return { refused: `${finding.suggestion.path} cannot be written: ${(error as Error).message}` }
      }
    },
    get undo() {
      return patches().length > 0 ? undoPath : null
    },
    close: () => facts.close(),
  }
}

const largestFile = 4 * 1024 * 1024

/** Null for what is no text file of the work tree: nothing is read or written through a link. */
function readFile(workTree: string, path: string): string | null {
  const bytes = readBelow(workTree, path, largestFile)
  try {
    // Bytes that are no text would be written back as something else.
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Git may check files out with other line ends than it keeps. */
function isSame(one: string, other: string): boolean {
  return one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n')
}

function fixedText(original: string, edits: readonly Edit[]): string {
  const isEnded = original.endsWith('\n')
  const lines = (isEnded ? original.slice(0, -1) : original).split('\n')
  const fixed = withEdits(lines, edits)
  return fixed.length === 0 ? '' : fixed.join('\n') + (isEnded ? '\n' : '')
}

/** Unlike a person, who may commit a suggestion in any language, this applies only what a parser has read. */
async function faultOf(
  store: FactStore,
  path: string,
  original: string,
  fixed: string,
): Promise<string | null> {
  const factsOf = async (text: string) =>
    (await store.facts([{ path, blob: sha256(text), text }])).get(path) ?? null
  const before = await factsOf(original)
  if (!before) return 'no parser for this file, so the fix cannot be checked'
  const after = await factsOf(fixed)
  return after && parsesAsBefore(before, after)
    ? null
    : 'the file would no longer parse with the fixes applied before'
}
