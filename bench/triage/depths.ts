/**
 * What depth deep asks on small changes, beside depth standard.
 *
 *   node bench/triage/depths.ts --mirrors FOLDER [--cache FOLDER] [--only TEXT]… CASES.jsonl…
 *
 * Plans the questions about the changes of evaluation cases (those whose id contains one of the texts), from one bundle for
 * all: the one question of standard, six separate planes, and the questions of deep after triage and without idle planes,
 * the second of them with a first reading that found nothing (each finding adds a line to it). No model is asked; the
 * scout's turns and the checks of findings, which both depths have alike, are not in it. `new` are bytes of parts that no
 * earlier question begins with; `priced` counts a byte that a provider reads from its cache as a tenth, and one that it
 * writes there as 1.25, as Anthropic does.
 */
import { parseArgs } from 'node:util'
import { showContext } from '../../src/assembly/show-context.ts'
import { createFence } from '../../src/base/untrusted/untrusted.ts'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { Config } from '../../src/config/schema.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import type { Question } from '../../src/llm/contract.ts'
import { listModelPlanes } from '../../src/pipeline/reviewer/panel/model-planes.ts'
import {
  deepPanel,
  onePanel,
  type Panel,
  withoutIdlePlanes,
} from '../../src/pipeline/reviewer/panel/panels.ts'
import { selectFiles } from '../../src/pipeline/reviewer/plan-questions.ts'
import { triageFiles } from '../../src/pipeline/triage/triage-files.ts'
import { scriptedGateway } from '../../test/helpers/scripted-gateway.ts'
import { type ContextCase, readCases } from '../context/cases.ts'
import { planReview } from '../context/plan-review.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mirrors: { type: 'string' },
    cache: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
  },
})
if (!values.mirrors || positionals.length === 0) throw new Error('see the head of this file for its options')

const config = Config.parse({ review: { depth: 'deep' }, context: { graphSeconds: 60, historySeconds: 60 } })
const planes = listModelPlanes().filter(({ byDefault }) => byDefault)
const cacheFolder = values.cache ?? null
const facts = createFactStore({ cacheFolder })
const { signal } = new AbortController()
try {
  for (const one of readCases(positionals, values.mirrors))
    if (values.only.length === 0 || values.only.some((text) => one.id.includes(text))) await measure(one)
} finally {
  await facts.close()
}

async function measure({ id, folder, base, head }: ContextCase & { folder: string }): Promise<void> {
  const selector = { kind: 'range', range: `${base}..${head}` } as const
  const change = await collectLocal({ folder, selector, limits: config.limits })
  try {
    const { context } = await showContext({ change, config, facts, signal })
    const { panel } = withoutIdlePlanes(deepPanel(planes), context, { candidates: [], leaveOut: [] })
    const triage = await triageFiles({
      gateway: scriptedGateway(() => ({})),
      fence: createFence('0123456789abcdef'),
      onEvent: () => {},
      signal,
      files: selectFiles(context.change, config),
      categories: new Set(panel.planes.flatMap(({ categories }) => categories)),
      candidates: [],
      scout: false,
      change: '',
    })
    const plan = async (name: string, panels: readonly Panel[], of: typeof triage | null): Promise<void> => {
      const parts = { triage: of, context, head: change.head, facts, config, signal }
      const questions = []
      for (const asked of panels) questions.push(...(await planReview({ panel: asked, ...parts })))
      const { bytes, fresh, priced } = sizeOf(questions)
      const topics = questions.map(({ address }) => address.split('/').at(-1)).join(' ')
      console.log(
        `${id} ${name}: ${questions.length} questions, ${bytes} bytes, ${fresh} new, ${priced} priced (${topics})`,
      )
    }
    await plan('standard', [onePanel('standard')], null)
    const alone = planes.map((plane) => deepPanel([plane]))
    await plan('six planes', alone, null)
    await plan('deep', [panel], triage)
  } finally {
    await change.close()
  }
}

function sizeOf(questions: readonly Pick<Question<unknown>, 'instructions' | 'turns'>[]): {
  bytes: number
  fresh: number
  priced: number
} {
  const known = new Set<string>()
  let [bytes, fresh, priced] = [0, 0, 0]
  for (const { instructions, turns } of questions) {
    let prefix = ''
    for (const { text, stable = false } of [...instructions, ...turns.flatMap(({ parts }) => parts)]) {
      prefix += text
      const size = Buffer.byteLength(text)
      bytes += size
      fresh += known.has(prefix) ? 0 : size
      priced += size * (known.has(prefix) ? 0.1 : stable ? 1.25 : 1)
      if (stable) known.add(prefix)
    }
  }
  return { bytes, fresh, priced: Math.round(priced) }
}
