/** The order in which migrations are applied. */
import { compareText } from '../../../base/compare-text.ts'
import type { SourceFile } from '../../contract.ts'

/** By the revision that comes before where a file says it, else by name, numbers by their value. */
export function inOrder(files: readonly SourceFile[]): SourceFile[] {
  const byName = [...files].sort((a, b) => compareNames(a.path, b.path))
  const revisions = new Map(byName.flatMap((file) => revisionOf(file) ?? []))
  if (revisions.size === 0) return byName
  const depths = new Map<string, number>()
  for (const id of revisions.keys()) depths.set(id, depthOf(id, revisions, depths))
  const depth = (file: SourceFile) =>
    depths.get(/^revision\b[^=\n]{0,40}=\s*["'](\w+)/m.exec(file.text)?.[1] ?? '') ?? 0
  return byName.sort((a, b) => depth(a) - depth(b))
}

function revisionOf({ text, path }: SourceFile): [[string, string | null]] | null {
  if (!path.endsWith('.py')) return null
  const id = /^revision\b[^=\n]{0,40}=\s{0,5}["'](\w{1,80})/m.exec(text)?.[1]
  const previous = /^down_revision\b[^=\n]{0,60}=\s{0,5}["'](\w{1,80})/m.exec(text)?.[1]
  return id === undefined ? null : [[id, previous ?? null]]
}

function depthOf(
  id: string,
  revisions: ReadonlyMap<string, string | null>,
  depths: ReadonlyMap<string, number>,
): number {
  const seen = new Set<string>()
  let at: string | null = id
  let depth = 0
  while (at !== null && !seen.has(at)) {
    const known = depths.get(at)
    if (known !== undefined) return depth + known
    seen.add(at)
    depth += 1
    at = revisions.get(at) ?? null
  }
  return depth
}

/** `V2` comes before `V10`, and what is repeated comes last. */
export function compareNames(a: string, b: string): number {
  const [left, right] = [a, b].map((path) =>
    path.replace(/\d{1,30}/g, (digits) => digits.padStart(30, '0')).replace(/(^|\/)R__/, '$1~R__'),
  )
  return compareText(left ?? '', right ?? '')
}
