/** What the API answers about runs, whatever is behind it: the same tests for one machine and for a server. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { ApiError, apiBase } from '../../../src/server/api/contract/common.ts'
import { type AnswerOf, type ResourceName, resources } from '../../../src/server/api/contract/resources.ts'
import { openapiDocument } from '../../../src/server/api/openapi.ts'
import type { RecordedWorld } from './recorded-world.ts'

export type ApiClient = {
  world: RecordedWorld
  /** With credentials that may do everything; `path` below the base of the API. */
  call(method: string, path: string, body?: unknown): Promise<Response>
}

const schemas = new Ajv2020({ strict: false, validateFormats: false })
const document = openapiDocument() as {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content: Record<string, { schema: object }> }> }>
  >
}

/** The answer, checked against the OpenAPI document, which must know every property of it. */
export async function get<Name extends ResourceName>(
  client: Pick<ApiClient, 'call'>,
  name: Name,
  parameters: Record<string, string> = {},
  query = '',
): Promise<AnswerOf<Name>> {
  const { method, path } = resources[name]
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => parameters[key] ?? '')
  const response = await client.call(method, `${filled}${query}`)
  const body = (await response.json()) as AnswerOf<Name>
  expect(response.status, `${filled}: ${JSON.stringify(body).slice(0, 300)}`).toBe(200)
  const schema =
    document.paths[`${apiBase}${path}`]?.[method.toLowerCase()]?.responses['200']?.content['application/json']
      ?.schema
  const check = schemas.compile(schema ?? false)
  expect(check(body) ? [] : check.errors, filled).toEqual([])
  return body
}

export async function refusal(response: Promise<Response>): Promise<{ status: number; code: string }> {
  const answered = await response
  return { status: answered.status, code: ApiError.parse(await answered.json()).error.code }
}

/** Events of a stream, read to its end. */
export async function eventsOf(response: Response): Promise<{ event: string; data: unknown }[]> {
  const text = await response.text()
  return [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, event = '', data = '']) => ({
    event,
    data: JSON.parse(data),
  }))
}

export function testRuns(client: () => ApiClient): void {
  test('lists runs newest first, page by page, and filters them', async () => {
    const { offline, standard } = client().world
    const all = await get(client(), 'runs')
    expect(all.items.map(({ run }) => run)).toEqual([standard, offline])
    expect(all.next).toBeNull()
    const first = await get(client(), 'runs', {}, '?limit=1')
    expect(first).toMatchObject({ items: [{ run: standard }], next: standard })
    const second = await get(client(), 'runs', {}, `?limit=1&cursor=${first.next}`)
    expect(second).toMatchObject({ items: [{ run: offline }], next: null })
    const names = async (query: string) =>
      (await get(client(), 'runs', {}, query)).items.map(({ run }) => run)
    expect(await names('?depth=offline')).toEqual([offline])
    expect(await names('?state=running')).toEqual([])
    expect(await names('?text=SHOP&to=2000-01-01')).toEqual([])
    expect(await names('?text=%25')).toEqual([])
    expect(await names(`?repository=${encodeURIComponent(all.items[0]?.repository ?? '')}`)).toHaveLength(2)
    const facets = await get(client(), 'facets')
    expect(facets.repositories).toMatchObject([{ runs: 2 }])
  })

  test('a run: findings in the diff, their evidence, the fate of every candidate, coverage and cost', async () => {
    const run = { run: client().world.standard }
    const detail = await get(client(), 'run', run)
    expect(detail.stages.map(({ name }) => name)).toContain('validate')
    expect(detail).toMatchObject({ row: { depth: 'standard', state: 'finished' }, hasTexts: true })
    const { findings } = await get(client(), 'findings', run)
    expect(findings.length).toBeGreaterThan(0)
    const diff = await get(client(), 'diff', run)
    expect(diff.items.map(({ path }) => path)).toEqual(diff.files.map(({ path }) => path))
    for (const { anchor, startLine, side } of findings) {
      const file = diff.items.find(({ path }) => path === anchor.path)
      const lines = file?.hunks.flatMap((hunk) => hunk.lines) ?? []
      expect(lines.some((line) => (side === 'new' ? line.new : line.old) === startLine)).toBe(true)
    }
    const one = await get(client(), 'diff', run, '?path=src/price.ts')
    expect(one.items).toHaveLength(1)
    const evidence = await get(client(), 'evidence', run)
    const known = new Map(evidence.items.map(({ id, citedBy }) => [id, citedBy]))
    for (const finding of findings)
      for (const { evidence: id } of finding.evidence) expect(known.get(id)).toContain(finding.fingerprint)
    const { candidates } = await get(client(), 'candidates', run)
    expect(candidates.length).toBeGreaterThanOrEqual(findings.length)
    for (const { reason } of candidates) expect(reason).not.toBe('')
    const { coverage } = await get(client(), 'coverage', run)
    expect(coverage?.files.map(({ path }) => path).sort()).toEqual(diff.files.map(({ path }) => path).sort())
    const { cost, calls } = await get(client(), 'cost', run)
    expect(calls).toHaveLength(cost?.calls ?? -1)
  })

  test('the timeline leads to every call, with the prompt as it was sent', async () => {
    const run = { run: client().world.standard }
    const { spans, trace } = await get(client(), 'timeline', run)
    expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/)
    const ids = new Set(spans.map(({ id }) => id))
    for (const { parent } of spans) expect(parent === null || ids.has(parent)).toBe(true)
    const models = spans.filter(({ kind }) => kind === 'model')
    expect(models.length).toBeGreaterThan(1)
    for (const { call, name } of models) {
      const exchange = await get(client(), 'call', { ...run, call: String(call) })
      expect(exchange.address).toBe(name)
      expect(exchange.messages.map(({ role }) => role)).toContain('system')
      expect(exchange.answer?.text).toContain('{')
      expect(exchange.usage?.input).toBeGreaterThan(0)
    }
    expect(await refusal(client().call('GET', `/runs/${run.run}/calls/9999`))).toEqual({
      status: 404,
      code: 'not-found',
    })
  })

  test('every entry of the timeline is one exported span and the other way round; a trace id finds its run', async () => {
    const run = { run: client().world.standard }
    const [timeline, exported] = [await get(client(), 'timeline', run), await get(client(), 'spans', run)]
    const { traceId, spanId } = timeline.trace
    expect(exported).toMatchObject({ traceId, traceUrl: `https://jaeger.example.org/trace/${traceId}` })
    const [root, ...entries] = exported.spans
    expect(root).toMatchObject({ spanId, parentSpanId: null, attributes: { 'sightline.run.id': run.run } })
    expect(entries.map((span) => [span.spanId, span.attributes['sightline.span.id']])).toEqual(
      timeline.spans.map((entry) => [entry.spanId, entry.id]),
    )
    const found = await get(client(), 'runs', {}, `?text=${traceId}`)
    expect(found.items.map((row) => row.run)).toEqual([run.run])
  })

  test('retrieval shows each list beside the bundle, and what was cut', async () => {
    const { lists } = await get(client(), 'retrieval', { run: client().world.standard })
    const families = lists.map(({ family }) => family)
    expect(families).toContain('graph')
    expect(families).toContain('fused')
    const final = lists.find(({ family }) => family === 'final')
    const inBundle = new Set(final?.units.map(({ evidence }) => evidence))
    const fused = lists.find(({ family }) => family === 'fused')?.units ?? []
    expect(fused.length).toBeGreaterThan(0)
    for (const { evidence, cut } of fused)
      expect(evidence === null ? cut !== null : inBundle.has(evidence)).toBe(true)
  })

  test('a secret of the change is nowhere in what is sent', async () => {
    const { standard, offline, canary } = client().world
    const { spans } = await get(client(), 'timeline', { run: standard })
    const parts = [
      '',
      '/findings',
      '/candidates',
      '/diff',
      '/evidence',
      '/timeline',
      '/spans',
      '/retrieval',
      '/cost',
    ]
    const calls = spans.flatMap(({ call }) => (call === null ? [] : [`/calls/${call}`]))
    for (const run of [standard, offline])
      for (const part of run === standard ? [...parts, ...calls] : parts) {
        const text = await (await client().call('GET', `/runs/${run}${part}`)).text()
        expect(text.includes(canary), `${part} of ${run}`).toBe(false)
      }
  })

  test('two runs are compared, and each with itself is the same', async () => {
    const { standard, offline } = client().world
    const same = await get(client(), 'compare', { before: standard, after: standard })
    expect(same.comparison.fidelity).toBe(1)
    const { comparison } = await get(client(), 'compare', { before: offline, after: standard })
    expect(comparison.counts.lost + comparison.counts.kept).toBeGreaterThan(0)
  })

  test('trends add up to what the runs say', async () => {
    const { items } = await get(client(), 'runs')
    const trends = await get(client(), 'trends')
    expect(trends.totals.runs).toBe(items.length)
    expect(trends.totals.usd).toBeCloseTo(items.reduce((sum, { usd }) => sum + usd, 0))
    const planes = trends.findings.filter(({ by }) => by === 'plane')
    const counted = planes.reduce((sum, one) => sum + one.critical + one.high + one.medium + one.low, 0)
    const found = items.flatMap(({ findings }) => Object.values(findings)).reduce((sum, one) => sum + one, 0)
    expect(counted).toBe(found)
    expect(trends.stages.map(({ stage }) => stage)).toContain('run')
    expect(JSON.stringify(trends)).not.toMatch(/author|login/)
  })

  test('what is not there or not well formed is refused in one shape', async () => {
    const { call } = client()
    expect(await refusal(call('GET', '/runs/20200101-000000-abcdef'))).toEqual({
      status: 404,
      code: 'not-found',
    })
    expect(await refusal(call('GET', '/runs/..%2F..'))).toEqual({ status: 404, code: 'not-found' })
    expect(await refusal(call('GET', '/runs?limit=0'))).toEqual({ status: 400, code: 'invalid' })
    expect(await refusal(call('GET', '/trends?from=2026-02-01&to=2026-01-01'))).toEqual({
      status: 400,
      code: 'invalid',
    })
    expect(await refusal(call('GET', '/nothing'))).toEqual({ status: 404, code: 'not-found' })
  })
}
