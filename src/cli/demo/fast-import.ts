/** Writes commits in the format of `git fast-import`: identity and dates are in it, so ids are the same everywhere. */
import type { DemoCommit } from './history.ts'

const author = 'Ada Parcel <ada@parcel.example>'
/** Seconds since 1970 of the first commit; one a day follows. */
const firstDay = 1_760_000_000
const daySeconds = 86_400

/** Each commit follows the one before it; `branches` names the commits (by index) that branches point to. */
export function fastImport(
  commits: readonly DemoCommit[],
  branches: Readonly<Record<string, number>>,
): string {
  const parts = commits.map((commit, index) => writeCommit(commit, index))
  const ends = Object.entries(branches).map(
    ([name, index]) => `reset refs/heads/${name}\nfrom :${index + 1}\n\n`,
  )
  return [...parts, ...ends, 'done\n'].join('')
}

function writeCommit({ message, files }: DemoCommit, index: number): string {
  const when = `${author} ${firstDay + index * daySeconds} +0000`
  const head = [
    'commit refs/heads/feature',
    `mark :${index + 1}`,
    `author ${when}`,
    `committer ${when}`,
    data(`${message}\n`),
    ...(index > 0 ? [`from :${index}`] : []),
  ]
  const changes = Object.entries(files).map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`)
  return `${[...head, ...changes].join('\n')}\n\n`
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}`
}
