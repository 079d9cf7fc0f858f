/** What hosts give as one text that git printed. */
import type { PatchedFile } from './contract.ts'

/** Of a diff as git prints it; a file whose name git quotes is left out. */
export function patchesOf(diff: string): PatchedFile[] {
  return diff.split(/^(?=diff --git )/m).flatMap((section) => {
    const start = section.search(/^@@ /m)
    const header = start === -1 ? section : section.slice(0, start)
    const names = /^diff --git a\/(.+) b\/(.+)$/m.exec(header)
    const oldPath = /^(?:--- a\/|rename from )(.+)$/m.exec(header)?.[1] ?? names?.[1]
    const path = /^(?:\+\+\+ b\/|rename to )(.+)$/m.exec(header)?.[1] ?? names?.[2]
    if (oldPath === undefined || path === undefined) return []
    return [{ path, oldPath, patch: start === -1 ? null : section.slice(start) }]
  })
}
