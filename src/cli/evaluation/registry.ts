/** Which words may follow `sightline eval`. */
import { ablateParts } from './ablate-parts.ts'
import { compareEvaluations, gateEvaluation } from './compare-evaluations.ts'
import type { EvalVerb } from './contract.ts'
import { judgeEvaluation } from './judge-evaluation.ts'
import { mineCases } from './mine-cases.ts'
import { runEvaluation } from './run-evaluation.ts'
import { retrieveEvaluation } from './run-retrieval.ts'
import { scoreEvaluation } from './score-evaluation.ts'

export const evalVerbs = {
  run: runEvaluation,
  score: scoreEvaluation,
  compare: compareEvaluations,
  gate: gateEvaluation,
  judge: judgeEvaluation,
  ablate: ablateParts,
  retrieval: retrieveEvaluation,
  mine: mineCases,
} satisfies Record<string, EvalVerb>
