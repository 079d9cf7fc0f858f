/** Which faults are planted. */
import type { Operator } from './contract.ts'
import { copiedFunction } from './operators/copied-function.ts'
import { debugLeft } from './operators/debug-left.ts'
import { dropGuard } from './operators/drop-guard.ts'
import { dropNullCheck } from './operators/drop-null-check.ts'
import { hardCodedSecret } from './operators/hard-coded-secret.ts'
import { hiddenCharacters } from './operators/hidden-characters.ts'
import { missingAwait } from './operators/missing-await.ts'
import { negatedCondition } from './operators/negated-condition.ts'
import { offByOne } from './operators/off-by-one.ts'
import { removedAssertion } from './operators/removed-assertion.ts'
import { removedTest } from './operators/removed-test.ts'
import { renamedExport } from './operators/renamed-export.ts'
import { skippedTest } from './operators/skipped-test.ts'
import { staleCaller } from './operators/stale-caller.ts'
import { swallowedError } from './operators/swallowed-error.ts'
import { swapArguments } from './operators/swap-arguments.ts'
import { tamperedInstructions } from './operators/tampered-instructions.ts'
import { wrongConstant } from './operators/wrong-constant.ts'
import { wrongOperator } from './operators/wrong-operator.ts'
import { wrongVariable } from './operators/wrong-variable.ts'

export const operators: readonly Operator[] = [
  copiedFunction,
  debugLeft,
  dropGuard,
  dropNullCheck,
  hardCodedSecret,
  hiddenCharacters,
  missingAwait,
  negatedCondition,
  offByOne,
  removedAssertion,
  removedTest,
  renamedExport,
  skippedTest,
  staleCaller,
  swallowedError,
  swapArguments,
  tamperedInstructions,
  wrongConstant,
  wrongOperator,
  wrongVariable,
]
