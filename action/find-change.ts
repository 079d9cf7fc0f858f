/** Which pull request the workflow is about: from what the host itself says of the event, never from an artifact. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const Event = z.object({
  pull_request: z.object({ html_url: z.string() }).optional(),
  workflow_run: z
    .object({
      head_sha: z.string(),
      head_branch: z.string().nullable(),
      head_repository: z.object({ id: z.number(), owner: z.object({ login: z.string() }) }).nullable(),
    })
    .optional(),
})

const Pulls = z.array(
  z.object({
    html_url: z.string(),
    head: z.object({ sha: z.string(), repo: z.object({ id: z.number() }).nullable() }),
  }),
)

/** `reason`: why there is nothing to do; that is no failure. */
export type FoundChange = { address: string } | { reason: string }

/** Throws an `Error` with words for the log when the event or the host cannot be read. */
export async function findChange(environment: NodeJS.ProcessEnv, token: string): Promise<FoundChange> {
  const path = environment.GITHUB_EVENT_PATH
  if (!path) throw new Error('there is no event (GITHUB_EVENT_PATH); give the address as `change`')
  const event = Event.parse(JSON.parse(readFileSync(path, 'utf8')))
  if (event.pull_request) return { address: event.pull_request.html_url }
  if (event.workflow_run) return await ofRun(event.workflow_run, environment, token)
  return { reason: `the event ${environment.GITHUB_EVENT_NAME ?? ''} is about no pull request` }
}

/**
 * A workflow that ran for a fork may have been written by the fork, so its artifacts may name any pull request, also one
 * of somebody else with the same commit. The event is the host's: fork, branch and commit together name the right one.
 */
async function ofRun(
  {
    head_sha: sha,
    head_branch: branch,
    head_repository: from,
  }: NonNullable<z.infer<typeof Event>['workflow_run']>,
  { GITHUB_API_URL: api, GITHUB_REPOSITORY: repository }: NodeJS.ProcessEnv,
  token: string,
): Promise<FoundChange> {
  if (!branch || !from) return { reason: 'the branch or its repository was deleted' }
  if (!api || !repository) throw new Error('GITHUB_API_URL and GITHUB_REPOSITORY are not set')
  const query = new URLSearchParams({ head: `${from.owner.login}:${branch}`, state: 'open', per_page: '100' })
  const answer = await fetch(`${api}/repos/${repository}/pulls?${query}`, {
    headers: {
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    redirect: 'error',
  })
  if (!answer.ok) throw new Error(`the host answered ${answer.status} when asked for the pull request`)
  const pulls = Pulls.parse(await answer.json())
  const found = pulls.find(({ head }) => head.sha === sha && head.repo?.id === from.id)
  if (found) return { address: found.html_url }
  return {
    reason: `no open pull request of ${from.owner.login}:${branch} has ${sha.slice(0, 12)} as its head`,
  }
}
