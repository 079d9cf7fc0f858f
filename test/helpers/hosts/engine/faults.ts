/** What a test makes go wrong at chosen requests to a fake host. */

export type Fault =
  /** The connection ends before the host has done anything. */
  | { kind: 'drop-before' }
  /** The host does it, and the connection ends before the answer. */
  | { kind: 'drop-after' }
  /** The host answers so and does nothing. */
  | { kind: 'fail-before'; status: number }
  /** The host does it, and answers so all the same. */
  | { kind: 'fail-after'; status: number }
  | { kind: 'delay'; ms: number }
  /** Something happens elsewhere first: a push, an edit by a person, or what the answer waits for. */
  | { kind: 'run'; action: () => unknown }

type Planned = { fault: Fault; left: number; when: (request: FaultRequest) => boolean }

export type FaultRequest = { method: string; path: string; isWrite: boolean }

export class Faults {
  private planned: Planned[] = []

  /** At the nth request from now, counted from 1, among those for which `when` is true (all when not given). */
  at(nth: number, fault: Fault, when: (request: FaultRequest) => boolean = () => true): void {
    this.planned.push({ fault, left: nth, when })
  }

  clear(): void {
    this.planned = []
  }

  /** Those that this request meets. */
  take(request: FaultRequest): Fault[] {
    const met: Fault[] = []
    for (const one of this.planned) {
      if (!one.when(request)) continue
      one.left -= 1
      if (one.left === 0) met.push(one.fault)
    }
    this.planned = this.planned.filter(({ left }) => left > 0)
    return met
  }
}
