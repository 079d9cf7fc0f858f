/** The cancellation of the protocol as a signal. */
import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver'
import { UserError } from '../base/errors.ts'

/** Aborted with `signal`, by the editor, or by `end`. */
export function abortable(
  signal: AbortSignal,
  token: CancellationToken,
): { signal: AbortSignal; end(): void } {
  const own = new AbortController()
  const end = () => own.abort()
  token.onCancellationRequested(end)
  return { signal: AbortSignal.any([signal, own.signal]), end }
}

/** Null for what cannot be collected, of which the review says why. Throws `ResponseError` once the signal is aborted. */
export async function unlessAborted<Answer>(
  signal: AbortSignal,
  work: Promise<Answer>,
): Promise<Answer | null> {
  try {
    return await work
  } catch (error) {
    if (signal.aborted) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'It was cancelled.')
    if (error instanceof UserError) return null
    throw error
  }
}
