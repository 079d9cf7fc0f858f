/** Which uses in another repository no longer fit, read from its files at one commit. */
import { compareText } from '../base/compare-text.ts'
import type { FactStore } from '../code-index/contract.ts'
import { splitLines } from '../code-index/resolve/lines.ts'
import { isSameRepository } from '../domain/repository-name.ts'
import type { Confidence } from '../domain/severity.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import type { Break, Pin, SourceFile, Use } from './contract.ts'
import type { KindBreaks } from './find-breaks.ts'
import { openSourceTree } from './source-tree.ts'

/** One use of one break. `text`: its lines as they are. */
export type BrokenUse = { broken: Break; use: Use; confidence: Confidence; text: string; pin: Pin | null }

/** Files of one repository that are read for one kind. */
const mostFilesRead = 200
/** Lines that are shown of a use. */
const mostLines = 12

/**
 * `pathsOf`: files that may hold uses under one of the keys of a kind, as an index says. What they really hold is read here.
 * In the order of the breaks, then by key, path and line. `provider`: the reviewed repository, as `acme/ci`; null where nothing says
 * so, and then every repository that a use names may be it.
 */
export async function findBrokenUses(
  found: readonly KindBreaks[],
  pathsOf: (kind: KindBreaks['kind']) => readonly string[],
  snapshot: RepoSnapshot,
  facts: FactStore,
  provider: string | null = null,
): Promise<BrokenUse[]> {
  const tree = openSourceTree(snapshot, facts)
  const uses: BrokenUse[] = []
  for (const { kind, breaks } of found) {
    const paths = [...new Set(pathsOf(kind))].sort(compareText).slice(0, mostFilesRead)
    const files = await tree.read(paths)
    const own: { use: Use; file: SourceFile }[] = []
    for (const file of files)
      for (const use of await kind.uses(file)) if (mayBeOf(use, provider)) own.push({ use, file })
    const byKey = Map.groupBy(own, ({ use }) => use.key)
    for (const broken of breaks)
      for (const key of new Set(broken.keys))
        for (const { use, file } of byKey.get(key) ?? []) {
          const confidence = kind.judge(broken, use, file)
          if (confidence === null || (await kind.isMeant?.(broken, use, tree)) === false) continue
          const pin = (await kind.pin?.(broken, use, tree)) ?? null
          uses.push({ broken, use, confidence, text: shownLines(file, use), pin })
        }
  }
  return uses
}

function mayBeOf({ repository }: Use, provider: string | null): boolean {
  return repository === undefined || provider === null || isSameRepository(repository, provider)
}

function shownLines({ text }: SourceFile, { line, endLine }: Use): string {
  return splitLines(text).between(line, Math.min(endLine + 1, line + mostLines))
}
