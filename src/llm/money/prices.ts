/** What tokens cost: the operator's own prices first, then the table of genai-prices. Unknown is null, never nothing. */
import { calcPrice } from '@pydantic/genai-prices'
import type { ModelPrice, ModelSettings } from '../../config/settings/models.ts'
import type { TokenUsage } from '../../domain/model-call.ts'

/** Of what was written to the cache, some may be kept for an hour, which costs more. */
export type PricedUsage = Pick<TokenUsage, 'input' | 'cacheRead' | 'cacheWrite' | 'output'> & {
  cacheWriteHour?: number
}

export type Price = {
  usd: number
  /** The entry that was taken: the table matches by the beginning of a name, so it may be another model. */
  pricedAs: string
}

export type PricedModel = {
  /** `provider/model`. */
  name: string
  model: string
  /** How the table names the provider; null when it has no prices for it. */
  table: string | null
}

export interface PriceBook {
  /** `now` decides between prices with a date. Null when the price is not known. */
  price(model: PricedModel, usage: PricedUsage, now: Date): Price | null
  /** US dollars for a million tokens; null where not known. Of tiers the lowest. */
  rates(model: PricedModel, now: Date): { input: number; output: number; pricedAs: string } | null
  /** Tokens; null when not known. */
  contextWindow(model: PricedModel): { tokens: number; from: 'settings' | 'table' } | null
}

export function openPriceBook({
  prices,
  contextWindows,
}: Pick<ModelSettings, 'prices' | 'contextWindows'>): PriceBook {
  const price: PriceBook['price'] = (model, usage, now) => {
    const own = prices[model.name]
    if (own) return { usd: byOwnPrice(own, usage), pricedAs: `${model.name} (settings)` }
    const found = lookUp(model, usage, now)
    return found && { usd: found.total_price, pricedAs: found.model.id }
  }
  return {
    price,
    rates(model, now) {
      // A thousand tokens stay below all tiers.
      const none = { cacheRead: 0, cacheWrite: 0 }
      const input = price(model, { ...none, input: 1000, output: 0 }, now)
      const output = price(model, { ...none, input: 0, output: 1000 }, now)
      if (!input || !output) return null
      return { input: input.usd * 1000, output: output.usd * 1000, pricedAs: input.pricedAs }
    },
    contextWindow(model) {
      const own = contextWindows[model.name]
      if (own !== undefined) return { tokens: own, from: 'settings' }
      const usage = { input: 1, output: 0, cacheRead: 0, cacheWrite: 0 }
      const tokens = lookUp(model, usage, new Date(0))?.model.context_window
      return tokens === undefined ? null : { tokens, from: 'table' }
    },
  }
}

function lookUp({ model, table }: PricedModel, usage: PricedUsage, timestamp: Date) {
  if (table === null) return null
  try {
    return calcPrice(
      {
        input_tokens: usage.input,
        cache_read_tokens: usage.cacheRead,
        cache_write_tokens: usage.cacheWrite,
        ...(usage.cacheWriteHour ? { cache_write_1h_tokens: usage.cacheWriteHour } : {}),
        output_tokens: usage.output,
      },
      model,
      { providerId: table, timestamp },
    )
  } catch {
    // The table throws for usage it finds impossible; a price that cannot be computed is not known.
    return null
  }
}

function byOwnPrice(price: ModelPrice, { input, cacheRead, cacheWrite, output }: PricedUsage): number {
  const fresh = Math.max(0, input - cacheRead - cacheWrite)
  const sum =
    fresh * price.input +
    cacheRead * (price.cacheRead ?? price.input) +
    cacheWrite * (price.cacheWrite ?? price.input) +
    output * price.output
  return sum / 1e6 + (price.call ?? 0)
}
