/** How much a commit says about some files: by what it changed, how much else it changed, and how long ago. */
import { folderWithSlash } from '../base/file-paths.ts'

/** It changed one of the files, another one in their folders, or something else. */
export type Closeness = { level: 'file' | 'folder' | 'anywhere'; share: number }

type Change = { readonly time: number; readonly paths: readonly string[] }

/** Days after which a change counts half. What people knew of code that others changed since fades within months. */
const halfLifeDays = 180
/** A change of more files says little about each. */
const largestChange = 100

/** `now`: seconds since 1970. */
export function openCloseness(paths: readonly string[], now: number): (commit: Change) => Closeness {
  const asked = new Set(paths)
  const folders = new Set(paths.map(folderWithSlash))
  return (commit) => {
    const size = commit.paths.length > largestChange ? largestChange / commit.paths.length : 1
    const share = size * fade(now - commit.time)
    if (commit.paths.some((path) => asked.has(path))) return { level: 'file', share }
    const isNear = commit.paths.some((path) => folders.has(folderWithSlash(path)))
    return { level: isNear ? 'folder' : 'anywhere', share }
  }
}

export function fade(seconds: number): number {
  return 0.5 ** (Math.max(0, seconds) / 86_400 / halfLifeDays)
}
