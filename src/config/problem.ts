/** What is wrong in a configuration file, where, and the error that carries all of it at once. */
import { UserError } from '../base/errors.ts'

export type ConfigProblem = {
  file: string
  /** 1-based. */
  line: number
  column: number
  /** What is wrong and what would be right, in one sentence. */
  message: string
}

/** `.sightline.yaml:3:11 review.failOn: …`, as editors and terminals make it a link. */
export function formatProblem({ file, line, column, message }: ConfigProblem): string {
  return `${file}:${line}:${column} ${message}`
}

export class ConfigError extends UserError {
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[]) {
    super('config-invalid', problems.map(formatProblem).join('\n'))
    this.problems = problems
  }
}
