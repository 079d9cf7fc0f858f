/** Where a mirror of a repository lies on this machine. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { EvaluationError } from '../base/errors.ts'

/** Null when there is none. Throws for a name that is not `owner/name`: it is part of a path. */
export function mirrorOf(repo: string, mirrors: string | null): string | null {
  if (!/^[\w.-]+\/[\w.-]+$/.test(repo) || repo.includes('..'))
    throw new EvaluationError('repository-unavailable', `\`${repo.slice(0, 200)}\` is not owner/name`)
  const mirror = mirrors === null ? null : resolve(mirrors, repo.replace('/', '+'), 'repo')
  return mirror !== null && existsSync(join(mirror, 'objects')) ? mirror : null
}
