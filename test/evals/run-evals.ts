/** `npm run evals` inside the test's process, where modules and parsers are warm. */
import { runEvaluation } from '../../evals/command/run-evaluation.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'
import type { CliResult } from '../helpers/sightline.ts'

/** `env`: what evaluations find in the environment of their process meanwhile. */
export async function evals(
  args: readonly string[],
  { env = {} }: { env?: Record<string, string> } = {},
): Promise<CliResult> {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, env)
  const said = { stdout: '', stderr: '' }
  try {
    const code = await runEvaluation(args, {
      result: (text) => {
        said.stdout += text
      },
      note: (line) => {
        said.stderr += `${line}\n`
      },
      signal: new AbortController().signal,
      facts: sharedFacts(),
    })
    return { code, ...said }
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  }
}
