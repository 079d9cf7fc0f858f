/** Writes what a review reads of a repository, two whole trees, as one git pack. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { gitFailure } from '../../base/git/run.ts'
import type { Shadow } from '../../base/git/shadow.ts'

/** Packing a large tree cold takes a while; a stuck git must still end. */
const timeoutMs = 600_000

/**
 * No commit is in it: history travels as data. Objects that a partial clone lacks are left out, as a review of that clone
 * would do without them. Throws `git-failed`, and what writing to `file` throws.
 */
export async function packTrees(shadow: Shadow, trees: readonly string[], file: string): Promise<void> {
  const handle = openSync(file, 'wx', 0o600)
  try {
    const args = [
      'pack-objects',
      '--stdout',
      '--revs',
      '--missing=allow-any',
      '--quiet',
      '--delta-base-offset',
    ]
    const wanted = [...new Set(trees)].filter((tree) => tree !== shadow.emptyTree)
    const input = wanted.map((tree) => `${tree}\n`).join('')
    const write = (chunk: Buffer): undefined => {
      for (let at = 0; at < chunk.length; ) at += writeSync(handle, chunk, at)
    }
    const end = await shadow.stream(args, write, { input, timeoutMs })
    if (end.code !== 0) throw gitFailure(args, end.stderr, end.code)
  } finally {
    closeSync(handle)
  }
}
