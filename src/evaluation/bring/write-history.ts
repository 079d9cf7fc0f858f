/** Makes a repository from a stream of `git fast-import`, whose identities and dates make the same ids on every machine. */
import { mkdirSync } from 'node:fs'
import { runGit } from '../../base/git/run.ts'
import { usePrivateFolder } from '../../base/private-folders.ts'

/** `folder` must not exist yet; it becomes a bare repository. Returns commit ids by branch. */
export async function writeHistory(folder: string, stream: string): Promise<Map<string, string>> {
  mkdirSync(folder, { recursive: true })
  return await usePrivateFolder('home', async (home) => {
    const place = { gitDir: folder, home }
    await runGit(place, ['init', '--quiet', '--bare', '--template=', '--object-format=sha1'])
    await runGit(place, ['fast-import', '--quiet', '--done'], { input: stream })
    const told = await runGit(place, [
      'for-each-ref',
      '--format=%(objectname) %(refname:lstrip=2)',
      'refs/heads',
    ])
    const lines = told.toString().trim().split('\n')
    return new Map(lines.map((line) => [line.slice(41), line.slice(0, 40)]))
  })
}
