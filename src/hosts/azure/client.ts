/** The REST API of Azure DevOps for all halves: the organization or collection, the project and the repository are in its paths. */
import { z } from 'zod'
import type { ActorTrust } from '../../domain/review-request.ts'
import { openApi, withQuery } from '../remote/api.ts'
import { authorizationOf, headersFor, listOf, refusingSignIn } from '../remote/azure-requests.ts'
import type { HostAccess, RepositoryPlace } from '../remote/contract.ts'

const Repository = z.object({
  id: z.string(),
  name: z.string(),
  project: z.object({ id: z.string(), name: z.string(), visibility: z.string().default('private') }),
})
const visibilities: Readonly<Record<string, 'public' | 'internal'>> = {
  public: 'public',
  organization: 'internal',
}

export const perPage = 100

/** The namespace of the permissions of Git repositories, and the bits of those that are asked for. */
export const gitPermissions = {
  namespace: '2e9eb7ed-3c0a-47d4-87c1-0ffdd275fd87',
  contribute: 4,
  managePermissions: 8192,
  contributeToPullRequests: 16_384,
}

const Connection = z.object({ authenticatedUser: z.object({ id: z.string() }) })
const Identities = listOf(z.object({ id: z.string(), descriptor: z.string() }).nullable())
const Entry = z.object({
  extendedInfo: z.object({ effectiveAllow: z.number().default(0), effectiveDeny: z.number().default(0) }),
})
const Permissions = listOf(z.object({ acesDictionary: z.record(z.string(), Entry) }))

type Place = Pick<RepositoryPlace, 'apiUrl' | 'owner' | 'name' | 'repositoryId'>

/** Paths are below the repository. */
export function openAzureApi({ apiUrl, owner, name, repositoryId = name }: Place, access: HostAccess) {
  const { token } = access
  const place = owner.map((part) => `/${encodeURIComponent(part)}`)
  const open = (below: readonly string[], url = apiUrl, version?: string) =>
    openApi({
      ...{ apiUrl: url, access: { ...access, fetch: refusingSignIn(access.fetch) } },
      page: { parameter: '$top', skip: '$skip', size: perPage, elements: listOf(z.unknown()).parse },
      headers: async () => headersFor(token, version),
    }).below(() => `${below.join('')}/_apis`)
  const above = place.slice(0, -1)
  const collection = open(above)
  // On Services, another host of the same owner.
  const people = apiUrl.replace(/^https:\/\/dev\.azure\.com(?=\/|$)/, 'https://vssps.dev.azure.com')
  const identities = open(above, people)
  const own = open(place).below(() => `/git/repositories/${encodeURIComponent(repositoryId)}`)
  const readRepository = async (signal: AbortSignal) => {
    const { id, name, project } = Repository.parse(await own.get('', signal))
    return {
      ...{ repositoryId: id, visibility: visibilities[project.visibility] ?? ('private' as const) },
      // Organization or collection, project and repository.
      fullName: [...owner.slice(0, -1), project.name, name].join('/'),
      /** What its permissions are asked for by. */
      securityToken: `repoV2/${project.id}/${id}`,
      /** For git. */
      authorization: token === null ? null : authorizationOf(token),
    }
  }
  const readDescriptors = async (ids: readonly string[], signal: AbortSignal) => {
    const path = withQuery('/identities', { identityIds: ids.join(','), queryMembership: 'none' })
    const found = Identities.parse(await identities.get(path, signal))
    return new Map(found.flatMap((one) => (one ? [[one.descriptor, one.id] as const] : [])))
  }
  /** Of accounts by their ids: what each may do in the repository. Who is not in the answer may do nothing. */
  const readTrusts = async (ids: readonly string[], signal: AbortSignal) => {
    const [repository, people] = await Promise.all([readRepository(signal), readDescriptors(ids, signal)])
    const descriptors = [...people.keys()].join(',')
    const query = { token: repository.securityToken, descriptors, includeExtendedInfo: 'true' }
    const path = withQuery(`/accesscontrollists/${gitPermissions.namespace}`, query)
    const lists = Permissions.parse(await collection.get(path, signal))
    const entries = lists.flatMap(({ acesDictionary }) => Object.entries(acesDictionary))
    return new Map(
      entries.map(([descriptor, entry]) => [people.get(descriptor) ?? '', trustOf(entry.extendedInfo)]),
    )
  }
  return {
    ...own,
    /** Below the organization or collection, and where its identities are. */
    ...{ collection, identities, readRepository, readTrusts },
    /** The account of the token, by its id. */
    async readUser(signal: AbortSignal) {
      const answer = await open(above, apiUrl, '7.1-preview').get('/connectionData', signal)
      return Connection.parse(answer).authenticatedUser.id
    },
    readTrust: async (id: string, signal: AbortSignal) => (await readTrusts([id], signal)).get(id) ?? 'none',
  }
}

function trustOf({ effectiveAllow, effectiveDeny }: z.infer<typeof Entry>['extendedInfo']): ActorTrust {
  const may = effectiveAllow & ~effectiveDeny
  if (may & gitPermissions.managePermissions) return 'owner'
  if (may & gitPermissions.contribute) return 'member'
  return may & gitPermissions.contributeToPullRequests ? 'contributor' : 'none'
}
