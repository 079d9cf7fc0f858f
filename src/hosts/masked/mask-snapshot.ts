/** A tree without its secrets: whatever reads it (prompts, tools, the index, questions) cannot show what it never saw. */

import type { SecretMatch } from '../../base/secrets/contract.ts'
import { findSecrets } from '../../base/secrets/find-secrets.ts'
import { hiddenOf, mask, maskRanges, redactText } from '../../base/secrets/redact.ts'
import { nextTurn, turnClock } from '../../base/time-budget.ts'
import { entriesBelow, type FileText, type RepoSnapshot } from '../../domain/snapshot.ts'

const mostBlobs = 2_000

/** What is masked of each file: found once on the whole text, kept by blob, so that several changes may share it. */
export class BlobMasks {
  /** Only blobs that were searched; most have none. */
  private readonly known = new Map<string, readonly SecretMatch[]>()

  /** The secrets of a file as git has it. */
  secretsOf({ blob, text }: FileText): readonly SecretMatch[] {
    let found = this.known.get(blob)
    if (!found) {
      found = findSecrets(text)
      // A secret may hold the whole text that it was found in.
      if (this.known.size >= mostBlobs) this.known.clear()
      this.known.set(blob, found)
    }
    return found
  }

  /** The file as it is shown; the same object when it holds no secret. */
  masked(file: FileText): FileText {
    const secrets = this.secretsOf(file)
    return secrets.length === 0 ? file : { ...file, text: maskRanges(file.text, hiddenOf(secrets)) }
  }
}

export function maskSnapshot(snapshot: RepoSnapshot, masks: BlobMasks, paths: ShownPaths): RepoSnapshot {
  const { changesSince, filesWithWordsAmong, largeFilesWithWords } = snapshot
  const shownList = (list: readonly string[]) =>
    paths.shownAll(
      list,
      (path) => path,
      (_, path) => path,
    )
  const shownFiles = (found: ReadonlyMap<string, readonly string[]>) =>
    new Map([...found].map(([word, files]) => [word, shownList(files)]))
  let listing: ReturnType<RepoSnapshot['list']> | null = null
  return {
    tree: snapshot.tree,
    list() {
      // Stages ask for it again and again, and a search of all paths of a large tree takes a while.
      listing ??= snapshot.list().then((entries) =>
        paths.shownAll(
          entries,
          ({ path }) => path,
          (entry, path) => ({ ...entry, path }),
        ),
      )
      return listing
    },
    async listBelow(folder) {
      return paths.shownAll(
        await entriesBelow(snapshot, folder),
        ({ path }) => path,
        (entry, path) => ({ ...entry, path }),
      )
    },
    async entry(path) {
      const entry = await snapshot.entry(paths.real(path))
      return entry && { ...entry, path: paths.shown(entry.path) }
    },
    async read(path) {
      const file = await snapshot.read(paths.real(path))
      return file && masks.masked(file)
    },
    async readMany(wanted) {
      const files = await snapshot.readMany(wanted.map((path) => paths.real(path)))
      const masked = new Map<string, FileText>()
      const isLong = turnClock()
      for (const path of wanted) {
        const file = files.get(paths.real(path))
        if (file) masked.set(path, masks.masked(file))
        if (isLong()) await nextTurn()
      }
      return masked
    },
    async filesWithWords(words) {
      return shownFiles(await snapshot.filesWithWords(words))
    },
    ...(filesWithWordsAmong
      ? {
          async filesWithWordsAmong(words: readonly string[], among: readonly string[]) {
            const real = among.map((path) => paths.real(path))
            return shownFiles(await filesWithWordsAmong.call(snapshot, words, real))
          },
        }
      : {}),
    ...(largeFilesWithWords
      ? {
          async largeFilesWithWords(words: readonly string[]) {
            return shownList(await largeFilesWithWords.call(snapshot, words))
          },
        }
      : {}),
    ...(changesSince
      ? {
          async changesSince(tree: string, most: number) {
            const differences = await changesSince.call(snapshot, tree, most)
            return (
              differences &&
              paths.shownAll(
                differences,
                ({ path }) => path,
                ({ before, after }, path) => ({
                  path,
                  before: before && { ...before, path },
                  after: after && { ...after, path },
                }),
              )
            )
          },
        }
      : {}),
  }
}

/** Past this, paths are searched again, rather than remembered. */
const mostClean = 200_000

/** Paths that hold no secret: all trees of a repository, and its history, have mostly the same. */
export type CleanPaths = Set<string>

/** Paths as they are shown: a token in the name of a file or folder is masked like one in its text. */
export class ShownPaths {
  private readonly realOf = new Map<string, string>()
  private readonly shownOf = new Map<string, string>()
  private readonly clean: CleanPaths

  /** `clean`: is added to. */
  constructor(clean: CleanPaths = new Set()) {
    this.clean = clean
  }

  /** Two paths are never shown alike. */
  shown(path: string): string {
    if (this.clean.has(path)) return path
    const known = this.shownOf.get(path)
    if (known !== undefined) return known
    const masked = redactText(path)
    // One that is written with an ellipsis may be what another one is shown as.
    if (masked === path && !path.includes(mask)) {
      this.remember([path])
      return path
    }
    let name = masked
    for (let number = 2; this.realOf.has(name); number++) name = `${masked}~${number}`
    this.realOf.set(name, path)
    this.shownOf.set(path, name)
    return name
  }

  /** One search for all: a list of files is long, and hardly ever holds a secret. */
  shownAll<Item>(
    items: readonly Item[],
    pathOf: (item: Item) => string,
    put: (item: Item, path: string) => Item,
  ) {
    const unknown: string[] = []
    for (const item of items) if (!this.clean.has(pathOf(item))) unknown.push(pathOf(item))
    if (unknown.length === 0) return items
    const all = unknown.join('\n')
    if (!all.includes(mask) && redactText(all) === all) {
      this.remember(unknown)
      return items
    }
    return items.map((item) => {
      const [path, shown] = [pathOf(item), this.shown(pathOf(item))]
      return shown === path ? item : put(item, shown)
    })
  }

  real(path: string): string {
    return this.realOf.get(path) ?? path
  }

  private remember(paths: readonly string[]): void {
    if (this.clean.size + paths.length <= mostClean) for (const path of paths) this.clean.add(path)
  }
}
