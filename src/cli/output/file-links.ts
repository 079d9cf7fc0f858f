/**
 * Paths as links to the files of the work tree, for terminals that open them on a click (OSC 8). What is opened with a
 * program of the desktop must not be started by it: only plain files that no system runs are linked.
 */
import { hostname } from 'node:os'
import { extname, join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { linkStatOrNull } from '../../base/git/read-data.ts'
import type { RenderOptions } from '../../index.ts'

export type FileLinks = {
  open: NonNullable<RenderOptions['open']>
  /** With this begins every address that `open` gives. */
  prefix: string
}

/** Opened by double click, these do something. */
const started = new Set(
  '.app .appimage .bat .cmd .com .command .cpl .desktop .exe .hta .inf .jar .jse .lnk .msc .msi .pif .ps1 .reg .scpt .scr .terminal .tool .url .vbe .vbs .webloc .workflow .wsf .wsh'.split(
    ' ',
  ),
)

/** `root`: the work tree, absolute. */
export function linkFilesIn(root: string): FileLinks {
  // Terminals compare the name of the machine with their own, so that a link in a remote session opens nothing here.
  const address = (path: string) =>
    pathToFileURL(path).href.replace(/^file:\/\//, `file://${encodeURIComponent(hostname())}`)
  const folder = resolve(root) + sep
  return {
    prefix: address(folder),
    open: ({ path, side }) => {
      const file = join(folder, path)
      if (side === 'old' || !file.startsWith(folder) || started.has(extname(file).toLowerCase())) return null
      const stat = linkStatOrNull(file)
      return stat?.isFile() && (stat.mode & 0o111) === 0 ? address(file) : null
    },
  }
}

/** Does this terminal show links? Asked only where standard output is one; unknown terminals may print the address. */
export function showsLinks(environment: NodeJS.ProcessEnv): boolean {
  const { FORCE_HYPERLINK, TERM = '', TERM_PROGRAM = '', VTE_VERSION, TMUX, STY } = environment
  if (FORCE_HYPERLINK !== undefined) return FORCE_HYPERLINK !== '0'
  if (TERM === 'dumb' || TMUX !== undefined || STY !== undefined || environment.CI !== undefined) return false
  if (/^(?:iTerm\.app|WezTerm|vscode|ghostty|Hyper|rio|zed|Tabby)$/.test(TERM_PROGRAM)) return true
  if (/^(?:xterm-kitty|xterm-ghostty|alacritty|foot|contour)\b/.test(TERM)) return true
  if (environment.WT_SESSION !== undefined || environment.KONSOLE_VERSION !== undefined) return true
  return Number(VTE_VERSION ?? 0) >= 5000
}
