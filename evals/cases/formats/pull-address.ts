/** The address of a pull or merge request, taken apart. */

export type PullAddress = { repo: string; number: number; url: string }

/** `https://HOST/owner/name/pull/12` or `…/-/merge_requests/12`; throws for anything else. */
export function readPullAddress(address: string): PullAddress {
  const match =
    /^(https:\/\/[^/\s]+)\/([\w.-]+\/[\w.-]+)\/(?:pull|-\/merge_requests)\/(\d{1,9})(?:[/?#]|$)/.exec(address)
  if (!match) throw new Error(`\`${address.slice(0, 200)}\` is not the address of a pull request`)
  const [, host = '', repo = '', number = ''] = match
  return { repo, number: Number(number), url: `${host}/${repo}.git` }
}
