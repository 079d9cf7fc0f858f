/**
 * Who may use the processors now. Reviews mostly wait for models, so many go on side by side; but what they do before that
 * has budgets of seconds, and would be cut short if all did it at once.
 */
export class Turns {
  private free: number
  private readonly waiting: (() => void)[] = []

  /** At most `width` at a time. */
  constructor(width: number) {
    this.free = width
  }

  /** In the order of the calls. Returns what ends the turn, which may be called again; throws as the signal says. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (this.free > 0) this.free--
    else await this.queue(signal)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const next = this.waiting.shift()
      if (next) next()
      else this.free++
    }
  }

  private queue(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        const at = this.waiting.indexOf(begin)
        if (at >= 0) this.waiting.splice(at, 1)
        reject(signal.reason)
      }
      this.waiting.push(begin)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
}
