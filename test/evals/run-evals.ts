/** Runs `npm run evals` without npm, in a process of its own. */
import { join } from 'node:path'
import { type CliOptions, type CliResult, root, run } from '../helpers/sightline.ts'

const main = join(root, 'evals/command/main.ts')

export function evals(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return run(process.execPath, [main, ...args], options)
}
