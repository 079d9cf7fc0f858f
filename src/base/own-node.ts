/** Starting a script with the Node that runs this program: an installed Node, or the one inside the single-file executable. */
import { isSea } from 'node:sea'

/**
 * The words before the script. The single file reads no flags of Node's from its arguments, since those belong to the
 * program in it: it takes them in words of its own (`scripts/release/single-file-start.ts`), and runs the script that follows.
 */
export function ownNode(
  flags: readonly string[] = [],
  isSingleFile: boolean = isSea(),
): [string, ...string[]] {
  if (!isSingleFile) return [process.execPath, ...flags]
  const known = flags.filter((flag) => process.allowedNodeEnvironmentFlags.has(nameOf(flag)))
  const engine = flags.filter((flag) => !known.includes(flag))
  return [
    process.execPath,
    ...(known.length > 0 ? [`--node-options=${known.map(quoted).join(' ')}`] : []),
    ...(engine.length > 0 ? [`--engine-flags=${engine.join(' ')}`] : []),
  ]
}

function nameOf(flag: string): string {
  return flag.split('=')[0] ?? flag
}

/** As Node reads its options from one text. */
function quoted(flag: string): string {
  return /[\s"\\]/.test(flag) ? `"${flag.replace(/["\\]/g, '\\$&')}"` : flag
}
