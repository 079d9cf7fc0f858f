/** How a repository of each kind of host is read, and a comment acknowledged and answered. */
import type { HostKind } from '../remote/contract.ts'
import type { AcknowledgeComment, AnswerComment, RepositoryReaders } from './contract.ts'
import { acknowledgeOnForgejo, answerOnForgejo, openForgejoRepository } from './forgejo.ts'
import { acknowledgeOnGitHub, answerOnGitHub, openGitHubRepository } from './github.ts'
import { acknowledgeOnGitLab, answerOnGitLab, openGitLabRepository } from './gitlab.ts'

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

export const answerComment: Readonly<Record<HostKind, AnswerComment>> = {
  forgejo: answerOnForgejo,
  github: answerOnGitHub,
  gitlab: answerOnGitLab,
}
