/**
 * The commits of the demo: twelve in which the service grew, and the one that is reviewed. Each is a file of `demo/`:
 * the message, then every file that the commit writes, under a line `=== PATH`.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'

/** Text by path; a commit names only what it changes. */
export type Files = Readonly<Record<string, string>>
export type DemoCommit = { message: string; files: Files }

/** Written in words, so that no file of this program holds a token or a character that hides code. */
const standIns: readonly [words: string, text: string][] = [
  ['{{made-up token}}', madeUpToken()],
  ['{{left-to-right override}}', '\u202d'],
  ['{{end of override}}', '\u202c'],
]

/** Not a secret: GitHub's form around a hash. */
function madeUpToken(): string {
  return ['gh', 'p_', createHash('sha256').update('a token of the demo').digest('hex').slice(0, 36)].join('')
}

/** Oldest first; the last one is the feature. Throws when the package is incomplete. */
export function readDemoCommits(): { history: DemoCommit[]; feature: DemoCommit } {
  const folder = join(packageRoot, 'demo')
  const names = readdirSync(folder).filter((name) => name.endsWith('.commit'))
  const commits = names.sort().map((name) => parseCommit(readFileSync(join(folder, name), 'utf8')))
  const feature = commits.pop()
  if (!feature) throw new Error(`${folder} has no commits`)
  return { history: commits, feature }
}

function parseCommit(text: string): DemoCommit {
  const [message = '', ...sections] = text.split(/^=== /m)
  const files = sections.map((section) => {
    const end = section.indexOf('\n')
    return [section.slice(0, end), withoutStandIns(section.slice(end + 1))]
  })
  return { message: message.trimEnd(), files: Object.fromEntries(files) }
}

function withoutStandIns(text: string): string {
  return standIns.reduce((done, [words, real]) => done.replaceAll(words, real), text)
}
