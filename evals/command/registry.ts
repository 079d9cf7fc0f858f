/** Which commands there are, in the order help lists them. */
import { ablateCommand } from './ablate.ts'
import { claimsCommand } from './claims.ts'
import { compareCommand, gateCommand } from './compare.ts'
import type { EvaluationCommand } from './contract.ts'
import { deskCommand } from './desk.ts'
import { fitCommand } from './fit.ts'
import { judgeCommand } from './judge.ts'
import { judgeTestCommand } from './judge-test.ts'
import { mineCommand } from './mine.ts'
import { retrievalCommand } from './retrieval.ts'
import { runCommand } from './run.ts'
import { scoreCommand } from './score.ts'

export const commands: ReadonlyMap<string, EvaluationCommand> = new Map([
  ['run', runCommand],
  ['score', scoreCommand],
  ['compare', compareCommand],
  ['gate', gateCommand],
  ['judge', judgeCommand],
  ['desk', deskCommand],
  ['judge-test', judgeTestCommand],
  ['claims', claimsCommand],
  ['fit', fitCommand],
  ['ablate', ablateCommand],
  ['retrieval', retrievalCommand],
  ['mine', mineCommand],
])
