/** `npm run evals`, as a process. */
import { runEvaluation } from './run-evaluation.ts'

const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort(new Error('interrupted')))

process.exitCode = await runEvaluation(process.argv.slice(2), {
  result: (text) => void process.stdout.write(text),
  note: (line) => void process.stderr.write(`${line}\n`),
  signal: interrupted.signal,
})
