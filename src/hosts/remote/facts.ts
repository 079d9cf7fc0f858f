/** What hosts are by their data, without their adapters: addresses, names of variables, and what one has and another has not. */
import { forgejo } from '../forgejo/facts.ts'
import { github } from '../github/facts.ts'
import { gitlab } from '../gitlab/facts.ts'
import type { ChangeAddress, HostFacts, HostKind } from './contract.ts'

export const factsOf: Readonly<Record<HostKind, HostFacts>> = { github, gitlab, forgejo }

/** In a browser. */
export function repositoryUrl({ webUrl, owner, name }: Omit<ChangeAddress, 'number'>): string {
  return `${webUrl}/${[...owner, name].join('/')}`
}

/** In a browser. */
export function pageOf(address: ChangeAddress): string {
  return `${repositoryUrl(address)}/${factsOf[address.kind].page}/${address.number}`
}
