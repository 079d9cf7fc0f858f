/** The latest result of a computation whose input keeps changing. */
import { expect, test } from 'vitest'
import { Latest } from '../../src/lsp/latest.ts'

test('each change begins at once, and only the last one is gone on with when it is quiet', async () => {
  const begun: number[] = []
  const finished: number[] = []
  const told: (number | null)[] = []
  const latest = new Latest<number>({
    async compute(signal, quiet) {
      const number = begun.length
      begun.push(number)
      await quiet
      signal.throwIfAborted()
      finished.push(number)
      return number
    },
    onResult: (result) => void told.push(result),
  })
  for (let change = 0; change < 3; change++) {
    latest.renew()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await latest.settled()).toBe(2)
  expect([begun, finished, told]).toEqual([[0, 1, 2], [2], [2]])
})

test('what fails while something changes is not reported, and what fails then is', async () => {
  const failures: unknown[] = []
  const latest = new Latest<number>({
    compute: () => Promise.reject(new Error(`failure ${failures.length}`)),
    onResult: (_, error) => void failures.push(error),
  })
  latest.renew()
  await new Promise((resolve) => setImmediate(resolve))
  latest.renew()
  expect(await latest.settled()).toBeNull()
  expect(failures).toEqual([new Error('failure 0')])
})
