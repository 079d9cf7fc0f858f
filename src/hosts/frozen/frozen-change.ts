/**
 * A collected change as files, so that another process can review or publish it: `request.json` says what is reviewed,
 * `objects.pack` has both trees as git objects. No git directory travels, so none has to be trusted.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  fstatSync,
  mkdirSync,
  type ReadStream,
  readFileSync,
  statSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { createBelow, pathNamed, writeBelow } from '../../base/below.ts'
import { canonicalJson } from '../../base/canonical-json.ts'
import { codeOf } from '../../base/durable.ts'
import { UserError } from '../../base/errors.ts'
import { openPack } from '../../base/git/shadow.ts'
import { ReviewRequest } from '../../domain/review-request.ts'
import { HistoryCommit, type RepoHistory } from '../../domain/snapshot.ts'
import type { ChangeSource, CollectedChange } from '../contract.ts'
import { WordScanner } from '../local/blob-text.ts'
import { diffTrees } from '../local/raw-diff.ts'
import { TreeSnapshot } from '../local/snapshot.ts'
import { maskChange } from '../masked/mask-change.ts'

const format = 1
const requestFile = 'request.json'
const packFile = 'objects.pack'
/** What a frozen change is made of. */
export const frozenFiles = [requestFile, packFile] as const

/** As many commits of the history as any stage asks for. */
const commitsKept = 10_000
const largestRequest = 256 * 1024 * 1024

const FrozenRequest = z.object({
  format: z.literal(format),
  request: ReviewRequest,
  /** For people. */
  repository: z.string(),
  history: z.object({ commits: z.array(HistoryCommit), complete: z.boolean() }),
  objects: z.object({ bytes: z.number().int(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
})
type FrozenRequest = z.infer<typeof FrozenRequest>

/**
 * Writes both files into `out`, which is made when it is not there. Below `folder`, where a relative one begins, no link is
 * followed. Throws `usage` when a pack is there, `output-unwritable`.
 */
export async function writeFrozen(
  change: CollectedChange,
  out: string,
  folder = process.cwd(),
): Promise<void> {
  if (!change.pack) throw new UserError('request-unusable', 'the objects of this change are not available')
  const path = pathNamed(folder, out)
  const root = path === null ? resolve(folder, out) : folder
  const way = path ? `${path}/` : ''
  const pack = openOutput(() => {
    mkdirSync(root, { recursive: true, mode: 0o700 })
    return createBelow(root, `${way}${packFile}`, 0o600)
  }, out)
  try {
    await change.pack(pack)
    const text = canonicalJson(await describe(change, pack))
    openOutput(
      () => writeBelow(root, `${way}${requestFile}`, `${text}\n`, { replace: true, mode: 0o600 }),
      out,
    )
  } finally {
    closeSync(pack)
  }
}

function openOutput<Result>(open: () => Result, out: string): Result {
  try {
    return open()
  } catch (error) {
    if (codeOf(error) === 'EEXIST')
      throw new UserError('usage', `${out} already contains a collected change; choose another folder`)
    throw new UserError('output-unwritable', `${out}: ${(error as Error).message}`, { cause: error })
  }
}

async function describe(change: CollectedChange, pack: number): Promise<FrozenRequest> {
  const { commits, complete } = await change.history.recent(commitsKept)
  return {
    format,
    request: change.request,
    repository: change.repositoryLabel,
    history: { commits: commits.map((commit) => ({ ...commit, paths: [...commit.paths] })), complete },
    objects: {
      bytes: fstatSync(pack).size,
      sha256: await hashOf(createReadStream('', { fd: pack, start: 0, autoClose: false })),
    },
  }
}

/** The change that `writeFrozen` wrote. Throws `request-unusable` for files that do not belong together. */
export function frozenSource(folder: string): ChangeSource {
  return {
    isFrozen: true,
    async collect(limits, signal): Promise<CollectedChange> {
      const { request, repository, history, objects } = readRequest(folder)
      const pack = join(folder, packFile)
      if ((await hashOf(createReadStream(pack))) !== objects.sha256)
        throw new UserError('request-unusable', `${pack} is not the file that ${requestFile} names`)
      const shadow = await openPack(pack, request.objectFormat, signal)
      const scanner = new WordScanner(shadow, limits.fileBytes)
      const head = new TreeSnapshot(shadow, request.head.tree, limits, scanner)
      return maskChange({
        request,
        base: new TreeSnapshot(shadow, request.base.tree, limits, scanner, head),
        head,
        history: frozenHistory(history.commits, history.complete),
        repositoryLabel: repository,
        diff: () => diffTrees(shadow, request.base.tree, request.head.tree, limits, request.source.paths),
        close: () => shadow.close(),
      })
    },
  }
}

function readRequest(folder: string): FrozenRequest {
  const path = join(folder, requestFile)
  try {
    if (statSync(path).size > largestRequest) throw new Error(`it is larger than ${largestRequest} bytes`)
    return FrozenRequest.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    const why = error instanceof z.ZodError ? 'it does not fit the schema of a request' : String(error)
    throw new UserError('request-unusable', `${path}: ${why}`, { cause: error })
  }
}

function frozenHistory(commits: readonly HistoryCommit[], complete: boolean): RepoHistory {
  return {
    recent: async (limit) => ({
      commits: commits.slice(0, limit),
      complete: complete && commits.length <= limit,
    }),
  }
}

async function hashOf(bytes: ReadStream): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of bytes) hash.update(chunk)
  } catch (error) {
    throw new UserError('request-unusable', `${bytes.path}: ${(error as Error).message}`, { cause: error })
  }
  return hash.digest('hex')
}
