/** Which lines a change touches, read from git's own patch apart from the product's parser: scores hold one to the other. */
import { z } from 'zod'
import { runGit } from '../base/git.ts'

/** `start` to `end` of the new side; `changed` are the added ones. Both sides 1-based. */
export const ChangedHunk = z.object({
  newStart: z.number().int().nonnegative(),
  newEnd: z.number().int().nonnegative(),
  oldStart: z.number().int().nonnegative(),
  oldEnd: z.number().int().nonnegative(),
  added: z.array(z.number().int().positive()),
  removed: z.array(z.number().int().positive()),
})
export type ChangedHunk = z.infer<typeof ChangedHunk>

export const ChangedFile = z.object({ path: z.string(), hunks: z.array(ChangedHunk) })
export type ChangedFile = z.infer<typeof ChangedFile>

/** Files of the change with their hunks, three lines of context each; renamed files under their new path. */
export async function readChangedLines(folder: string, base: string, head: string): Promise<ChangedFile[]> {
  const plain = ['--no-color', '--no-ext-diff', '--no-textconv']
  const patch = await runGit(folder, [
    '-c',
    'core.quotePath=false',
    'diff',
    ...plain,
    '-M',
    '-U3',
    base,
    head,
  ])
  return parsePatch(patch.toString('utf8'))
}

/** Paths that git quotes (control characters in them) are left out: no finding of ours is scored there. */
export function parsePatch(patch: string): ChangedFile[] {
  const files: ChangedFile[] = []
  let file: ChangedFile | null = null
  let hunk: ChangedHunk | null = null
  let [oldLine, newLine, oldLeft, newLeft] = [0, 0, 0, 0]
  for (const line of patch.split('\n')) {
    if (hunk && (oldLeft > 0 || newLeft > 0)) {
      const sign = line[0] ?? ' '
      if (sign === '\\') continue
      if (sign !== '+') {
        if (sign === '-') hunk.removed.push(oldLine)
        oldLine++
        oldLeft--
      }
      if (sign !== '-') {
        if (sign === '+') hunk.added.push(newLine)
        newLine++
        newLeft--
      }
      continue
    }
    const path = /^(?:\+\+\+ b|--- a)\/(.*?)\t?$/.exec(line)?.[1]
    if (path !== undefined) {
      if (line.startsWith('+++') && file) file.path = path
      else {
        file = { path, hunks: [] }
        files.push(file)
      }
      continue
    }
    if (line === '--- /dev/null') {
      file = { path: '', hunks: [] }
      files.push(file)
      continue
    }
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (!head || !file) continue
    oldLine = Number(head[1])
    newLine = Number(head[3])
    oldLeft = Number(head[2] ?? 1)
    newLeft = Number(head[4] ?? 1)
    hunk = {
      oldStart: oldLine,
      oldEnd: Math.max(oldLine, oldLine + oldLeft - 1),
      newStart: newLine,
      newEnd: Math.max(newLine, newLine + newLeft - 1),
      added: [],
      removed: [],
    }
    file.hunks.push(hunk)
  }
  return files.filter(({ path }) => path !== '')
}
