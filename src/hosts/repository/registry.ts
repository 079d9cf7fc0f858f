/** How a repository of each kind of host is read, and a comment acknowledged. */
import type { HostKind } from '../remote/contract.ts'
import type { AcknowledgeComment, RepositoryReaders } from './contract.ts'
import { acknowledgeOnForgejo, openForgejoRepository } from './forgejo.ts'
import { acknowledgeOnGitHub, openGitHubRepository } from './github.ts'
import { acknowledgeOnGitLab, openGitLabRepository } from './gitlab.ts'

export const repositoryReaders: RepositoryReaders = {
  forgejo: openForgejoRepository,
  github: openGitHubRepository,
  gitlab: openGitLabRepository,
}

export const acknowledgeComment: Readonly<Record<HostKind, AcknowledgeComment>> = {
  forgejo: acknowledgeOnForgejo,
  github: acknowledgeOnGitHub,
  gitlab: acknowledgeOnGitLab,
}
