/** Work that takes long enough to be noticed, as progress of the editor. */
import type { Connection } from 'vscode-languageserver'
import type { EventListener } from '../domain/events.ts'

/** Warm ones are over before. */
const noticedAfterMs = 1_000

/** `onCancel`: what somebody asked for may be cancelled there, too. */
export function showProgress(
  { window }: Pick<Connection, 'window'>,
  isShown: boolean,
  onCancel: (() => void) | null = null,
): { onEvent: EventListener; end(): void } {
  let stage = ''
  let isOver = false
  let say: ((words: string) => void) | null = null
  let done: (() => void) | null = null
  const timer = isShown ? setTimeout(() => void begin(), noticedAfterMs) : undefined

  async function begin(): Promise<void> {
    const progress = await window.createWorkDoneProgress().catch(() => null)
    if (progress === null || isOver) return
    progress.begin('Sightline', undefined, stage, ...(onCancel ? [true] : []))
    if (onCancel) progress.token.onCancellationRequested(onCancel)
    say = (words) => progress.report(words)
    done = () => progress.done()
  }

  return {
    onEvent(event) {
      if (event.type !== 'stage-start') return
      stage = event.stage
      say?.(stage)
    },
    end() {
      isOver = true
      clearTimeout(timer)
      done?.()
    },
  }
}
