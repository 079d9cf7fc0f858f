import { expect, test } from 'vitest'
import { defaultConfig } from '../../../src/config/schema.ts'
import type { CandidateDraft } from '../../../src/domain/finding.ts'
import type { ChangeInput, Plane, PlaneInput, PlaneReport } from '../../../src/pipeline/planes/contract.ts'
import { beginEarly, runPlanes } from '../../../src/pipeline/planes/run-planes.ts'

type Look = (input: ChangeInput) => Promise<PlaneReport>
const plane = (name: string, look: Look) => ({ name, description: name, look })

function inputWith(signal: AbortSignal, planeSeconds = 120, title = ''): PlaneInput {
  const config = { ...defaultConfig, limits: { ...defaultConfig.limits, planeSeconds } }
  // The planes of these tests look at nothing of the bundle.
  return { config, signal, context: { request: { title } } } as PlaneInput
}

const never = new AbortController().signal

test('a failing plane and a slow one are listed, and the others go on in their order', async () => {
  const planes = [
    plane('slow', () => new Promise(() => {})),
    plane('broken', () => Promise.reject(new Error('no luck'))),
    plane('partly', async () => ({ candidates: [], limits: ['half', 'seen'] })),
    plane('sound', async () => ({ candidates: [], limits: [] })),
  ]
  const ended: string[] = []
  const outcomes = await runPlanes(planes, inputWith(never, 0.05), (outcome) => ended.push(outcome.plane))
  expect(outcomes.map(({ plane: name, state, reason }) => [name, state, reason])).toEqual([
    ['slow', 'failed', 'it took longer than 0.05 s'],
    ['broken', 'failed', 'no luck'],
    ['partly', 'partly', 'half; seen'],
    ['sound', 'ran', null],
  ])
  expect(ended.at(-1)).toBe('slow')
})

test('what a plane had found stands when it runs out of time, or fails', async () => {
  const draft = { title: 'found in time', explanation: '', remedy: null } as CandidateDraft
  const keeping = (name: string, end: () => Promise<never>) =>
    plane(name, ({ keep }) => {
      keep?.({ candidates: [draft], limits: ['a.ts was slow'] })
      return end()
    })
  const planes = [
    keeping('slow', () => new Promise(() => {})),
    keeping('broken', () => Promise.reject(new Error('no luck'))),
  ]
  const outcomes = await runPlanes(planes, inputWith(never, 0.05), () => {})
  const kept = 'findings so far are kept; a.ts was slow'
  expect(outcomes).toMatchObject([
    { state: 'partly', reason: `it took longer than 0.05 s; ${kept}`, drafts: [draft] },
    { state: 'partly', reason: `no luck; ${kept}`, drafts: [draft] },
  ])
})

test('words of a plane that name a path with hidden characters show them', async () => {
  const path = 'a\u202eb\n.ts'
  const draft = { title: path, explanation: path, remedy: path } as CandidateDraft
  const found = plane('sound', async () => ({ candidates: [draft], limits: [] }))
  const [outcome] = await runPlanes([found], inputWith(never), () => {})
  const shown = 'a⟦U+202E⟧b'
  expect(outcome?.drafts).toEqual([
    { title: `${shown} .ts`, explanation: `${shown}\n.ts`, remedy: `${shown}\n.ts` },
  ])
})

test('a plane that needs no context begins before it, and its outcome has its place', async () => {
  const begun: string[] = []
  const sound = (name: string) =>
    plane(name, async () => {
      begun.push(name)
      return { candidates: [], limits: [] }
    })
  const soon: Plane = {
    name: 'soon',
    description: '',
    isEarly: true,
    look: sound('soon').look as Plane['look'],
  }
  const planes = [sound('first'), soon, sound('last')]
  const early = beginEarly(planes, inputWith(never))
  await Promise.all(early.values())
  expect(begun).toEqual(['soon'])
  const outcomes = await runPlanes(planes, inputWith(never), () => {}, early)
  expect(outcomes.map((outcome) => outcome.plane)).toEqual(['first', 'soon', 'last'])
  expect(begun).toEqual(['soon', 'first', 'last'])
})

test('what the title announces is found by nobody; what runs by itself, or hides something, is', async () => {
  const announced: [rule: string, title: string][] = [
    ['instructions/unpinned-action', 'ci: unpin workflow'],
    ['tests/skipped', 'Run archiver tests weekly instead of on CI'],
    ['tests/assertion-removed', 'Relax the assertions of the parser'],
    ['tests/deleted', 'Remove the slow tests of the client'],
    ['duplicate/repeated-function', 'Copy the client for the new engine'],
  ]
  const silencing = 'tests(e2e): disable snapshots until the fix is there'
  const everything = [...announced.map(([rule]) => rule), 'instructions/install-script', 'hidden-text/bidi']
  const candidates = everything.map((rule) => ({ rule, title: '', explanation: '' }) as CandidateDraft)
  const found = plane('sound', async () => ({ candidates, limits: [] }))
  for (const [rule, title] of [...announced, ['', 'Add an install script']] as const) {
    const [outcome] = await runPlanes([found], inputWith(never, 120, title), () => {})
    expect(outcome?.drafts.map((draft) => draft.rule)).toEqual(everything.filter((one) => one !== rule))
  }
  const [outcome] = await runPlanes([found], inputWith(never, 120, silencing), () => {})
  expect(outcome?.drafts.filter((draft) => draft.rule.startsWith('tests/'))).toMatchObject([
    { rule: 'tests/deleted' },
  ])
})

test('an interrupted run is no failure of a plane', async () => {
  const controller = new AbortController()
  const running = runPlanes(
    [plane('slow', () => new Promise(() => {}))],
    inputWith(controller.signal),
    () => {},
  )
  controller.abort(new Error('interrupted'))
  await expect(running).rejects.toThrow('interrupted')
})
