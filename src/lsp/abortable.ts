/** The cancellation of the protocol as a signal. */
import type { CancellationToken } from 'vscode-languageserver'

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
