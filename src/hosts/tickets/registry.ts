/** The issues of each kind of host, which a change may point to, and what was said of it where its reader does not know. */
import { type BuiltInHostKind, isBuiltIn } from '../../domain/host-kind.ts'
import { partsOf } from '../../domain/repository-name.ts'
import type { ChangeAddress, HostAccess } from '../remote/contract.ts'
import { isOfJob } from '../remote/facts.ts'
import { createAzureBoards } from '../trackers/azure-boards.ts'
import { createGitLabIssues } from '../trackers/gitlab-issues.ts'
import type { DiscussionSource, TicketSource } from './contract.ts'
import { createForgejoTickets } from './forgejo-tickets.ts'
import { createGitHubDiscussion } from './github-discussion.ts'
import { createGitHubTickets } from './github-tickets.ts'

type Origin<Kind extends BuiltInHostKind, Token extends string | null> = {
  kind: Kind
  repository: string
  branch: string | null
  /** That which its change request was read with. */
  access: { apiUrl: string; token: Token; tokenName: Token }
}

export type IssueOrigin =
  /** `owner/repo`: issues that title, body and branch point to; without access as the environment says. */
  | (Omit<Origin<'github', string | null>, 'access'> & Partial<Origin<'github', string | null>>)
  | Origin<'forgejo', string | null>
  /** `group/subgroup/name`. */
  | Origin<'gitlab', string>
  /** `organization/project/name`: work items of the project. */
  | Origin<'azure', string>

export type Issues = {
  tickets: TicketSource
  discussion: DiscussionSource | null
  /** What a number without a repository is. */
  numbers?: 'work-item'
}

type OriginOf = (repository: string, apiUrl: string, access: HostAccess) => IssueOrigin | null

const origins: Readonly<Record<BuiltInHostKind, OriginOf>> = {
  // An App's token exists only while it is used.
  github: (repository, apiUrl, { app, token, tokenName }) =>
    app ? null : { kind: 'github', repository, branch: null, access: { apiUrl, token, tokenName } },
  gitlab: (...given) => originWithToken('gitlab', ...given),
  forgejo: (repository, apiUrl, { token, tokenName }) => ({
    ...{ kind: 'forgejo', repository, branch: null, access: { apiUrl, token, tokenName } },
  }),
  bitbucket: () => null,
  'bitbucket-dc': () => null,
  azure: (...given) => originWithToken('azure', ...given),
}

function originWithToken(
  kind: 'gitlab' | 'azure',
  repository: string,
  apiUrl: string,
  { token, tokenName }: HostAccess,
): IssueOrigin | null {
  if (token === null) return null
  return { kind, repository, branch: null, access: { apiUrl, token, tokenName: tokenName ?? 'the settings' } }
}

/** With the access that the change request was read with; null where no source of tickets fits. */
export function issueOrigin({ kind, apiUrl, owner, name }: ChangeAddress, access: HostAccess) {
  if (!isBuiltIn(kind) || isOfJob(kind, access)) return null
  return origins[kind]([...owner, name].join('/'), apiUrl, access)
}

/** `more`: further repositories whose tickets may be read. `environment`: for an origin without access. */
export function openIssues(
  origin: IssueOrigin,
  environment: NodeJS.ProcessEnv,
  more: readonly string[],
): Issues {
  const { repository } = origin
  if (origin.kind === 'gitlab') {
    const { apiUrl: url, token, tokenName } = origin.access
    const headers = { authorization: `Bearer ${token}` }
    const access = { name: 'GitLab', url, tokenName, headers, fetch }
    return {
      tickets: createGitLabIssues({ ...access, project: repository, moreProjects: more }),
      discussion: null,
    }
  }
  if (origin.kind === 'azure') {
    const { apiUrl, token, tokenName } = origin.access
    const { owner } = partsOf(repository)
    const url = [apiUrl, ...owner.slice(0, -1).map(encodeURIComponent)].join('/')
    const boards = { name: 'Azure Boards', url, token, tokenName, projects: owner.slice(-1), fetch }
    return { tickets: createAzureBoards(boards), discussion: null, numbers: 'work-item' }
  }
  if (origin.kind === 'forgejo') {
    const forgejo = { repository, moreRepositories: more, ...origin.access, fetch }
    return { tickets: createForgejoTickets(forgejo), discussion: null }
  }
  const github = {
    repository,
    moreRepositories: more,
    ...(origin.access ?? {
      token: environment.GITHUB_TOKEN || environment.GH_TOKEN || null,
      tokenName: environment.GITHUB_TOKEN ? 'GITHUB_TOKEN' : 'GH_TOKEN',
      apiUrl: environment.GITHUB_API_URL || 'https://api.github.com',
    }),
    fetch,
  }
  return { tickets: createGitHubTickets(github), discussion: createGitHubDiscussion(github) }
}
