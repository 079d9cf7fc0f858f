/** The commands of an editor that ask a model: nothing is sent before the person agrees, and what was found stays until its lines change. */
import { expect, test } from 'vitest'
import type { Diagnostic } from 'vscode-languageserver-protocol/node'
import { emptyAnswer, fakeEnvironment, retryRepo, waitFinding } from '../e2e/quick-world.ts'
import { type Editor, type EditorOptions, startEditor, traffics } from '../helpers/editor.ts'
import { typeFaults } from '../helpers/editor-traffic.ts'
import type { FakeProvider } from '../helpers/fakes/provider.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { createRepo } from '../helpers/git-repo.ts'
import { needs } from '../helpers/needs/needs.ts'

const retry = 'src/retry.ts'
const found: CodedStep = { answer: 'good', value: { ...emptyAnswer, findings: [waitFinding] } }
const isReview = (question: string) => question.startsWith('Sightline: review')

/** An editor on work that nobody committed, with the text of the changed file open. */
async function atWork(fake: FakeProvider, options: EditorOptions = {}, settings = '') {
  const repo = retryRepo()
  const text = repo.git('show', `HEAD:${retry}`)
  repo.git('reset', '--quiet', '--soft', 'HEAD~1')
  const environment = fakeEnvironment(fake, { settings })
  const editor = await startEditor(repo.path, { pulls: true, environment, ...options })
  await editor.open(retry, `${text}\n`)
  return { editor, text: `${text}\n` }
}

async function review(editor: Editor, more: object = {}): Promise<unknown> {
  const command = { title: '', command: 'sightline.review', arguments: [{ uri: editor.uri(retry) }] }
  return await editor.run({ command }, more)
}

test('a review is not sent before the person agrees to its price', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: [found] })
  const { editor } = await atWork(fake)
  expect(await review(editor)).toBe('Nothing was sent to a model.')
  expect(editor.questions).toEqual([
    expect.stringMatching(
      /^Sightline: review the uncommitted change at depth quick\? 1 question .*at most \$/,
    ),
  ])
  expect(fake.calls).toEqual([])
  await expect(review(editor, { depth: 'offline' })).rejects.toThrow('depth')
})

test('what a model found is shown until its lines change, moves with them, and can be dismissed', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: [found] })
  const { editor, text } = await atWork(fake, {
    answers: (question) => (isReview(question) ? 'Review' : null),
  })
  expect(await review(editor, { what: 'file' })).toMatch(
    /^Reviewed this file at depth quick: 1 finding\. .*On record as run/,
  )
  expect(fake.mistakes).toEqual([])
  const ofModel = async () =>
    (await editor.pull(retry)).filter(({ message }) => String(message).startsWith(waitFinding.title))
  const [first] = await ofModel()
  expect(first).toMatchObject({ range: { start: { line: 9 } } })
  await editor.edit(retry, { text: `// One more.\n${text}` })
  const [moved] = await ofModel()
  expect(moved).toMatchObject({ range: { start: { line: 10 } } })
  await editor.edit(retry, { text: text.replace('attempts - attempt', 'attempt - 1') })
  expect(await ofModel()).toEqual([])
  await editor.edit(retry, { text })
  expect(await ofModel()).toHaveLength(1)
  const actions = await editor.actions(retry, first as Diagnostic)
  const titled = (title: string) => actions.find((one) => one.title === title) ?? {}
  expect(await editor.run(titled('Explain this finding'))).toContain('delayFor(attempts - attempt)')
  expect(await editor.run(titled('Dismiss: it is accepted'))).toBe(`Dismissed: ${waitFinding.title}`)
  expect(await ofModel()).toEqual([])
  expect(fake.calls).toHaveLength(1)
})

test('the branch that is checked out is reviewed against its default branch, or another, without what nobody committed', async () => {
  const nothing: CodedStep = { answer: 'good', value: emptyAnswer }
  await using fake = await startFakeProvider('anthropic', { steps: [found, nothing] })
  const repo = retryRepo()
  repo.git('branch', '--quiet', 'other')
  repo.git('checkout', '--quiet', '-b', 'feature')
  repo.git('branch', '--quiet', '--force', 'main', 'HEAD~1')
  repo.commit({ 'notes/more.md': 'The second commit of the branch.\n' })
  const environment = fakeEnvironment(fake)
  const answers = (question: string) => (isReview(question) ? 'Review' : null)
  const editor = await startEditor(repo.path, { pulls: true, environment, answers })
  const text = `${repo.git('show', `HEAD:${retry}`)}\n`
  await editor.open(retry, text)
  await editor.edit(retry, { text: `// Nobody saved this.\n${text}` })
  const ofModel = async () =>
    (await editor.pull(retry)).filter(({ message }) => String(message).startsWith(waitFinding.title))
  expect(await ofModel()).toEqual([])
  expect(await review(editor, { what: 'branch' })).toMatch(
    /^Reviewed this branch at depth quick: 1 finding\. /,
  )
  expect(await review(editor, { what: 'branch', base: 'other' })).toMatch(/: 0 findings\. /)
  expect(fake.mistakes).toEqual([])
  const sent = fake.calls.map(({ call }) => JSON.stringify(call))
  expect(sent.map((words) => words.includes('The second commit of the branch.'))).toEqual([true, true])
  expect(sent.map((words) => words.includes('attempts - attempt'))).toEqual([true, false])
  expect(sent.some((words) => words.includes('Nobody saved this.'))).toBe(false)
  // On its line of the text as it is now.
  expect(await ofModel()).toMatchObject([{ range: { start: { line: 10 } } }])
  await expect(review(editor, { what: 'branch', base: 'no-such-branch' })).rejects.toThrow('no-such-branch')
  await expect(review(editor, { what: 'branch', base: '--output=x' })).rejects.toThrow('base')
  repo.git('checkout', '--quiet', '--detach')
  await editor.saved(retry)
  await expect(review(editor, { what: 'branch' })).rejects.toThrow('no branch is checked out')
  expect(fake.calls).toHaveLength(2)
})

test('an editor that is told to show nothing shows nothing of a review that was asked for', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: [found] })
  const { editor } = await atWork(fake, {
    answers: (question) => (isReview(question) ? 'Review' : null),
    settings: { enabled: false },
  })
  await review(editor)
  expect(await editor.pull(retry)).toEqual([])
})

const proving = 'sandbox: { prove: { allow: true } }'
test(
  'a proof asks in any case, and a workspace of strangers offers none',
  needs('a sandbox (bubblewrap or a container)'),
  async () => {
    await using fake = await startFakeProvider('anthropic', { steps: [] })
    for (const trusted of [true, false]) {
      const { editor } = await atWork(fake, { settings: { trusted } }, proving)
      await editor.open('src/delay.ts', 'export function never(): void {}\n')
      const [diagnostic] = await editor.pull('src/delay.ts')
      const actions = await editor.actions('src/delay.ts', diagnostic as Diagnostic)
      const prove = actions.find(({ title }) => title === 'Prove this finding by a test')
      expect(prove !== undefined).toBe(trusted)
      const asked = { ...actions[0]?.command, title: '', command: 'sightline.prove' }
      if (trusted)
        expect(await editor.run({ command: asked })).toBe('Nothing was sent to a model, and nothing was run.')
      else await expect(editor.run({ command: asked })).rejects.toThrow('not trusted')
      expect(editor.questions).toHaveLength(trusted ? 1 : 0)
    }
    expect(fake.calls).toEqual([])
  },
)

const price = 'export function parsePrice(text) {\n  return Number(text) * 100\n}\n'
const shows =
  "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport * as price from '../src/price.js'\n\n// It is readPrice now.\ntest('a price', () => {\n  assert.equal(price.parsePrice('1'), 100)\n})\n"

test(
  'a finding on text that nobody saved is shown by a test, on record',
  needs('a sandbox (bubblewrap or a container)'),
  async () => {
    const repo = createRepo()
    repo.commit({
      'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
      'src/price.js': price,
      'src/cart.js':
        "import { parsePrice } from './price.js'\n\nexport const total = (line) => parsePrice(line)\n",
      'test/price.test.js': shows.replace("'1'), 100", "'2'), 200"),
    })
    const value = {
      test: shows,
      predicted: 'parsePrice is not a function',
      because: 'It is undefined.',
      cannot: '',
    }
    const step: CodedStep = { answer: 'good', when: { contains: 'Your test file will be here' }, value }
    await using fake = await startFakeProvider('anthropic', { steps: [step] })
    const environment = fakeEnvironment(fake, { settings: proving })
    const answers = () => 'Prove'
    const editor = await startEditor(repo.path, { pulls: true, environment, answers })
    await editor.open('src/price.js', price.replace('parsePrice', 'readPrice'))
    const [diagnostic] = await editor.pull('src/price.js')
    const actions = await editor.actions('src/price.js', diagnostic as Diagnostic)
    const prove = actions.find(({ title }) => title === 'Prove this finding by a test')
    expect(await editor.run(prove ?? {})).toMatch(/^Reproduced: .*parsePrice/)
    expect(fake.mistakes).toEqual([])
    expect(repo.git('status', '--porcelain')).toBe('')
  },
)

test('the types of the protocol accept all that was sent in the sessions above', async () => {
  expect(await typeFaults(traffics)).toBe('')
})
