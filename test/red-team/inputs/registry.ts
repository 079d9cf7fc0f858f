/** All hostile inputs: by structure, to blind a check, and as texts of a megabyte. */
import type { HostileInput } from './contract.ts'
import { structures } from './structures.ts'
import { switches } from './switches.ts'
import { texts } from './texts.ts'

export const hostileInputs: readonly HostileInput[] = [...structures, ...switches, ...texts]
