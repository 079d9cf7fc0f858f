/** How a repository of each kind of host is read. */
import type { RepositoryReaders } from './contract.ts'
import { openForgejoRepository } from './forgejo.ts'
import { openGitHubRepository } from './github.ts'
import { openGitLabRepository } from './gitlab.ts'

export const repositoryReaders: RepositoryReaders = {
  forgejo: openForgejoRepository,
  github: openGitHubRepository,
  gitlab: openGitLabRepository,
}
