/** Azure DevOps: Services at dev.azure.com, and Server. */
import type { Host } from '../remote/host.ts'
import { azure as facts } from './facts.ts'
import { openPullReader as openReader } from './read-pull.ts'
import { acknowledge, answer, openRepository } from './repository.ts'
import { rights } from './rights.ts'
import { openPullWriter as openWriter } from './write-pull.ts'

export const azure: Host = { facts, openReader, openWriter, openRepository, acknowledge, answer, rights }
