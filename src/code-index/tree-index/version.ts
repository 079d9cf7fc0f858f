/** Which index files this program reads. Any change of format, extraction or grammars begins a new folder. */
import { createRequire } from 'node:module'
import { secretsVersion } from '../../base/secrets/find-secrets.ts'
import { recordVersion } from '../cache/record.ts'

/** Raise it with any change of what segments and manifests hold. */
const formatVersion = 1

const grammars: { version: string } = createRequire(import.meta.url)('@vscode/tree-sitter-wasm/package.json')

/** Compared number by number: format, facts, grammars, what is masked. */
export const indexVersion: readonly number[] = [
  formatVersion,
  recordVersion,
  ...grammars.version.split('.').map((part) => Number.parseInt(part, 10) || 0),
  secretsVersion,
]

export const versionFolder = `v${indexVersion.join('.')}`

/** True for the name of a folder that an earlier version of this program wrote; newer ones are left alone. */
export function isEarlier(folder: string): boolean {
  const match = /^v(\d+(?:\.\d+)*)$/.exec(folder)
  if (!match) return false
  const theirs = (match[1] ?? '').split('.').map(Number)
  for (let at = 0; at < Math.max(theirs.length, indexVersion.length); at++) {
    const difference = (theirs[at] ?? 0) - (indexVersion[at] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}
