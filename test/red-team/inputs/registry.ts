/** All hostile inputs: by structure, to blind a check, as texts of a megabyte, and as code of one shape in each language. */
import type { HostileInput } from './contract.ts'
import { shapeInputs } from './shapes.ts'
import { structures } from './structures.ts'
import { switches } from './switches.ts'
import { texts } from './texts.ts'

export const hostileInputs: readonly HostileInput[] = [...structures, ...switches, ...texts, ...shapeInputs]
