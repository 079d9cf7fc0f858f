/** What shows progress is: it hears events while a review runs, and leaves a clean line behind. */
import type { EventListener } from '../../index.ts'

export interface ProgressView {
  readonly onEvent: EventListener
  /** Makes room for a question, and keeps still until the returned function is called. */
  pause(): () => void
  /** Takes away what is drawn. Called exactly once, also after a failure; nothing is shown after it. */
  end(): void
}
