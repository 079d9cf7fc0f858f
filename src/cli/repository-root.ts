/** Where the work tree around a folder begins, for commands that write or read one file there and need no git. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UserError } from '../base/errors.ts'

/** Throws `UserError('not-a-repository')`. */
export function repositoryRoot(folder: string): string {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) throw new UserError('not-a-repository', resolve(folder))
  }
}
