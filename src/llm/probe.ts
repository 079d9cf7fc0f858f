/** One tiny call to the model of each role, to see whether it answers, and what to do when it does not. */
import { z } from 'zod'
import type { JournalNote } from '../domain/journal.ts'
import type { AskedRole, Question } from './contract.ts'
import { createGateway, type GatewayOptions } from './gateway.ts'
import { noJournal } from './no-journal.ts'
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
  'no-key': 'Set the variable, or name another one in `keyFrom` of the settings.',
  'key-refused': 'Check the key: is it whole, not expired, and of this very provider and region?',
  quota: 'The account has no money left; add some at the provider, or name another model.',
  'rate-limit': 'Wait a little, or ask the provider for higher limits.',
  overloaded: 'The provider is busy; try again later, or add a second model to the route.',
  'server-error': 'The provider has trouble; try again later, or add a second model to the route.',
  'unknown-model': 'Check the model’s name, and that the account may use it.',
  'too-long': 'The model takes too little text for reviews; name another one.',
  'schema-refused': 'Set `structuredOutput: prompt` for this provider in the settings.',
  'request-refused': 'The provider says above what it refuses; `baseUrl` or `kind` may not fit.',
  network: 'Check the network and `baseUrl`; for a local model, that its server is running.',
  stalled: 'The model may still be loading: try again, or raise `firstWordSeconds` in the settings.',
  cut: 'A proxy in between may cut long answers; try without it.',
  'bad-answer': 'Something else answers at this address; check `baseUrl` and `kind`.',
  'over-budget': 'Give the model a price in the settings, or allow unknown prices.',
}

/** Rejects with the signal's reason after an abort. Roles without a model are left out. */
export async function probeRoles(
  options: Omit<GatewayOptions, 'journal' | 'budget' | 'onEvent'>,
  signal: AbortSignal,
): Promise<Probe[]> {
  const notes: JournalNote[] = []
  const gateway = await createGateway({
    ...options,
    journal: { ...noJournal, note: (note) => void notes.push(note) },
    budget: probeBudgetUsd,
    patienceMs: options.patienceMs ?? 5_000,
  })
  const asked = new Map<string, Promise<Omit<Probe, 'role'>>>()
  const probes: Promise<Probe>[] = []
  for (const role of askedRoles) {
    const model = gateway.modelOf(role)?.model
    if (model === undefined) continue
    const probe = asked.get(model) ?? askOne(role, model)
    asked.set(model, probe)
    probes.push(probe.then((found) => ({ role, ...found })))
  }
  return await Promise.all(probes)

  async function askOne(role: AskedRole, model: string): Promise<Omit<Probe, 'role'>> {
    const reply = await gateway.ask(questionFor(role, signal))
    const gaveUp = notes.find(({ type, detail }) => type === 'gave-up' && detail.model === model)
    if (reply.outcome === 'answered' && !gaveUp) {
      const took = reply.calls.reduce((sum, { durationMs }) => sum + durationMs, 0)
      const repair = reply.calls.length > 1 ? ', at the second try' : ''
      return { model, ok: true, detail: `answered in ${(took / 1000).toFixed(1)} s${repair}`, wayOut: null }
    }
    if (gaveUp) {
      const way = waysOut[gaveUp.detail.kind as FaultKind]
      return { model, ok: false, detail: String(gaveUp.detail.reason), wayOut: way }
    }
    const reason = reply.outcome === 'answered' ? '' : reply.reason
    const wayOut = 'The model does not keep to a required form well enough; name a stronger one.'
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
