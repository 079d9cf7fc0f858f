/** The change of a run as a diff, page by page. */

import type { z } from 'zod'
import type { ChangeSet, FileChange } from '../../../domain/change-set.ts'
import { Refused } from '../../http/contract.ts'
import type { RunDiff, ShownFile } from '../contract/runs.ts'
import { cutText } from './cut.ts'

/** Characters of a line, and lines of a page that has more than one file. */
const longestLine = 4_000
const mostLines = 5_000

type Diff = z.infer<typeof RunDiff>

/** `after`: how many files the pages before had. */
export function diffOf(
  change: ChangeSet,
  { after, limit, path }: { after: number; limit: number; path: string | undefined },
): Diff {
  const chosen = path === undefined ? change.files : change.files.filter((file) => file.path === path)
  if (path !== undefined && chosen.length === 0) throw new Refused(404, 'The change has no such file.')
  const items: ShownFile[] = []
  let lines = 0
  for (const file of chosen.slice(after, after + limit)) {
    const own = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0)
    if (items.length > 0 && lines + own > mostLines) break
    items.push(shownFile(file))
    lines += own
  }
  const end = after + items.length
  return {
    items,
    next: end < chosen.length ? String(end) : null,
    files: change.files.map(({ path: name, oldPath, status, added, removed }) => ({
      path: name,
      ...{ oldPath, status, added, removed },
    })),
    overflow: change.overflow,
    unlisted: change.unlisted?.files ?? 0,
  }
}

function shownFile(file: FileChange): ShownFile {
  const { path, oldPath, status, kind, role, language, added, removed, omitted, hunks } = file
  return {
    ...{ path, oldPath, status, kind, role, language, added, removed, omitted },
    hunks: hunks.map(({ oldStart, oldLines, newStart, newLines, section, lines }) => ({
      ...{ oldStart, oldLines, newStart, newLines, section },
      lines: lines.map(({ kind: how, old, new: now, text, noNewline }) => ({
        kind: how,
        old,
        new: now,
        ...(noNewline === undefined ? {} : { noNewline }),
        ...cutText(text, longestLine),
      })),
    })),
  }
}
