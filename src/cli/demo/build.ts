/** Builds the demo: a small, believable repository whose last commit brings a problem for every plane. */
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type GitPlace, runGit } from '../../base/git/run.ts'
import { usePrivateFolder } from '../../base/private-folders.ts'
import { fastImport } from './fast-import.ts'
import { feature, history } from './history.ts'
import { type Seeded, seededProblems } from './seeded.ts'

export type Demo = {
  /** The folder with the work tree, on branch `feature`; `main` is where it left off. */
  repository: string
  /** Commit ids of the last commit of `main` and of the one on `feature`. The same on every machine. */
  base: string
  head: string
  seeded: Seeded[]
}

/** `folder` must be empty, or not exist yet. Nothing of the user's git configuration is used. */
export async function buildDemo(folder: string): Promise<Demo> {
  const repository = resolve(folder)
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
    return { repository, base: base ?? '', head: head ?? '', seeded: seededProblems() }
  })
}

async function commitOf(place: GitPlace, branch: string): Promise<string> {
  return (await runGit(place, ['rev-parse', '--verify', `refs/heads/${branch}`])).toString().trim()
}
