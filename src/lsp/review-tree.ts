/** Reviews the work tree of a repository as it would be if the editor had saved all of its texts. */
import { keysOf } from '../assembly/follow-findings.ts'
import { canonicalJson } from '../base/canonical-json.ts'
import { UserError } from '../base/errors.ts'
import { folderOf } from '../base/file-paths.ts'
import type { IndexStore } from '../code-index/contract.ts'
import type { EventListener } from '../domain/events.ts'
import type { CollectedChange, UnsavedFile } from '../hosts/contract.ts'
import { hideInstructions } from '../hosts/masked/hide-instructions.ts'
import type { LedgerStore } from '../ledger/contract.ts'
import { analyze, collect } from '../sightline.ts'
import type { ReviewedTree, ReviewPlace } from './contract.ts'
import { type OpenDocument, pathIn, unsavedText } from './open-documents.ts'

type TreeInput = Omit<ReviewPlace, 'reviewed'> & {
  /** All that are open in the editor. */
  documents: readonly OpenDocument[]
  /** Answered again where nothing has changed. */
  known: ReviewedTree | null
  /** Until it resolves, only what is cheap is done. */
  quiet: Promise<void>
  onEvent: EventListener
}

/** The same findings as `sightline review --uncommitted --depth offline`; nothing is kept of it. Throws as `collect` and `analyze` do. */
export async function reviewTree(input: TreeInput): Promise<ReviewedTree> {
  const { session, root, workTree, settings, known, signal, quiet, onEvent } = input
  if (!workTree.isRead) await quiet
  signal.throwIfAborted()
  const open = input.documents.flatMap((document) => {
    const path = document.file === null ? null : pathIn(root, document.file)
    return path === null ? [] : [{ document, path }]
  })
  const unsaved = open.flatMap(({ document, path }) => unsavedText(document, path, root) ?? [])
  const versions = new Map(open.map(({ document, path }) => [path, document.version]))
  const services = { ...session.services, signal, onEvent }
  const change = await collectTree({ session, workTree, settings, unsaved, signal })
  void parseAhead(change, unsaved, services.facts, signal)
  const compared = change.diff().catch(() => {})
  try {
    await quiet
    signal.throwIfAborted()
    const { base, head } = change.request
    const decided = await countDecisions(change, services.ledger)
    const identity = canonicalJson({ base: base.tree, head: head.tree, decided, settings })
    if (known?.identity === identity) return { ...known, unsaved, versions }
    const { minSeverity } = settings
    const analysis = await analyze(change, services, {
      models: session.models,
      overrides: {
        overrides: { depth: 'offline', ...(minSeverity ? { minSeverity } : {}) },
        ...(settings.trusted ? {} : { servers: 'off' as const }),
      },
    })
    const folders = [...new Set((await change.head.list()).map(({ path }) => folderOf(path)))]
    const { review, config } = analysis
    return { identity, review, config, unsaved, versions, folders }
  } finally {
    await compared
    await change.close()
  }
}

/** While somebody may be about to write on, as git compares the trees. What fails fails again for whoever needs it. */
async function parseAhead(
  { head }: CollectedChange,
  unsaved: readonly UnsavedFile[],
  facts: IndexStore,
  signal: AbortSignal,
): Promise<void> {
  try {
    const texts = await head.readMany(unsaved.map(({ path }) => path))
    const files = [...texts].map(([path, file]) => ({ ...file, path }))
    await facts.readDrafts(files, signal)
  } catch {}
}

/** How much the ledger knows; what was dismissed since is to be seen. A review names a ledger that cannot be read. */
async function countDecisions(change: CollectedChange, ledger: LedgerStore): Promise<number | null> {
  try {
    const { repository } = await keysOf(change)
    return (await ledger.read(repository)).events.length
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

/** With the texts of the editor; the caller closes it. */
export async function collectTree({
  session: { services },
  workTree,
  settings,
  unsaved,
  signal,
}: Pick<TreeInput, 'session' | 'workTree' | 'settings' | 'signal'> & {
  unsaved: readonly UnsavedFile[]
}): Promise<CollectedChange> {
  const source = workTree.source(unsaved)
  const trusted = settings.trusted ? source : hideInstructions(source)
  return await collect(trusted, { ...services, signal, onEvent: () => {} }, { depth: 'offline' })
}
