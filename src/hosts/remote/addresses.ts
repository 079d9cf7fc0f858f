/**
 * Addresses of change requests and repositories as people copy them from a browser. The host decides whether a token is sent, so it must be
 * a well-known one, one of the operator's settings, or the one that the CI system names.
 */
import { UserError } from '../../base/errors.ts'
import { trimTrailing } from '../../base/trim-text.ts'
import type { HostKind } from '../../domain/host-kind.ts'
import { namePart } from '../../domain/repository-name.ts'
import type { ChangeAddress, HostFacts, RepositoryPlace } from './contract.ts'
import { allKinds, factsOf } from './facts.ts'

/** A host that tokens may be sent to. */
export type KnownHost = {
  readonly kind: HostKind
  /** Root of its web pages; may have a path. */
  readonly webUrl: string
  readonly apiUrl: string
}

const wellKnown: readonly KnownHost[] = allKinds.flatMap((kind) => {
  const { server } = factsOf(kind)
  return server ? [{ kind, ...server }] : []
})

/** A server of a host's own, whose organizations have nothing to do with one another. */
export function isPublicServer(host: string): boolean {
  return wellKnown.some(({ webUrl }) => new URL(webUrl).host === host)
}

/** True for anything that is meant as an address, known or not. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

/** An address in the form that its host uses today. */
export function usualForm(text: string): string {
  const forms = allKinds.flatMap((kind) => factsOf(kind).otherForms)
  return forms.reduce((address, [form, usual]) => address.replace(form, usual), text)
}

/** Of the web pages of a server, in that form, without a slash at its end. */
export function usualRoot(url: string): string {
  return trimTrailing(usualForm(`${trimTrailing(url, '/')}/`), '/')
}

/** Listed with another protocol, port or path, as a host without `url` is, it is not known either. */
function unknownHost({ host, hostname, origin }: URL, hosts: readonly KnownHost[]): UserError {
  const alike = hosts.find(({ webUrl }) => URL.parse(webUrl)?.hostname === hostname)
  return new UserError(
    'host-unknown',
    alike ? `${host}: your settings have it as ${alike.webUrl}. Set its \`url\` to ${origin}` : host,
  )
}

/** Throws `host-unknown` for a host that is in no list, `usage` for an address that is no change request. */
export function parseAddress(text: string, hosts: readonly KnownHost[]): ChangeAddress {
  const address = changeIn(text, hosts, (path) => path)
  if (address) return address
  throw new UserError(
    'usage',
    `\`${text}\` is not the address of a pull request or merge request, such as https://github.com/owner/repo/pull/1`,
  )
}

/** Of a repository, in a browser or for git. Throws `host-unknown`, and `usage` for one that is none. */
export function parseRepositoryAddress(text: string, hosts: readonly KnownHost[]): RepositoryPlace {
  const plain = trimTrailing(trimTrailing(text, '/').replace(/\.git$/, ''), '/')
  // A repository is what a change request could be in.
  const found = changeIn(plain, hosts, (path, { repository, page }) => {
    const { gitRoot, beforeOwner = '', beforeName } = repository
    const isForGit = gitRoot !== undefined && path.startsWith(gitRoot)
    const [name = '', ...owner] = path.slice(gitRoot?.length).split('/').toReversed()
    const asInBrowser = [beforeOwner + owner.toReversed().join('/'), beforeName + name].join('/')
    return `${isForGit ? asInBrowser : path}/${page}/1`
  })
  if (found) {
    const { number: _, ...place } = found
    return place
  }
  throw new UserError(
    'usage',
    `\`${text}\` is not the address of a repository, such as https://github.com/owner/repo`,
  )
}

/** Null for an address that is none. `toPath`: what is below the root of the web pages, as the path of a change request. */
function changeIn(
  text: string,
  hosts: readonly KnownHost[],
  toPath: (path: string, facts: HostFacts) => string,
): ChangeAddress | null {
  const url = URL.parse(usualForm(text))
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UserError('usage', `\`${text}\` is not a web address`)
  if (url.username || url.password) throw new UserError('usage', 'the address must not contain credentials')
  const known = [...hosts, ...wellKnown]
    .map((host) => ({
      ...host,
      webUrl: trimTrailing(host.webUrl, '/'),
      apiUrl: trimTrailing(host.apiUrl, '/'),
    }))
    .filter(({ webUrl }) => `${url.origin}${url.pathname}/`.startsWith(`${webUrl}/`))
    .sort((a, b) => b.webUrl.length - a.webUrl.length)
  if (known.length === 0) throw unknownHost(url, hosts)
  for (const { kind, webUrl, apiUrl } of known) {
    const facts = factsOf(kind)
    const path = toPath(`${url.origin}${url.pathname}`.slice(webUrl.length + 1), facts)
    const [, group = '', given = '', number] = facts.changePath.exec(path) ?? []
    const owner = group.split('/').map(decodedPart)
    const name = decodedPart(given)
    if (!(Number(number) >= 1) || ![...owner, name].every((one) => namePart.test(one))) continue
    return { kind, host: url.host, webUrl, apiUrl, owner, name, number: Number(number) }
  }
  return null
}

/** A part of a path; as it is where it cannot be decoded, which is the name of nothing. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
