/** Addresses of lines at a host of repositories: always of one of the two commits of the review, and of no other. */
import { trimTrailing } from '../../base/trim-text.ts'
import type { ReviewRequest } from '../../domain/review-request.ts'
import type { LinkTo } from './contract.ts'

/** Where a host shows a file of a commit, and its prefix for the last of several lines. */
const pages = {
  github: { tree: 'blob', lastLine: 'L' },
  gitlab: { tree: '-/blob', lastLine: '' },
  forgejo: { tree: 'src/commit', lastLine: 'L' },
} as const

/**
 * `repository`: its address in a browser, such as `https://github.com/owner/name`, from the operator and never from what is
 * reviewed. Null when the address is not plain HTTP(S), or holds more than a host and a path. `kind`: what the host runs;
 * without it, its name decides.
 */
export function linksAt(
  repository: string,
  { base, head }: Pick<ReviewRequest, 'base' | 'head'>,
  kind?: keyof typeof pages,
): LinkTo | null {
  const url = URL.parse(repository)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    return null
  const root = `${url.origin}${trimTrailing(url.pathname, '/')}`
  const { tree, lastLine } = pages[kind ?? kindByName(url.hostname)]
  return ({ path, side, startLine, endLine }) => {
    const { commit } = side === 'old' ? base : head
    const parts = path.toWellFormed().split('/')
    // A browser would follow dots out of the commit, and out of the repository.
    if (commit === null || parts.some((part) => /^\.{0,2}$/.test(part))) return null
    const file = parts.map(encodeURIComponent).join('/')
    const lines =
      startLine === null
        ? ''
        : `#L${startLine}${endLine !== null && endLine !== startLine ? `-${lastLine}${endLine}` : ''}`
    return `${root}/${tree}/${commit}/${file}${lines}`
  }
}

function kindByName(hostname: string): keyof typeof pages {
  if (/(?:^|\.)gitlab\./.test(hostname)) return 'gitlab'
  return /(?:^|\.)(?:forgejo|gitea|codeberg)\./.test(hostname) ? 'forgejo' : 'github'
}
