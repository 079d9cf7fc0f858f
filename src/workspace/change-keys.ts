/** By what open change requests of different repositories are known to belong together: links, tickets and names of branches. */
import { UserError } from '../base/errors.ts'
import type { FoundBy } from '../domain/workspace.ts'
import { type KnownHost, parseAddress } from '../hosts/remote/addresses.ts'
import type { ChangeAddress, RepositoryPlace } from '../hosts/remote/contract.ts'
import { factsOf } from '../hosts/remote/facts.ts'
import { findReferences } from '../hosts/tickets/references.ts'

/** What its author wrote. All of it is foreign. */
export type ChangeWords = { title: string; body: string; branch: string | null }

export type ChangeKeys = {
  /** Change requests that its author points to, in the form of `selfKey`. */
  links: readonly string[]
  tickets: readonly string[]
  /** Null for one that is called as in every repository. */
  branch: string | null
}

const longest = 20_000
const mostLinks = 20
const address = /https?:\/\/[^\s<>()[\]"'`]{1,500}/g
const part = '[A-Za-z0-9_][\\w.-]{0,99}'
const short = new RegExp(`(?<![\\w/#!.-])(${part}(?:/${part}){1,4})([#!])([1-9]\\d{0,8})\\b`, 'g')

/** `acme/web#12` on one host, whatever its case. */
export function selfKey({
  host,
  owner,
  name,
  number,
}: Omit<ChangeAddress, 'kind' | 'webUrl' | 'apiUrl'>): string {
  return `${host}/${[...owner, name].join('/')}#${number}`.toLowerCase()
}

/** Whether one with these keys is of this repository. */
export function isChangeOf({ keys }: { keys: readonly string[] }, at: ChangeAddress): boolean {
  const self = selfKey(at)
  const before = `self ${self.slice(0, self.lastIndexOf('#') + 1)}`
  return keys.some((key) => key.startsWith(before))
}

/** What an open change is found by from other repositories. */
export function keysToFind(at: ChangeAddress, { links, tickets, branch }: ChangeKeys): string[] {
  return [
    `self ${selfKey(at)}`,
    ...links.map((link) => `points ${link}`),
    ...tickets.map((ticket) => `ticket ${ticket}`),
    ...(branch === null ? [] : [`branch ${branch}`]),
  ]
}

/** The keys by which this change finds others, the surest way first. `self`: null for one that is on no host. */
export function keysToAsk(self: string | null, { links, tickets, branch }: ChangeKeys): [string, FoundBy][] {
  return [
    ...links.map((link): [string, FoundBy] => [`self ${link}`, 'link']),
    ...(branch === null ? [] : [[`branch ${branch}`, 'branch'] satisfies [string, FoundBy]]),
    ...(self === null ? [] : [[`points ${self}`, 'link-back'] satisfies [string, FoundBy]]),
    ...tickets.map((ticket): [string, FoundBy] => [`ticket ${ticket}`, 'ticket']),
  ]
}

/** `near`: the repository of the change; null for one that is on no host. */
export function changeKeys(
  { title, body, branch }: ChangeWords,
  near: RepositoryPlace | null,
  hosts: readonly KnownHost[],
): ChangeKeys {
  const text = `${title}\n${body}`.slice(0, longest)
  const links = [...text.matchAll(address)].flatMap(([found]) => changeAt(found, hosts) ?? [])
  const own = near ? [...near.owner, near.name].join('/') : null
  const named = near && [...text.matchAll(short)].flatMap((found) => changeNamed(found, near))
  const tickets = findReferences({ title, body, branch }).flatMap(({ kind, repository, name, isGuess }) => {
    const of = kind === 'number' ? (repository ?? own) : ''
    return isGuess || of === null ? [] : [`${kind} ${of} ${name}`.toLowerCase()]
  })
  return {
    links: [...new Set([...links, ...(named ?? [])].map(selfKey))].slice(0, mostLinks),
    tickets: [...new Set(tickets)],
    branch: branch === null || usual.test(branch) ? null : branch,
  }
}

/** Names that say nothing of what a change is about. */
const usual = /^(?:HEAD|main|master|trunk|dev|develop|development|next|staging|stable|release|patch-\d+)$/i

function changeAt(text: string, hosts: readonly KnownHost[]): ChangeAddress | null {
  try {
    return parseAddress(text, hosts)
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

function changeNamed([, full = '', sign, number]: RegExpMatchArray, near: RepositoryPlace): ChangeAddress[] {
  if (sign !== factsOf(near.kind).sign) return []
  const [name = '', ...owner] = full.split('/').toReversed()
  return [{ ...near, owner: owner.toReversed(), name, number: Number(number) }]
}
