/** The repositories of an editor's workspace that have an open file: each with its latest review, renewed whenever something changes. */
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UserError } from '../base/errors.ts'
import { discoverRepository } from '../base/git/discover.ts'
import { isInside } from '../base/places.ts'
import { releaseMemory } from '../base/release-memory.ts'
import { watchFolders } from '../base/watch-folders.ts'
import type { EventListener } from '../domain/events.ts'
import { type KeptWorkTree, keepWorkTree } from '../hosts/local/keep-work-tree.ts'
import { type EditorSession, EditorSettings, type ReviewedTree } from './contract.ts'
import { Latest } from './latest.ts'
import { type OpenDocument, pathIn, realFileOf, realOrNull } from './open-documents.ts'
import { reviewTree } from './review-tree.ts'

export type RepositoriesOptions = {
  session: EditorSession
  documents(): readonly OpenDocument[]
  /** Of the workspace, absolute; nothing outside of them is reviewed. Empty: an editor without a workspace. */
  folders(): readonly string[]
  settingsOf(root: string, signal: AbortSignal): Promise<EditorSettings>
  /** The editor tells when files change; else folders are watched here. */
  watchesFiles: boolean
  /** Hears how a review goes; `end` is called once. */
  beginReview(root: string): { onEvent: EventListener; end(): void }
  /** Null: there is nothing to show any more. */
  onReviewed(repository: OpenRepository, reviewed: ReviewedTree | null): void
  onFailure(root: string, error: unknown): void
}

export type OpenRepository = {
  /** A real path. */
  readonly root: string
  readonly gitDir: string
  readonly latest: Latest<ReviewedTree>
  readonly workTree: KeptWorkTree
  /** Of the latest review. */
  settings: EditorSettings
  /** Aborted when it is closed. */
  readonly signal: AbortSignal
}

export type Repositories = {
  /** Of a document, with its path from the root; null where none is reviewed. */
  of(uri: string): { repository: OpenRepository; path: string } | null
  all(): readonly OpenRepository[]
  /** A document was opened, edited, saved or closed; `alsoOnDisk`: its file may be another one now. */
  renewFor(uri: string, alsoOnDisk: boolean): void
  /** Anything else changed: files, settings, folders of the workspace. */
  renewAll(): void
  close(): Promise<void>
}

/** Memory is given back after so long without a change: an editor stays open all day. */
const restMs = 30_000

export function openRepositories(options: RepositoriesOptions): Repositories {
  let rest: NodeJS.Timeout | undefined
  const opened = new Map<string, { repository: OpenRepository; close(): Promise<void> }>()

  function of(uri: string): { repository: OpenRepository; path: string } | null {
    const file = realFileOf(uri)
    const found = file === null ? null : repositoryAround(file)
    if (file === null || found === null || !isOfWorkspace(found.workTree)) return null
    const path = pathIn(found.workTree, file)
    if (path === null) return null
    const known = opened.get(found.workTree) ?? open(found)
    opened.set(found.workTree, known)
    return { repository: known.repository, path }
  }

  function isOfWorkspace(root: string): boolean {
    const folders = options.folders()
    return folders.length === 0 || folders.some((one) => isInside(root, one) || isInside(one, root))
  }

  function open({ workTree: root, gitDir }: Found) {
    const ended = new AbortController()
    const { borrowFrom } = options.session.services.settings.repositories
    const workTree = keepWorkTree({ folder: root, borrowFrom }, ended.signal)
    const latest: Latest<ReviewedTree> = new Latest({
      async compute(signal, quiet) {
        const documents = options.documents()
        const isOpen = documents.some(({ file }) => file !== null && pathIn(root, file) !== null)
        if (!isOpen || !isOfWorkspace(root)) return null
        repository.settings = await options.settingsOf(root, signal)
        const { settings } = repository
        if (!settings.enabled) return null
        const known = latest.last
        const { session } = options
        const input = { session, root, workTree, settings, documents, known, signal, quiet }
        const progress = options.beginReview(root)
        try {
          const { onEvent } = progress
          return await reviewTree({ ...input, onEvent })
        } catch (error) {
          // What was kept may be the reason.
          if (!signal.aborted) workTree.forget()
          if (error instanceof UserError && error.code === 'nothing-to-review') return null
          throw error
        } finally {
          progress.end()
        }
      },
      onResult(reviewed, error) {
        clearTimeout(rest)
        rest = setTimeout(releaseMemory, restMs).unref()
        watch(reviewed)
        if (error !== null) options.onFailure(root, error)
        options.onReviewed(repository, reviewed)
      },
    })
    const settings: EditorSettings = { ...EditorSettings.parse({}), trusted: false }
    const repository: OpenRepository = { root, gitDir, latest, workTree, settings, signal: ended.signal }
    const watcher = watchFolders(() => {})
    const watch = (reviewed: ReviewedTree | null) => {
      const folders = options.watchesFiles ? [] : (reviewed?.folders ?? [])
      // What changed before it was watched is not known of.
      if (watcher.cover([gitDir, ...folders.map((folder) => join(root, folder))])) workTree.forget()
    }
    watch(null)
    void renewOnChange()
    return {
      repository,
      async close() {
        ended.abort()
        watcher.close()
        await latest.close()
        await workTree.close()
      },
    }

    async function renewOnChange(): Promise<void> {
      while (!ended.signal.aborted) {
        await watcher.next(ended.signal)
        if (!ended.signal.aborted) renewAlsoOnDisk(repository)
      }
    }
  }

  return {
    of,
    all: () => [...opened.values()].map(({ repository }) => repository),
    renewFor(uri, alsoOnDisk) {
      const repository = of(uri)?.repository
      if (alsoOnDisk) repository?.workTree.forget()
      repository?.latest.renew()
    },
    renewAll() {
      for (const { uri } of options.documents()) of(uri)
      for (const { repository } of opened.values()) renewAlsoOnDisk(repository)
    },
    async close() {
      clearTimeout(rest)
      await Promise.all([...opened.values()].map((one) => one.close()))
    },
  }
}

function renewAlsoOnDisk({ workTree, latest }: OpenRepository): void {
  workTree.forget()
  latest.renew()
}

type Found = { workTree: string; gitDir: string }

/** Null outside of a repository with a work tree, and for a file in its git directory. */
function repositoryAround(file: string): Found | null {
  try {
    const { workTree, gitDir } = discoverRepository(nearestFolder(file))
    return workTree === null ? null : { workTree, gitDir }
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

/** The folder of a new file may not be there yet. */
function nearestFolder(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const real = realOrNull(folder)
    if (real !== null) return real
    if (folder === dirname(folder)) return folder
  }
}

export function uriIn(root: string, path: string): string {
  return pathToFileURL(join(root, path)).href
}
