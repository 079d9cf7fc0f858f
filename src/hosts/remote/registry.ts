/** Which hosts there are. */
import { forgejo } from '../forgejo/index.ts'
import { github } from '../github/index.ts'
import { gitlab } from '../gitlab/index.ts'
import type { Host, HostKind } from './contract.ts'

export const hosts: Record<HostKind, Host> = { forgejo, github, gitlab }
