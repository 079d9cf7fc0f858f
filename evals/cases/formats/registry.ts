/** Which formats of cases are read, the most telling first. */
import { annotated } from './annotated.ts'
import { cleanPulls } from './clean-pulls.ts'
import type { CaseFormat } from './contract.ts'
import { goldenComments } from './golden-comments.ts'
import { own } from './own.ts'
import { plain } from './plain.ts'

export const caseFormats: readonly CaseFormat[] = [annotated, goldenComments, cleanPulls, own, plain]
