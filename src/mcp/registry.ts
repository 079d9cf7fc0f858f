/** Which tools agents are offered. */
import type { AgentTool } from './contract.ts'
import { ask } from './tools/ask.ts'
import { checkNewCode } from './tools/check-new-code.ts'
import { codeQuestions } from './tools/code-questions.ts'
import { contextOfChange } from './tools/context-of-change.ts'
import { explainFinding } from './tools/explain-finding.ts'
import { getFinding } from './tools/get-finding.ts'
import { reviewChange } from './tools/review-change.ts'

/** In the order in which they are listed. */
export const agentTools: readonly AgentTool[] = [
  reviewChange,
  checkNewCode,
  getFinding,
  explainFinding,
  ask,
  ...codeQuestions,
  contextOfChange,
]
