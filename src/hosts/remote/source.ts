/** A change request as a change: its words and people from the host's API, its commits by git, frozen together. */
import { redactStrings } from '../../base/secrets/redact.ts'
import type { ChangeSource, CollectedChange } from '../contract.ts'
import { collectLocal } from '../local/collect.ts'
import type { ChangeAddress, ChangeReader, HostedChange } from './contract.ts'
import { numberName } from './facts.ts'
import { type FetchedCommits, fetchCommits } from './fetch-commits.ts'
import type { Mirrors } from './mirror.ts'

/** The words for people: `owner/repo#12`, `group/project!12`. */
export function nameOf(address: ChangeAddress): string {
  return `${[...address.owner, address.name].join('/')}${numberName(address)}`
}

/**
 * What was read first stays: later edits of the title, and later pushes, are no part of this review. `mirrors` keep what was
 * fetched for the next one; `openPatches` reads the change requests beside it. Throws as `ChangeReader.read` and
 * `fetchCommits`.
 */
export function hostedSource(
  address: ChangeAddress,
  reader: ChangeReader,
  {
    mirrors = null,
    openPatches,
  }: { mirrors?: Mirrors | null; openPatches?: CollectedChange['openPatches'] | undefined } = {},
): ChangeSource {
  let hosted: HostedChange | null = null
  let fetched: { commits: FetchedCommits; fileBytes: number } | null = null
  const close = async () => {
    await fetched?.commits.remove()
    fetched = null
  }
  return {
    close,
    async collect(limits, signal) {
      hosted ??= await reader.read(signal)
      const { head, base, mergeBase, fetch: origin } = hosted
      // Asked again with room for larger files, it lacks those.
      if (fetched && fetched.fileBytes < limits.fileBytes) await close()
      const { fileBytes } = limits
      const repository = { webUrl: address.webUrl, id: hosted.repository.id }
      const wanted = { origin, head, base, mergeBase, fileBytes, repository, mirrors, signal }
      fetched ??= { commits: await fetchCommits(wanted), fileBytes }
      const { commits } = fetched
      const selector = { kind: 'range', range: `${commits.mergeBase}..${head}` } as const
      const change = await collectLocal({ folder: commits.folder, selector, limits, signal })
      const collected = asHosted(change, address, hosted, commits.limits)
      return openPatches ? { ...collected, openPatches } : collected
    },
  }
}

function asHosted(
  change: CollectedChange,
  address: ChangeAddress,
  hosted: HostedChange,
  limits: readonly string[],
): CollectedChange {
  const { repository, changeRequest, title, body, author, discussion } = hosted
  const words = redactStrings({ title, body, author, discussion, changeRequest })
  // The fetched repository is shallow on purpose, which no advice about a clone fits.
  const own = change.request.limits.filter((limit) => !limit.startsWith('shallow clone'))
  // Within other limits it may have to be fetched again, so it is collected again.
  const { within: _, ...plain } = change
  return {
    ...plain,
    request: {
      ...change.request,
      source: { kind: 'range', label: `${nameOf(address)}: ${words.title}`.slice(0, 200) },
      repository,
      ...words,
      limits: [...own, ...hosted.limits, ...limits],
    },
    repositoryLabel: [repository.host, ...repository.owner, repository.name].join('/'),
    branch: async () => changeRequest.headRef,
  }
}
