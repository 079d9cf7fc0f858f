/** GitHub: github.com, Enterprise Cloud and Enterprise Server. */
import type { Host } from '../remote/contract.ts'
import { openPullReader } from './read-pull.ts'
import { openPullWriter } from './write-pull.ts'

export const github: Host = { kind: 'github', openReader: openPullReader, openWriter: openPullWriter }
