/**
 * A work tree that is reviewed again and again while somebody writes: what is on disk is read once, until it is said to have
 * changed, and a text of an editor costs its own objects only. What was found out about contents holds however files change.
 */
import { openShadow, type Shadow } from '../../base/git/shadow.ts'
import type { Config } from '../../config/schema.ts'
import type { ChangeSource, CollectedChange, UnsavedFile } from '../contract.ts'
import { type KnownMasks, maskChange } from '../masked/mask-change.ts'
import { BlobMasks } from '../masked/mask-snapshot.ts'
import { type KnownWords, WordScanner } from './blob-text.ts'
import { collected } from './collect.ts'
import { CommitHistory } from './history.ts'
import { withTexts } from './select-unsaved.ts'
import { selectUncommitted } from './select-work-tree.ts'
import type { Selection } from './selection.ts'
import { TreeSnapshot } from './snapshot.ts'
import { TextWriter } from './text-writer.ts'

export type KeptWorkTree = {
  /**
   * HEAD against what the work tree would be if an editor had saved these texts. Throws as `collectLocal` does. An abort ends
   * nothing of it: what was begun is wanted by the next one too.
   */
  source(unsaved: readonly UnsavedFile[]): ChangeSource
  /** What is on disk is known, or being read: a change costs what is new in its texts. */
  readonly isRead: boolean
  /** Files, HEAD or the index may be others now. */
  forget(): void
  /** Changes of it must be closed before. */
  close(): Promise<void>
}

/** What is on disk, as it was read once. */
type Read = {
  shadow: Promise<Shadow>
  /** By how many changed files are read. */
  selections: Map<number, Selection>
  /** The work tree without texts, by how many entries are listed. */
  trees: Map<number, TreeSnapshot>
  texts: TextWriter | null
  history: CommitHistory | null
  /** Changes that are open. */
  uses: number
  /** How often it was used: each time leaves objects in the shadow. */
  used: number
  isForgotten: boolean
}

const mostUses = 500

/** Whoever closes a change has an answer to hand on first. */
const prepareAfterMs = 10

/** Of contents. */
type Known = KnownMasks & { words: KnownWords }

/** Some three kilobytes each. */
const mostWords = 10_000

/** `folder`: of a work tree. `signal` ends what runs. */
export function keepWorkTree(
  { folder, borrowFrom }: { folder: string; borrowFrom: readonly string[] },
  signal: AbortSignal,
): KeptWorkTree {
  let read: Read | null = null
  const known: Known = { masks: new BlobMasks(), clean: new Set(), words: new Map() }

  async function forget(): Promise<void> {
    const old = read
    read = null
    if (old) old.isForgotten = true
    if (old) await endUse(old)
  }

  async function collect(limits: Config['limits'], texts: readonly UnsavedFile[]): Promise<CollectedChange> {
    read ??= newRead(openShadow(folder, signal, borrowFrom))
    const mine = read
    mine.uses++
    try {
      if (known.words.size > mostWords) known.words.clear()
      const change = maskChange(await collectWithin({ read: mine, known, texts }, limits), known)
      if (++mine.used >= mostUses && read === mine) await forget()
      return change
    } catch (error) {
      // It may go better the next time.
      if (read === mine) await forget()
      await release(mine)
      throw error
    }
  }

  return {
    get isRead() {
      return read !== null
    },
    source: (texts) => ({ collect: (limits) => collect(limits, texts), workTree: () => folder }),
    forget: () => void forget(),
    close: forget,
  }
}

function newRead(shadow: Promise<Shadow>): Read {
  return {
    shadow,
    selections: new Map(),
    trees: new Map(),
    texts: null,
    history: null,
    uses: 0,
    used: 0,
    isForgotten: false,
  }
}

type Collecting = { read: Read; known: Known; texts: readonly UnsavedFile[] }

async function collectWithin(collecting: Collecting, limits: Config['limits']): Promise<CollectedChange> {
  const { read, known, texts } = collecting
  const { selections, trees } = read
  const shadow = await read.shadow
  const { changedFiles, treeEntries } = limits
  const selected = selections.get(changedFiles) ?? (await selectUncommitted(shadow, limits))
  selections.set(changedFiles, selected)
  const scanner = new WordScanner(shadow, limits.fileBytes, known.words)
  const near = trees.get(treeEntries) ?? new TreeSnapshot(shadow, selected.head.tree, limits, scanner)
  trees.set(treeEntries, near)
  read.texts ??= new TextWriter(shadow)
  const selection = await withTexts({ shadow, texts: read.texts }, selected, texts)
  read.history ??= new CommitHistory(shadow, selection.historyFrom)
  return {
    ...collected(shadow, selection, [], limits, { words: known.words, near }),
    history: read.history,
    within: (others) => collectWithin(collecting, others),
    close: () => release(read),
  }
}

async function release(read: Read): Promise<void> {
  read.uses--
  await endUse(read)
}

/** After the last use: closes it if it was forgotten, and prepares it for the next use if not. */
async function endUse(read: Read): Promise<void> {
  // Whoever asked for one that could not be opened was told why.
  const shadow = await read.shadow.catch(() => null)
  if (read.uses > 0) return
  if (read.isForgotten) await shadow?.close()
  else setTimeout(() => void (read.isForgotten || shadow?.prepareRepeated()), prepareAfterMs).unref()
}
