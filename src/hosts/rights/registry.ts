/** The rights of tokens, of each kind of host. */
import type { HostKind } from '../remote/contract.ts'
import type { TokenRights } from './contract.ts'
import { forgejoRights } from './forgejo.ts'
import { githubRights } from './github.ts'
import { gitlabRights } from './gitlab.ts'

export const tokenRights: Readonly<Record<HostKind, TokenRights>> = {
  github: githubRights,
  gitlab: gitlabRights,
  forgejo: forgejoRights,
}
