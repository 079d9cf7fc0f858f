/**
 * Makes the git directory of a case without copying anything: it borrows the objects of a mirror. Quick, and only for
 * mirrors that hold no future of the case, such as those made for an evaluation.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { lendObjects } from '../../base/git/borrowed.ts'
import { makePrivateFolder } from '../../base/private-folders.ts'
import type { Bring } from './bring-repository.ts'
import { mirrorOf } from './mirror.ts'

/** Brings all of the history. Throws `repository-unavailable` when no mirror has the repository. */
export const linkRepository: Bring = async ({ repo, base, head }, { mirrors }) => {
  const mirror = mirrorOf(repo, mirrors)
  if (mirror === null) throw new UserError('repository-unavailable', `${repo}: no mirror has it`)
  const { path: folder, remove: close } = await makePrivateFolder('case')
  for (const part of ['objects/info', 'refs/heads']) mkdirSync(join(folder, part), { recursive: true })
  lendObjects(join(mirror, 'objects'))
  writeFileSync(join(folder, 'objects/info/alternates'), `${join(mirror, 'objects')}\n`)
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/head\n')
  writeFileSync(join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n')
  for (const [name, commit] of Object.entries({ base, head }))
    writeFileSync(join(folder, 'refs/heads', name), `${commit}\n`)
  return { folder, close }
}
