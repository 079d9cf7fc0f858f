/**
 * A work tree that is reviewed again and again while somebody writes: what is on disk is read once, until it is said to have
 * changed, and a text of an editor costs its own objects only.
 */
import { openShadow, type Shadow } from '../../base/git/shadow.ts'
import type { Config } from '../../config/schema.ts'
import type { ChangeSource, CollectedChange, UnsavedFile } from '../contract.ts'
import { maskChange } from '../masked/mask-change.ts'
import { collected } from './collect.ts'
import { CommitHistory } from './history.ts'
import { withTexts } from './select-unsaved.ts'
import { selectUncommitted } from './select-work-tree.ts'
import type { Selection } from './selection.ts'
import { TextWriter } from './text-writer.ts'

export type KeptWorkTree = {
  /**
   * HEAD against what the work tree would be if an editor had saved these texts. Throws as `collectLocal` does. An abort ends
   * nothing of it: what was begun is wanted by the next one too.
   */
  source(unsaved: readonly UnsavedFile[]): ChangeSource
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
  texts: TextWriter | null
  history: CommitHistory | null
  /** Changes that are open. */
  uses: number
  /** How often it was used: each time leaves objects in the shadow. */
  used: number
  isForgotten: boolean
}

const mostUses = 500

/** `folder`: of a work tree. `signal` ends what runs. */
export function keepWorkTree(
  { folder, borrowFrom }: { folder: string; borrowFrom: readonly string[] },
  signal: AbortSignal,
): KeptWorkTree {
  let read: Read | null = null

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
      const change = maskChange(await collectWithin(mine, texts, limits))
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
    source: (texts) => ({ collect: (limits) => collect(limits, texts), workTree: () => folder }),
    forget: () => void forget(),
    close: forget,
  }
}

function newRead(shadow: Promise<Shadow>): Read {
  return {
    shadow,
    selections: new Map(),
    texts: null,
    history: null,
    uses: 0,
    used: 0,
    isForgotten: false,
  }
}

async function collectWithin(
  read: Read,
  texts: readonly UnsavedFile[],
  limits: Config['limits'],
): Promise<CollectedChange> {
  const { selections } = read
  const shadow = await read.shadow
  const { changedFiles } = limits
  const selected = selections.get(changedFiles) ?? (await selectUncommitted(shadow, limits))
  selections.set(changedFiles, selected)
  read.texts ??= new TextWriter(shadow)
  const selection = await withTexts({ shadow, texts: read.texts }, selected, texts)
  read.history ??= new CommitHistory(shadow, selection.historyFrom)
  return {
    ...collected(shadow, selection, [], limits),
    history: read.history,
    within: (others) => collectWithin(read, texts, others),
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
  else shadow?.prepareRepeated()
}
