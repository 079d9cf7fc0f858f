/** What hosts are by their data, without their adapters: addresses, names of variables, and what one has and another has not. */
import { trimTrailing } from '../../base/trim-text.ts'
import { type BuiltInHostKind, type HostKind, isBuiltIn } from '../../domain/host-kind.ts'
import { azure } from '../azure/facts.ts'
import { bitbucket } from '../bitbucket/facts.ts'
import { bitbucketDc } from '../bitbucket-dc/facts.ts'
import { forgejo } from '../forgejo/facts.ts'
import { github } from '../github/facts.ts'
import { gitlab } from '../gitlab/facts.ts'
import type { ChangeAddress, HostAccess, HostFacts, RepositoryPlace } from './contract.ts'
import { packageOf } from './packages.ts'

/** In the order in which a server is known by its name, and a CI job by its variables. */
const builtIn: Readonly<Record<BuiltInHostKind, HostFacts>> = {
  ...{ bitbucket, 'bitbucket-dc': bitbucketDc, gitlab, forgejo, azure, github },
}

/** The first host whose data fit; GitHub where none does. */
export function kindThat(fits: (facts: HostFacts) => boolean): HostKind {
  return allKinds.find((kind) => fits(factsOf(kind))) ?? 'github'
}

export const allKinds = Object.keys(builtIn) as readonly BuiltInHostKind[]

/** Throws `host-package-unusable`. */
export function factsOf(kind: HostKind): HostFacts {
  return isBuiltIn(kind) ? builtIn[kind] : packageOf(kind).facts
}

/** The token of a job where that reads only the change request itself, and writes nothing. */
export function isOfJob(kind: HostKind, { tokenName }: Pick<HostAccess, 'tokenName'>): boolean {
  const { ci } = factsOf(kind)
  return ci?.readsLittle === true && tokenName === ci.token
}

/** Where the API of a host usually is; for hosts whose settings do not say. */
export function defaultApiUrl(kind: HostKind, webUrl: string): string {
  return `${trimTrailing(webUrl, '/')}${factsOf(kind).apiPath}`
}

/** For people: `#12`, `!12`. */
export function numberName({ kind, number }: Pick<ChangeAddress, 'kind' | 'number'>): string {
  return `${factsOf(kind).sign}${number}`
}

type RepositoryName = Pick<RepositoryPlace, 'kind' | 'webUrl' | 'owner' | 'name'>

/** In a browser. */
export function repositoryUrl({ kind, webUrl, owner, name }: RepositoryName): string {
  return `${webUrl}/${repositoryPath(kind, [...owner, name])}`
}

/** Of a repository in addresses, from its groups and its name. */
export function repositoryPath(kind: HostKind, parts: readonly string[]): string {
  const { beforeOwner = '', beforeName } = factsOf(kind).repository
  const names = parts.map(encoded)
  const name = `${beforeName}${names.at(-1) ?? ''}`
  return `${beforeOwner}${[...names.slice(0, -1), name].join('/')}`
}

/** For git. */
export function gitUrlOf(place: RepositoryName): string {
  const { gitRoot, gitSuffix } = factsOf(place.kind).repository
  const { webUrl, owner, name } = place
  const path = [...owner, name].map(encoded).join('/')
  return `${gitRoot === undefined ? repositoryUrl(place) : `${webUrl}/${gitRoot}${path}`}${gitSuffix}`
}

/** Parentheses too, which would end a link in Markdown. */
function encoded(part: string): string {
  return encodeURIComponent(part).replace(/[()']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
}

/** For git; null where a host has no name for it. */
export function headRefOf({ kind, number }: Pick<ChangeAddress, 'kind' | 'number'>): string | null {
  return factsOf(kind).headRef?.replace('{number}', `${number}`) ?? null
}

/** In a browser. */
export function pageOf(address: RepositoryName & Pick<ChangeAddress, 'number'>): string {
  return `${repositoryUrl(address)}/${factsOf(address.kind).page}/${address.number}`
}
