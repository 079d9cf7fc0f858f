/** I6: no step is paid twice, nothing goes beyond its cap, and the run ends. */
import { textOf } from '../../../src/agent/answer.ts'
import type { Judge } from './contract.ts'

const most = {
  callsForOneAddress: 2,
  calls: 120,
  toolCalls: 40,
  bytes: 61_440,
  toolCallsInOneTurn: 8,
  milliseconds: 60_000,
}

export const judgeEffects: Judge = ({
  exchanges,
  events,
  toolCalls,
  depth,
  budgetUsd,
  processorMs,
  refused,
  config,
}) => {
  const found: string[] = []
  const bodies = Map.groupBy(exchanges, ({ call }) => call.request.text)
  for (const same of bodies.values())
    if (same.length > 1) found.push(`one request was sent ${same.length} times`)
  const addresses = Map.groupBy(
    events.flatMap((event) => (event.type === 'model-call' ? [event.call] : [])),
    ({ address }) => address,
  )
  for (const [address, calls] of addresses)
    if (calls.length > most.callsForOneAddress) found.push(`${address} was asked ${calls.length} times`)
  if (exchanges.length > most.calls) found.push(`${exchanges.length} calls`)
  const turns = [...addresses.keys()].filter((address) => address.startsWith('explore/')).length
  if (turns > 8) found.push(`${turns} turns of the loop`)
  const followUps = [...addresses.keys()].filter((address) => address.includes('follow-up')).length
  const asked = addresses.size - followUps
  if (followUps > asked * config.review.followUps)
    found.push(`${followUps} follow-ups for ${asked} questions`)

  const spent = exchanges.reduce((sum, one) => sum + priceOf(one), 0)
  if (spent > budgetUsd + 1e-9) found.push(`$${spent} were spent of $${budgetUsd}`)
  const bytes = toolCalls.reduce((sum, { answer }) => sum + Buffer.byteLength(textOf(answer)), 0)
  const keys = toolCalls.map(({ call }) => JSON.stringify([call.tool, sorted(call.args)]))
  if (toolCalls.length > most.toolCalls) found.push(`${toolCalls.length} calls of tools`)
  // Two readers who know nothing of each other may ask for the same.
  const readers = depth === 'deep' ? 2 : 1
  for (const same of Map.groupBy(keys, (key) => key).values())
    if (same.length > readers) found.push(`a tool was asked the same ${same.length} times`)
  for (const event of events)
    if (
      event.type === 'explore-iteration' &&
      event.number > 0 &&
      event.calls.length > most.toolCallsInOneTurn
    )
      found.push(`${event.calls.length} calls of tools in one turn`)
  const shown = events.reduce(
    (sum, event) =>
      event.type === 'explore-iteration' && event.number > 0
        ? sum + event.calls.reduce((all, one) => all + one.bytes, 0)
        : sum,
    0,
  )
  if (shown > most.bytes) found.push(`${shown} of ${bytes} bytes of evidence were shown`)
  if (processorMs > most.milliseconds) found.push(`it took ${Math.round(processorMs)} ms of the processor`)
  for (const why of refused) found.push(`the provider refused a request: ${why.slice(0, 120)}`)
  return found
}

/** By the list price, counted from what went over the wire and from nobody's account of it. */
function priceOf({ call: { usage }, outputTokens }: Parameters<Judge>[0]['exchanges'][number]): number {
  const plain = usage.input - usage.cacheRead - usage.cacheWrite
  return (plain * 3 + usage.cacheRead * 0.3 + usage.cacheWrite * 3.75 + outputTokens * 15) / 1e6
}

function sorted(args: object): [string, unknown][] {
  return Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1))
}
