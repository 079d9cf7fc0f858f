/** `sightline models`: which providers were found, which model each role uses, and what each costs. */
import { exitCodes } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { ModelLine, ProviderLine, Survey } from '../../llm/survey.ts'
import { defineCommand } from '../command.ts'
import { flag } from '../input/options.ts'
import { wrapped } from '../output/wrapped.ts'
import { printAnswer } from '../terminal.ts'

export const models = defineCommand({
  name: 'models',
  summary: 'Show the models in use for each role, with their prices.',
  operand: null,
  options: { json: flag('Print JSON.') },
  examples: ['sightline models  # sends nothing and shows no keys'],
  async run({ values, terminal, shell: { environment } }) {
    const { loadSettings } = await import('../../config/settings/load.ts')
    const { surveyModels } = await import('../../llm/survey.ts')
    const { settings, path } = await loadSettings(environment)
    const survey = surveyModels(settings.models, environment)
    await printAnswer(terminal, values.json, { settings: path, ...survey }, () =>
      listing(survey, path, terminal.room),
    )
    return exitCodes.clean
  },
})

function listing({ providers, roles }: Survey, path: string | null, room: number): string {
  const found = providers.length === 0 ? ['  none'] : providers.map(providerRow)
  const played = roles.flatMap(({ role, from, models: route }) =>
    route.length === 0
      ? [`  ${role.padEnd(8)}  none`]
      : route.map((model, at) =>
          modelRow(model, at === 0 ? role : '', at === 0 ? `from ${from}` : 'fallback'),
        ),
  )
  const isEmpty = roles.every(({ models: route }) => route.length === 0)
  const advice = isEmpty
    ? [
        '',
        ...wrapped(
          'No model was found, so reviews run offline. Set a key such as ANTHROPIC_API_KEY, or configure models in the settings as described in docs/models-and-keys.md.',
          room,
        ),
      ]
    : [
        '',
        ...wrapped(
          'Prices: US dollars per million tokens, input/output. `sightline doctor` tests each model.',
          room,
        ),
      ]
  const lines = [
    `Settings: ${path === null ? 'no file; all defaults' : visibleLine(path)}`,
    '',
    'Providers',
    ...found,
    '',
    'Roles',
    ...played,
    ...advice,
  ]
  return `${lines.join('\n')}\n`
}

function providerRow({ name, kind, from, keys, address, ready }: ProviderLine): string {
  const told = keys.map((key) => `${key.name} ${key.set ? 'is set' : 'is not set'}`).join(', ')
  const state = told === '' ? (ready ? 'needs no key' : 'has no key') : told
  const place = address === null ? '' : `, at ${visibleLine(address)}`
  return `  ${name.padEnd(12)} ${kind}: ${state} (from ${from})${place}`
}

function modelRow(model: ModelLine, role: string, from: string): string {
  const { contextWindow, price, missingKeys } = model
  const window = contextWindow === null ? 'window unknown' : `${thousands(contextWindow.tokens)} tokens`
  const cost =
    price === null
      ? 'price unknown'
      : `$${amount(price.input)}/$${amount(price.output)}${priceNote(model.model, price.pricedAs)}`
  const lack = missingKeys.length === 0 ? '' : `, ${missingKeys.join(' and ')} missing`
  return `  ${role.padEnd(8)}  ${visibleLine(model.model)}  ${window}, ${cost} (${from}${lack})`
}

/** The table matches by the beginning of a name; when it took another entry, that is said. */
function priceNote(model: string, pricedAs: string): string {
  return model.endsWith(`/${pricedAs}`) ? '' : ` as ${visibleLine(pricedAs)}`
}

/** Prices are computed, and carry the dust of it. */
function amount(usd: number): string {
  return String(Number(usd.toPrecision(6)))
}

function thousands(tokens: number): string {
  return tokens >= 10_000 ? `${Math.round(tokens / 1000)}k` : String(tokens)
}
