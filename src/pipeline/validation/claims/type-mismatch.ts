/** `type-mismatch`: only the checker that said so can say it again, and none is at hand here. */
import { type Refuter, refuted, unverifiable } from './contract.ts'

export const checkTypeMismatch: Refuter<'type-mismatch'> = async ({ path, line, checker }, { sources }) =>
  (await sources.lines('new', path))?.[line - 1] === undefined
    ? refuted(`\`${path}\` has no line ${line} after the change`)
    : unverifiable(`It rests on \`${checker}\` alone`)
