import { expect, onTestFinished, test, vi } from 'vitest'
import { OutOfTime, withinSeconds } from '../../src/base/time-budget.ts'

const never = new AbortController().signal

test('work that ends in time is its own result, or its own failure', async () => {
  expect(await withinSeconds(10, never, async () => 7)).toBe(7)
  await expect(withinSeconds(10, never, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})

test('work that does not end is told to stop, and left behind', async () => {
  let told = false
  const endless = withinSeconds(0.02, never, (signal) => {
    signal.addEventListener('abort', () => {
      told = true
    })
    return new Promise(() => {})
  })
  await expect(endless).rejects.toBeInstanceOf(OutOfTime)
  expect(told).toBe(true)
})

test('work that ended early leaves no timer', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const during = await withinSeconds(10, never, async () => vi.getTimerCount())
  expect([during, vi.getTimerCount()]).toEqual([1, 0])
})

test('an abort from outside is not taken for the end of the time', async () => {
  const controller = new AbortController()
  const endless = withinSeconds(10, controller.signal, () => new Promise(() => {}))
  controller.abort(new Error('interrupted'))
  await expect(endless).rejects.toThrow('interrupted')
})
