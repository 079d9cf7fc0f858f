/** Whose webhooks are understood. */
import type { HostKind } from '../../domain/host-kind.ts'
import { bitbucket } from './bitbucket.ts'
import type { Webhooks } from './contract.ts'
import { forgejo } from './forgejo.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'

export const webhooks: Record<HostKind, Webhooks> = { bitbucket, forgejo, github, gitlab }
