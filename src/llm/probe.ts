/** One tiny call to the model of each role, to see whether it answers, and what to do when it does not. */

import { z } from 'zod'
import { remembered } from '../base/remembered.ts'
import type { JournalNote } from '../domain/journal.ts'
import { nothingIsSent } from './agreement.ts'
import type { AskedRole, Question } from './contract.ts'
import { createGateway, type GatewayOptions } from './gateway.ts'
import { noJournal } from './metered-fetch.ts'
import { askedRoles } from './routes/setup.ts'
import type { FaultKind } from './wire/fault.ts'

export type Probe = {
  role: AskedRole
  /** `provider/model` that was asked first. */
  model: string
  ok: boolean
  /** What it took, or what is wrong, in words without secrets. */
  detail: string
  /** Null when all is well. */
  wayOut: string | null
}

const Answer = z.object({ ready: z.boolean() })
/** Models that think need room for it. */
const maxOutputTokens = 1_500
const probeBudgetUsd = 0.25

const waysOut: Readonly<Record<FaultKind, string>> = {
  'no-key': 'Set this variable, or name another one in `keyFrom` in your settings.',
  'key-refused': 'Check that the key is complete, not expired, and valid for this provider and region.',
  quota: 'The account is out of credit. Add credit at the provider, or configure another model.',
  'rate-limit': 'Wait a moment, or ask the provider for higher limits.',
  overloaded: 'The provider is overloaded. Try again later, or configure a fallback model.',
  'server-error': 'The provider reports a server error. Try again later, or configure a fallback model.',
  'unknown-model': 'Check the name of the model, and that your account may use it.',
  'too-long': 'The context window of the model is too small for reviews. Configure another model.',
  'schema-refused': 'Set `structuredOutput: prompt` for this provider in the settings.',
  'request-refused': 'The message of the provider is above. `baseUrl` or `kind` may be wrong.',
  network: 'Check the network and `baseUrl`. For a local model, check that its server is running.',
  stalled: 'The model may still be loading. Try again, or raise `firstWordSeconds` in your settings.',
  cut: 'A proxy may cut off long answers. Try without it.',
  'bad-answer': 'Another service answers at this address. Check `baseUrl` and `kind`.',
  'over-budget': 'Add a price for the model to your settings, or allow unknown prices.',
}

/** Rejects with the signal's reason after an abort. Roles without a model are left out. */
export async function probeRoles(
  options: Omit<GatewayOptions, 'journal' | 'budget' | 'onEvent' | 'agreed'>,
  signal: AbortSignal,
): Promise<Probe[]> {
  const notes: JournalNote[] = []
  const gateway = await createGateway({
    ...options,
    agreed: nothingIsSent,
    journal: { ...noJournal, note: (note) => void notes.push(note) },
    budget: probeBudgetUsd,
    patienceMs: options.patienceMs ?? 5_000,
  })
  const asked = new Map<string, Promise<Omit<Probe, 'role'>>>()
  const probes: Promise<Probe>[] = []
  for (const role of askedRoles) {
    const model = gateway.modelOf(role)?.model
    if (model === undefined) continue
    const probe = remembered(asked, model, () => askOne(role, model))
    probes.push(probe.then((found) => ({ role, ...found })))
  }
  return await Promise.all(probes)

  async function askOne(role: AskedRole, model: string): Promise<Omit<Probe, 'role'>> {
    const reply = await gateway.ask(questionFor(role, signal))
    const gaveUp = notes.find(({ type, detail }) => type === 'gave-up' && detail.model === model)
    if (reply.outcome === 'answered' && !gaveUp) {
      const took = reply.calls.reduce((sum, { durationMs }) => sum + durationMs, 0)
      const repair = reply.calls.length > 1 ? ' on the second attempt' : ''
      return { model, ok: true, detail: `answered in ${(took / 1000).toFixed(1)} s${repair}`, wayOut: null }
    }
    if (gaveUp) {
      const way = waysOut[gaveUp.detail.kind as FaultKind]
      return { model, ok: false, detail: String(gaveUp.detail.reason), wayOut: way }
    }
    const reason = reply.outcome === 'answered' ? '' : reply.reason
    const wayOut = 'The model does not follow the required format reliably. Configure a more capable one.'
    return { model, ok: false, detail: reason, wayOut }
  }
}

function questionFor(role: AskedRole, signal: AbortSignal): Question<z.infer<typeof Answer>> {
  return {
    role,
    address: `doctor/${role}`,
    prompt: 'doctor@1',
    instructions: [{ text: 'This is a test of the connection. Answer that you are ready.' }],
    turns: [{ from: 'user', parts: [{ text: 'Are you ready?' }] }],
    answer: { name: 'state', schema: Answer },
    maxOutputTokens,
    effort: 'none',
    signal,
  }
}
