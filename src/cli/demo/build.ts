/** Builds the demo: a small, believable repository whose last commit brings a problem for every plane. */
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type GitPlace, runGit } from '../../base/git/run.ts'
import { usePrivateFolder } from '../../base/private-folders.ts'
import { type DemoCommit, readDemoCommits } from './history.ts'
import { type Seeded, seededProblems } from './seeded.ts'

export type Demo = {
  /** The folder with the work tree, on branch `feature`; `main` is where it left off. */
  repository: string
  /** Commit ids of the last commit of `main` and of the one on `feature`. The same on every machine. */
  base: string
  head: string
  seeded: Seeded[]
}

const author = 'Ada Parcel <ada@parcel.example>'
/** Seconds since 1970 of the first commit; one a day follows. */
const firstDay = 1_760_000_000
const daySeconds = 86_400

/** `folder` must be empty, or not exist yet. Nothing of the user's git configuration is used. */
export async function buildDemo(folder: string): Promise<Demo> {
  const repository = resolve(folder)
  const { history, feature } = readDemoCommits()
  const gitDir = join(repository, '.git')
  await mkdir(gitDir, { recursive: true })
  return await usePrivateFolder('home', async (home) => {
    const place: GitPlace = { gitDir, home }
    const branches = { main: history.length - 1, feature: history.length }
    await runGit(place, [
      'init',
      '--quiet',
      '--template=',
      '--object-format=sha1',
      '--initial-branch=feature',
    ])
    // Started inside its folder, git takes the new repository for a bare one.
    await runGit(place, ['config', '--local', 'core.bare', 'false'])
    await runGit(place, ['fast-import', '--quiet', '--done'], {
      input: fastImport([...history, feature], branches),
    })
    await runGit(place, ['reset', '--quiet', '--hard', 'feature'], { env: { GIT_WORK_TREE: repository } })
    const [base, head] = await Promise.all(['main', 'feature'].map((branch) => commitOf(place, branch)))
    return { repository, base: base ?? '', head: head ?? '', seeded: seededProblems(history, feature) }
  })
}

async function commitOf(place: GitPlace, branch: string): Promise<string> {
  return (await runGit(place, ['rev-parse', '--verify', `refs/heads/${branch}`])).toString().trim()
}

/**
 * Commits in the format of `git fast-import`: identity and dates are in it, so ids are the same everywhere. Each follows
 * the one before it; `branches` names the commits (by index) that branches point to.
 */
function fastImport(commits: readonly DemoCommit[], branches: Readonly<Record<string, number>>): string {
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
