/** Which change requests are open in a member of the workspace, kept between reviews so that a review asks no host for them. */
import { defaultConfig } from '../../config/schema.ts'
import type { RepositoryPlace } from '../../hosts/remote/contract.ts'
import { numberName, pageOf } from '../../hosts/remote/facts.ts'
import { fetchHeads } from '../../hosts/remote/fetch-default-branch.ts'
import type { Mirror } from '../../hosts/remote/mirror.ts'
import type { HostedRepository, RepositoryReader } from '../../hosts/repository/contract.ts'
import { changeKeys, keysToFind } from '../../workspace/change-keys.ts'
import type { KeptChange, UsesIndex } from '../../workspace/uses-index.ts'
import { knownHosts } from '../open-host.ts'
import type { WorkspaceParts } from './contract.ts'

/** The newest; older ones are seldom alive. */
const mostKept = 40
const mostPaths = 300

type Listing = {
  /** Of the member, as the settings call it. */
  name: string
  place: RepositoryPlace
  reader: RepositoryReader
  found: HostedRepository
  mirror: Mirror
  index: UsesIndex
}

/** Asks its host for those whose head is new, and fetches their heads. Throws as `RepositoryReader` and `fetchHeads`. */
export async function keepOpenChanges(
  { name, place, reader, found: { repository, fetch }, mirror, index }: Listing,
  parts: Pick<WorkspaceParts, 'settings' | 'environment' | 'signal'>,
): Promise<void> {
  const { signal } = parts
  const listed = (await reader.listOpen(signal)).slice(0, mostKept)
  const known = new Map((await index.changesOf(name)).map((one) => [one.number, one]))
  const { fileBytes } = defaultConfig.limits
  const heads = await fetchHeads(mirror, fetch, { kind: place.kind, changes: listed, fileBytes, signal })
  const hosts = knownHosts(parts)
  const here = { ...place, owner: repository.owner, name: repository.name }
  const changes: KeptChange[] = []
  for (const { number, head: listedHead, title, body, branch, isFork } of listed) {
    const last = known.get(number)
    const isKnown = last?.listedHead === listedHead
    const at = { ...here, number }
    changes.push({
      ...{ number, name: numberName(at), url: pageOf(at), listedHead, head: heads.get(number) ?? null },
      ...{ branch, isFork },
      paths: isKnown ? last.paths : (await reader.readFiles(number, signal)).paths.slice(0, mostPaths),
      keys: keysToFind(at, changeKeys({ title, body, branch }, here, hosts)),
    })
  }
  await index.keepChanges(name, changes)
}
