/** Issues of Forgejo and Gitea, whose API has GitHub's form. */
import { repositoryPath } from '../remote/pull-requests.ts'
import { openTracker } from '../trackers/client.ts'
import type { TicketSource } from './contract.ts'
import { createIssues, type GitHubOptions } from './github-tickets.ts'

export function createForgejoTickets(options: GitHubOptions): TicketSource {
  const { apiUrl: url, token, tokenName, fetch } = options
  const tracker = openTracker({
    ...{ name: 'Forgejo', url, fetch },
    tokenName: token === null ? null : (tokenName ?? 'the settings'),
    headers: token === null ? {} : { authorization: `token ${token}` },
    // Renamed.
    absent: [301, 307],
    page: { parameter: 'limit', size: 50 },
  })
  const newest = { state: 'open', type: 'issues', sort: 'recentupdate' }
  return createIssues(
    { title: 'Forgejo', prefix: 'forgejo:', newest, resourcesOf: repositoryPath },
    tracker,
    options,
  )
}
