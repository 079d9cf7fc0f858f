/** Which hosts there are. */
import type { HostKind } from '../../domain/host-kind.ts'
import { bitbucket } from '../bitbucket/index.ts'
import { forgejo } from '../forgejo/index.ts'
import { github } from '../github/index.ts'
import { gitlab } from '../gitlab/index.ts'
import type { Host } from './host.ts'

export const hosts: Record<HostKind, Host> = { bitbucket, forgejo, github, gitlab }
