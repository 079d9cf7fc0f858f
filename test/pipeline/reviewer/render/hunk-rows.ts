/** What a reader is shown of one changed file, a row for each line and for each note about lines that are left out. */

import { createFence } from '../../../../src/base/untrusted/untrusted.ts'
import { createRoleOf } from '../../../../src/pipeline/diff/file-role.ts'
import { renderFileBlock } from '../../../../src/pipeline/reviewer/render/file-block.ts'
import { contextOf, createWorld } from '../../validation/world.ts'

/** `isOpen`: the file ends without a line feed. */
export function hunkRows(path: string, before: readonly string[], after: readonly string[], isOpen = false) {
  const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
  const { change } = createWorld(before.length === 0 ? {} : { [path]: text(before) }, { [path]: text(after) })
  const [file] = change.files
  if (!file) throw new Error('there is no change')
  file.role = createRoleOf({ generated: [], tests: [] })(path, file.hunks, null)
  if (isOpen) for (const line of file.hunks.at(-1)?.lines.slice(-2) ?? []) line.noNewline = true
  const fence = createFence('0123456789abcdef')
  const parts = { context: contextOf(change), candidates: [], chain: [], fence, maxBytes: 100_000 }
  const { text: block, shown } = renderFileBlock(file, parts)
  const rows = block.split('\n').flatMap((line) => {
    const [, tag, rest] = /^\[([LO]\d+)#\w{3}\] (.*)$/.exec(line) ?? []
    return tag !== undefined ? [`${tag} ${rest}`] : /^\(|^\\/.test(line) ? [line] : []
  })
  return { block, rows, shown }
}
