/** Addresses of lines at a host of repositories: always of one of the two commits of the review, and of no other. */
import { trimTrailing } from '../../base/trim-text.ts'
import type { HostKind } from '../../domain/host-kind.ts'
import type { ReviewRequest } from '../../domain/review-request.ts'
import { usualForm } from '../../hosts/remote/addresses.ts'
import { factsOf, kindThat } from '../../hosts/remote/facts.ts'
import type { LinkTo } from './contract.ts'

/**
 * `repository`: its address in a browser, such as `https://github.com/owner/name`, from the operator and never from what is
 * reviewed. Null when the address is not plain HTTP(S), or holds more than a host and a path. `kind`: what the host runs;
 * without it, its name decides.
 */
export function linksAt(
  repository: string,
  { base, head }: Pick<ReviewRequest, 'base' | 'head'>,
  kind?: HostKind,
): LinkTo | null {
  const url = URL.parse(usualForm(repository))
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    return null
  const root = `${url.origin}${trimTrailing(url.pathname, '/')}`
  const { filePage } = factsOf(kind ?? kindByName(url.hostname))
  return ({ path, side, startLine, endLine }) => {
    const { commit } = side === 'old' ? base : head
    const parts = path.toWellFormed().split('/')
    // A browser would follow dots out of the commit, and out of the repository.
    if (commit === null || parts.some((part) => /^\.{0,2}$/.test(part))) return null
    const last = endLine ?? startLine
    const lines = startLine === null ? '' : filePage[last === startLine ? 'line' : 'lines']
    const values = { commit, path: parts.map(encodeURIComponent).join('/'), start: startLine, end: last }
    return `${root}${filled(`${filePage.file}${lines}`, values)}`
  }
}

function filled(form: string, values: Readonly<Record<string, string | number | null>>): string {
  return form.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
}

function kindByName(hostname: string): HostKind {
  return kindThat(({ serverName }) => serverName.test(hostname))
}
