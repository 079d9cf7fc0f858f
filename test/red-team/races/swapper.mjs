/** Exchanges a path of a folder for a link, a hard link or a pipe and back, as fast as it can, until it is ended. */
import { linkSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'

const [root = '', path = '', kind = '', outside = ''] = process.argv.slice(2)
const at = join(root, path)
const aside = join(root, `${path.replaceAll('/', '_')}.aside`)

const put = {
  link: () => symlinkSync(outside, at),
  'hard link': () => linkSync(outside, at),
  // Made beforehand, since Node cannot make one.
  pipe: () => linkSync(`${outside}.pipe`, at),
}[kind]

function attempt(work) {
  try {
    work()
  } catch {
    // The other one was faster.
  }
}

process.stdout.write('ready\n')
for (;;) {
  attempt(() => renameSync(at, aside))
  attempt(put)
  attempt(() => unlinkSync(at))
  // What was made meanwhile is in the way.
  attempt(() => rmSync(at, { recursive: true }))
  attempt(() => renameSync(aside, at))
}
