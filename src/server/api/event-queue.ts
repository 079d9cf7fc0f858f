/** Turns what is reported by calls into a stream that somebody reads when they can. */
export class EventQueue<Event> implements AsyncIterable<Event> {
  private readonly waiting: Event[] = []
  private readonly stop = new AbortController()
  private wake: () => void = () => {}
  private isOver = false

  /** Aborted when nobody reads any more. */
  get signal(): AbortSignal {
    return this.stop.signal
  }

  push(event: Event): void {
    this.waiting.push(event)
    this.wake()
  }

  /** What was pushed is still read. */
  end(): void {
    this.isOver = true
    this.wake()
  }

  [Symbol.asyncIterator](): AsyncIterator<Event> {
    return {
      next: async () => {
        for (;;) {
          const event = this.waiting.shift()
          if (event !== undefined) return { value: event, done: false }
          if (this.isOver) return { value: undefined, done: true }
          await new Promise<void>((resolve) => {
            this.wake = resolve
          })
        }
      },
      return: async () => {
        this.stop.abort()
        this.end()
        return { value: undefined, done: true }
      },
    }
  }
}
