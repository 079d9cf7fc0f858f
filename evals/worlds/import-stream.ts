/** The commits of a world, and one branch for each mutant, in the format of `git fast-import`. */
import type { Mutant } from '../mutants/contract.ts'
import type { Files, World } from './parse-world.ts'

const author = 'Ada Parcel <ada@parcel.example>'
/** Seconds since 1970 of the first commit; one a day follows. */
const firstDay = 1_700_000_000
const daySeconds = 86_400

/** Branches `change-0` … of the world's commits and `mutant-0` …, each on the commit before the change it spoils. */
export function importStream({ commits }: World, mutants: readonly Mutant[]): string {
  const straight = commits.map(({ message, files, touched }, at) =>
    commit({
      branch: `change-${at}`,
      day: at,
      message,
      from: at > 0 ? at - 1 : null,
      files: pick(files, touched),
    }),
  )
  const spoilt = mutants.map(({ change, mutation }, at) => {
    const { message, files, touched } = commits[change] ?? { message: '', files: new Map(), touched: [] }
    const spoiltFiles = new Map([...pick(files, touched), ...mutation.files])
    return commit({
      branch: `mutant-${at}`,
      day: change,
      message,
      from: change - 1,
      files: spoiltFiles,
    })
  })
  return [...straight, ...spoilt, 'done\n'].join('')
}

/** `from`: index of the world's commit that it follows; only those commits are marked. */
type Commit = { branch: string; day: number; message: string; from: number | null; files: Files }

function commit({ branch, day, message, from, files }: Commit): string {
  const when = `${author} ${firstDay + day * daySeconds} +0000`
  const mark = branch.startsWith('change-') ? [`mark :${day + 1}`] : []
  const head = [
    `commit refs/heads/${branch}`,
    ...mark,
    `author ${when}`,
    `committer ${when}`,
    data(`${message}\n`),
  ]
  const parent = from === null ? [] : [`from :${from + 1}`]
  const changes = [...files].map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`)
  return `${[...head, ...parent, ...changes].join('\n')}\n\n`
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}`
}

function pick(files: Files, paths: readonly string[]): Files {
  return new Map(paths.map((path) => [path, files.get(path) ?? '']))
}
