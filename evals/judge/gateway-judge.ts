/** A judge that asks a model, with one prompt that never changes under its version. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import {
  createFence,
  type Fence,
  type ModelGateway,
  type ModelOptions,
  openModelGateway,
  Untrusted,
} from '../../src/index.ts'
import type { CaseJudgement, Judge, JudgedText } from './contract.ts'

const Answer = z.object({
  findings: z.array(z.object({ fault: z.number().int(), duplicate_of: z.number().int() })),
})

/** More than any review shows; the rest of the findings count as naming nothing. */
const mostFindings = 60
const mostTextChars = 3_000

const promptId = 'eval-judge@1'
const promptText = readFileSync(join(import.meta.dirname, 'eval-judge.v1.md'), 'utf8').trim()

/** The judge that settings and environment name, or the reviewer's model when they name none. Throws `settings-invalid`. */
export async function openJudge(models: ModelOptions): Promise<Judge | null> {
  const gateway = await openModelGateway(models)
  return gateway ? gatewayJudge(gateway) : null
}

/** Null when no model is configured as the judge. */
export function gatewayJudge(gateway: ModelGateway): Judge | null {
  const assigned = gateway.modelOf('judge')
  if (!assigned) return null
  const fence = createFence(randomBytes(8).toString('hex'))
  return {
    name: `${promptId} by ${assigned.model}`,
    async judge({ id, faults, findings }, signal) {
      const asked = findings.slice(0, mostFindings)
      const reply = await gateway.ask({
        role: 'judge',
        address: `eval/judge/${id}`,
        prompt: promptId,
        instructions: [{ text: promptText }, { text: fence.rule, stable: true }],
        turns: [
          {
            from: 'user',
            parts: [
              { text: describe('Known fault', faults, fence) },
              { text: describe('Finding', asked, fence) },
            ],
          },
        ],
        answer: {
          name: 'judgement',
          schema: Answer,
          check: (answer) => problemsOf(answer, faults.length, asked.length),
        },
        maxOutputTokens: 200 + asked.length * 40,
        effort: 'low',
        signal,
      })
      return reply.outcome === 'answered' ? judgementOf(reply.value, findings.length) : null
    },
  }
}

function describe(what: string, texts: readonly JudgedText[], fence: Fence): string {
  if (texts.length === 0) return `There is no ${what.toLowerCase()}.`
  return texts
    .map(({ file, startLine, endLine, text }, at) => {
      const lines = startLine === null ? '' : `, lines ${startLine} to ${endLine ?? startLine}`
      const origin = file === null ? 'no file named' : `${file}${lines}`
      return `${what} ${at}:\n${fence.render(new Untrusted(origin, text.slice(0, mostTextChars)))}`
    })
    .join('\n\n')
}

function problemsOf({ findings }: z.infer<typeof Answer>, faults: number, asked: number): string[] {
  if (findings.length !== asked) return [`there are ${asked} findings, and the answer has ${findings.length}`]
  return findings.flatMap(({ fault, duplicate_of }, at) => [
    ...(fault < -1 || fault >= faults ? [`finding ${at}: there is no fault ${fault}`] : []),
    ...(duplicate_of < -1 || duplicate_of >= at
      ? [`finding ${at}: ${duplicate_of} is not an earlier finding`]
      : []),
  ])
}

function judgementOf({ findings }: z.infer<typeof Answer>, all: number): CaseJudgement {
  const orNull = (index: number) => (index < 0 ? null : index)
  const said = findings.map(({ fault, duplicate_of }) => ({
    fault: orNull(fault),
    duplicateOf: orNull(duplicate_of),
  }))
  const unsaid = Array.from({ length: all - said.length }, () => ({ fault: null, duplicateOf: null }))
  return { findings: [...said, ...unsaid] }
}
