/**
 * Whether code may be sent to a model: the one place that decides it. A key in the environment is not an agreement, since
 * it may be there for another tool. Whatever opens a way to a model takes an `Agreed`, and only this file makes one.
 */
import type { ModelSettings } from '../config/settings/models.ts'

class Agreed {
  /** Who agreed, for people. */
  readonly by: string
  // No other object has it, so none passes for one that was made here.
  readonly #isMadeHere = true

  constructor(by: string) {
    this.by = by
  }

  static is(agreement: unknown): agreement is Agreed {
    return agreement instanceof Agreed && agreement.#isMadeHere
  }
}

export type { Agreed }

/** `unsaid`: neither yes nor no was said; ask if someone is there to answer. */
export type Agreement = Agreed | 'refused' | 'unsaid'

/**
 * `isAskedFor`: the operator's own command names a depth that asks models, or a model, or is a question to one. What others
 * ask for, such as people on a server, agrees to nothing.
 */
export function readAgreement({ enabled, roles }: ModelSettings, isAskedFor: boolean): Agreement {
  if (isAskedFor) return new Agreed('the command')
  if (enabled !== undefined) return enabled ? new Agreed('`models.enabled: true`') : 'refused'
  // Whoever names a model in the settings of this program wants it asked.
  return roles.reviewer === undefined ? 'unsaid' : new Agreed('a reviewer')
}

export function isAgreed(agreement: Agreement): agreement is Agreed {
  return Agreed.is(agreement)
}

/** The answer of whoever sits at the terminal; null for a no, and where there is no one. */
export async function askToSend(mayAsk: (() => Promise<boolean>) | undefined): Promise<Agreed | null> {
  return (await mayAsk?.()) ? new Agreed('the answer at the terminal') : null
}

/** For the jobs of a server: a depth with models in the operator's policy is an agreement where the settings say nothing. */
export function agreeByPolicy(models: ModelSettings, depth: string): ModelSettings {
  const isAgreed = models.enabled ?? (asksModels(depth) ? true : undefined)
  return isAgreed === undefined ? models : { ...models, enabled: isAgreed }
}

export function asksModels(depth: string | undefined): boolean {
  return depth === 'quick' || depth === 'standard' || depth === 'deep'
}

/** An embedder or a reranker: the operator's settings name it. */
export function agreeByName(service: object): Agreed {
  return new Agreed(`the settings, which name ${Reflect.get(service, 'kind')}`)
}

/** For what sends nothing of anybody: the record is read, or a question of our own words is sent. */
export const nothingIsSent = new Agreed('nothing, as no code is sent')
