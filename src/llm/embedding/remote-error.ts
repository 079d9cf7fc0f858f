/** What went wrong with an embedder or a reranker, in words that hold no key. */
import { visibleLine } from '../../base/visible-text.ts'

/**
 * `no-key`: the environment has none; `refused`: the key or the request is not accepted; `quota`: no money or none left;
 * `too-long`: more tokens than the model takes; `unreachable`: no answer, or only errors, after all tries;
 * `bad-answer`: an answer that cannot be used; `over-budget`: not asked, for want of money.
 */
export type RemoteProblem =
  | 'no-key'
  | 'refused'
  | 'quota'
  | 'too-long'
  | 'unreachable'
  | 'bad-answer'
  | 'over-budget'

const longestDetail = 240

export class RemoteError extends Error {
  override readonly name = 'RemoteError'
  readonly problem: RemoteProblem

  constructor(problem: RemoteProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

/** Foreign words cut short, made visible, and without the key, should they repeat it. */
export function safeDetail(text: string, key: string | null): string {
  const clean = key === null || key === '' ? text : text.replaceAll(key, '…')
  const line = visibleLine(clean.replace(/\s+/g, ' ').trim())
  return line.length > longestDetail ? `${line.slice(0, longestDetail)}…` : line
}
