/** Which hosts there are. */
import { github } from '../github/index.ts'
import { gitlab } from '../gitlab/index.ts'
import type { Host, HostKind } from './contract.ts'

export const hosts: Partial<Record<HostKind, Host>> = { github, gitlab }
