/**
 * Counts what a piece of work does, in steps that are the same on every machine: how often each block of our code ran, and
 * how much the built-in functions that walk a text or an array had to walk. To be loaded before the code that is counted.
 */
import { Session } from 'node:inspector/promises'
import { pathToFileURL } from 'node:url'

export type CountedWork = {
  steps: number
  /** The places that took the most, for people. */
  most: { place: string; steps: number }[]
}

let walked = 0
const walkedAt = new Map<string, number>()
let isExplained = false

export type Counter = { count(work: () => Promise<void>): Promise<CountedWork> }

/** `explained`: also by the places that call built-in functions, which takes much longer. */
export async function openCounter(source: string, { explained = false } = {}): Promise<Counter> {
  isExplained = explained
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  countBuiltIns()
  const prefix = pathToFileURL(source).href
  return {
    async count(work) {
      await session.post('Profiler.takePreciseCoverage')
      walked = 0
      walkedAt.clear()
      await work()
      const walkedNow = walked
      const { result } = await session.post('Profiler.takePreciseCoverage')
      const places: { place: string; steps: number }[] = []
      for (const { url, functions } of result)
        if (url.startsWith(prefix))
          for (const { functionName, ranges } of functions) {
            const steps = ranges.reduce((sum, { count }) => sum + count, 0)
            if (steps > 0) places.push({ place: `${url.slice(prefix.length)} ${functionName}`, steps })
          }
      const ours = places.reduce((sum, { steps }) => sum + steps, 0)
      places.push({ place: 'built-in functions', steps: walkedNow })
      for (const [place, steps] of walkedAt) places.push({ place: `  in ${place}`, steps })
      const most = places.sort((a, b) => b.steps - a.steps).slice(0, 12)
      return { steps: ours + walkedNow, most }
    },
  }
}

type Method = (this: unknown, ...values: unknown[]) => unknown

/** `cost` of a call by its receiver and its result. */
function wrap(
  prototype: object,
  name: string,
  cost: (self: never, result: never, second: never) => number,
): void {
  const original = Reflect.get(prototype, name) as Method
  const counted: Method = function (...values) {
    const result = Reflect.apply(original, this, values)
    const steps = cost(this as never, result as never, values[1] as never)
    walked += steps
    if (isExplained && steps > 20) {
      const place = `${name} ${new Error().stack?.split('\n')[2]?.trim()}`
      walkedAt.set(place, (walkedAt.get(place) ?? 0) + steps)
    }
    return result
  }
  Object.defineProperty(prototype, name, { value: counted, writable: true, configurable: true })
}

function countBuiltIns(): void {
  const found = (self: { length: number }, at: number, from = 0) => (at < 0 ? self.length : at) - from
  wrap(Array.prototype, 'includes', (self: unknown[]) => self.length)
  wrap(Array.prototype, 'indexOf', found)
  wrap(Array.prototype, 'lastIndexOf', (self: unknown[]) => self.length)
  for (const name of ['slice', 'concat', 'toSorted', 'toReversed', 'splice'])
    wrap(Array.prototype, name, (_: unknown[], result: unknown[]) => result.length)
  wrap(Array.prototype, 'shift', (self: unknown[]) => self.length / 100)
  wrap(Array.prototype, 'join', (self: unknown[]) => self.length)
  wrap(String.prototype, 'indexOf', (self: string, at: number, from?: number) => found(self, at, from) / 16)
  wrap(String.prototype, 'includes', (self: string) => self.length / 16)
  wrap(String.prototype, 'split', (_: string, parts: string[]) => parts.length)
  wrap(String.prototype, 'replaceAll', (self: string) => self.length / 16)
}
