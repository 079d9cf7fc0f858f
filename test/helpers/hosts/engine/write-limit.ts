/** A limit that a fake host sets for everything that writes, and who keeps writing though they were told to wait. */
import type { ApiRequest } from './server.ts'
import type { World } from './world.ts'

export class WriteLimit {
  private readonly world: World
  private readonly violations: string[]
  private readonly leastWaitMs: number
  private until = 0
  /** When a credential was told to wait last. */
  private readonly told = new Map<string, number>()

  /** `leastWaitMs`: after which a credential that was told to wait may try again, where no header says how long. */
  constructor(world: World, violations: string[], leastWaitMs = Number.POSITIVE_INFINITY) {
    this.world = world
    this.violations = violations
    this.leastWaitMs = leastWaitMs
  }

  begin(seconds: number): void {
    this.until = this.world.now() + seconds * 1000
    this.told.clear()
  }

  /** Seconds that this write has to wait; 0 when it may go. */
  refuse({ headers, path }: ApiRequest): number {
    const now = this.world.now()
    const left = Math.ceil((this.until - now) / 1000)
    if (left <= 0) return 0
    const sender = headers.authorization ?? ''
    const last = this.told.get(sender) ?? Number.NEGATIVE_INFINITY
    if (now - last < this.leastWaitMs) this.violations.push(`A write during a rate limit: ${path}`)
    this.told.set(sender, now)
    return left
  }
}
