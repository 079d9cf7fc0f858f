/**
 * Makes the git directory of a case from hard links to the objects of a mirror. Quick, and only for mirrors that hold no
 * future of the case, such as those made for an evaluation.
 */
import { copyFileSync, linkSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { EvaluationError } from '../base/errors.ts'
import { caseFolder, type FetchRepository } from './fetch-repository.ts'
import { mirrorOf } from './mirror.ts'

/** Links all of the history. Throws `repository-unavailable` when no mirror has the repository. */
export const linkRepository: FetchRepository = async ({ repo, base, head }, { mirrors }) => {
  const mirror = mirrorOf(repo, mirrors)
  if (mirror === null) throw new EvaluationError('repository-unavailable', `${repo}: no mirror has it`)
  const { path: folder, close } = caseFolder()
  for (const part of ['objects', 'refs/heads']) mkdirSync(join(folder, part), { recursive: true })
  linkFiles(join(mirror, 'objects'), join(folder, 'objects'))
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/head\n')
  writeFileSync(join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n')
  for (const [name, commit] of Object.entries({ base, head }))
    writeFileSync(join(folder, 'refs/heads', name), `${commit}\n`)
  return { folder, close }
}

/** Copies what lies on another disk. */
function linkFiles(from: string, to: string): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const source = join(entry.parentPath, entry.name)
    const target = join(to, relative(from, source))
    mkdirSync(dirname(target), { recursive: true })
    try {
      linkSync(source, target)
    } catch {
      copyFileSync(source, target)
    }
  }
}
