/** How a repository of each kind of host is read, and a comment acknowledged and answered. */
import * as forgejo from '../forgejo/repository.ts'
import * as github from '../github/repository.ts'
import * as gitlab from '../gitlab/repository.ts'
import type { HostKind } from '../remote/contract.ts'
import type { AcknowledgeComment, AnswerComment, RepositoryReaders } from './contract.ts'

export const repositoryReaders: RepositoryReaders = {
  forgejo: forgejo.openRepository,
  github: github.openRepository,
  gitlab: gitlab.openRepository,
}

export const acknowledgeComment: Readonly<Record<HostKind, AcknowledgeComment>> = {
  forgejo: forgejo.acknowledge,
  github: github.acknowledge,
  gitlab: gitlab.acknowledge,
}

export const answerComment: Readonly<Record<HostKind, AnswerComment>> = {
  forgejo: forgejo.answer,
  github: github.answer,
  gitlab: gitlab.answer,
}
