/** The editors' door, asked by a client of the protocol: what it shows, what it offers, and whom it does not trust. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CodeAction, Diagnostic } from 'vscode-languageserver-protocol/node'
import { startEditor } from '../helpers/editor.ts'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { sightline } from '../helpers/sightline.ts'

const before = {
  'src/price.ts': 'export function parsePrice(text: string): number {\n  return Number(text) * 100\n}\n',
  'src/cart.ts':
    "import { parsePrice } from './price.ts'\n\nexport const total = (lines: string[]) =>\n  lines.reduce((sum, line) => sum + parsePrice(line), 0)\n",
}
/** Renamed, and its only caller is not. */
const renamed = before['src/price.ts'].replace('parsePrice', 'readPrice')

function shop() {
  const repo = createRepo()
  repo.commit(before)
  return repo
}

test('an unsaved rename is shown on its line, with its caller, and nothing is written', async () => {
  const repo = shop()
  const editor = await startEditor(repo.path)
  await editor.open('src/price.ts', before['src/price.ts'])
  expect(await editor.sent('src/price.ts')).toEqual([])
  const name = { start: { line: 0, character: 16 }, end: { line: 0, character: 26 } }
  await editor.edit('src/price.ts', { range: name, text: 'readPrice' })
  const [found, ...more] = await editor.sent('src/price.ts')
  expect(more).toEqual([])
  expect(found).toMatchObject({
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 49 } },
    severity: 1,
    source: 'sightline',
    code: 'contract/renamed-symbol',
  })
  expect(found?.relatedInformation?.map(({ location }) => location)).toContainEqual(
    expect.objectContaining({ uri: editor.uri('src/cart.ts') }),
  )
  expect(readFileSync(join(repo.path, 'src/price.ts'), 'utf8')).toBe(before['src/price.ts'])
  expect(repo.git('status', '--porcelain')).toBe('')
  await editor.shut('src/price.ts')
  // Nothing open needs it any more.
  while (editor.published.get(editor.uri('src/price.ts'))?.diagnostics.length !== 0)
    await new Promise((resolve) => setTimeout(resolve, 20))
})

test('an editor that asks for diagnostics gets those of the text that it has just sent', async () => {
  const repo = shop()
  const editor = await startEditor(repo.path, { pulls: true })
  expect(editor.capabilities.diagnosticProvider).toMatchObject({ workspaceDiagnostics: true })
  await editor.open('src/price.ts', before['src/price.ts'])
  for (const text of ['export', renamed, before['src/price.ts'], renamed])
    await editor.edit('src/price.ts', { text })
  const found = await editor.pull('src/price.ts')
  expect(found.map(({ code }) => code)).toEqual(['contract/renamed-symbol'])
  expect([...(await editor.pullAll()).keys()]).toEqual([editor.uri('src/price.ts')])
  expect(editor.published.size).toBe(0)
})

test('the text of the editor counts, also where it is the committed one and the file is not', async () => {
  const repo = shop()
  repo.write({ 'src/price.ts': renamed })
  const editor = await startEditor(repo.path, { pulls: true })
  await editor.open('src/price.ts', renamed)
  expect(await editor.pull('src/price.ts')).toHaveLength(1)
  await editor.edit('src/price.ts', { text: before['src/price.ts'] })
  expect(await editor.pull('src/price.ts')).toEqual([])
})

test('what is dismissed is not shown again, also not by the command, and can be restored', async () => {
  const repo = shop()
  const home = temporaryFolder()
  const editor = await startEditor(repo.path, { pulls: true, home })
  repo.write({ 'src/price.ts': renamed })
  await editor.open('src/price.ts', renamed)
  const [found] = await editor.pull('src/price.ts')
  const actions = await editor.actions('src/price.ts', found as Diagnostic)
  expect(actions.map(({ title }) => title)).toEqual([
    'Explain this finding',
    'Dismiss: it is wrong',
    'Dismiss: it is unimportant',
    'Dismiss: it is accepted',
    'Ignore in a comment',
  ])
  const explained = await editor.run(actions[0] as CodeAction)
  expect(explained).toMatch(/evidence E\d+, src\/cart\.ts:1/)
  expect(editor.messages).toEqual([explained])
  const dismissed = await editor.run(actions[3] as CodeAction, { because: 'the cart goes next week' })
  expect(dismissed).toContain('Dismissed: ')
  expect(await editor.pull('src/price.ts')).toEqual([])
  const env = { HOME: home, XDG_STATE_HOME: home, XDG_CONFIG_HOME: home }
  const args = ['review', '--uncommitted', '--depth', 'offline', '--json', '--no-record', '--no-cache']
  const { stdout } = await sightline(args, { cwd: repo.path, env })
  expect(JSON.parse(stdout)).toMatchObject({
    findings: [],
    dismissed: [expect.objectContaining({ because: 'the cart goes next week' })],
  })
  const name = { uri: editor.uri('src/price.ts'), ...(found?.data as { finding: string }) }
  const restore = { title: '', command: 'sightline.restore', arguments: [name] }
  await editor.run({ command: restore })
  expect(await editor.pull('src/price.ts')).toHaveLength(1)
})

test('a comment that an action writes is one that the review reads', async () => {
  const repo = shop()
  const editor = await startEditor(repo.path, { pulls: true })
  await editor.open('src/price.ts', renamed)
  const [found] = await editor.pull('src/price.ts')
  const actions = await editor.actions('src/price.ts', found as Diagnostic)
  const [change] = actions.find(({ title }) => title === 'Ignore in a comment')?.edit?.documentChanges ?? []
  expect(change).toEqual({
    textDocument: { uri: editor.uri('src/price.ts'), version: 1 },
    edits: [
      {
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
        newText: '// sightline-ignore contract/renamed-symbol: say why here\n',
      },
    ],
  })
  await editor.edit('src/price.ts', {
    text: `// sightline-ignore contract/renamed-symbol: say why here\n${renamed}`,
  })
  expect(await editor.pull('src/price.ts')).toEqual([])
})

test('a workspace of strangers has no say: neither configuration nor rules of it have an effect', async () => {
  const repo = shop()
  repo.commit({
    '.sightline.yaml': 'planes:\n  disable: [contract]\n',
    '.sightline/rules/mine.yaml':
      'id: no-hundred\nlanguage: typescript\nseverity: warning\nmessage: A hundred\nrule:\n  pattern: $A * 100\n',
  })
  const text = renamed.replace('Number(text) * 100', 'Number(text.trim()) * 100')
  const codes = async (options: object) => {
    const editor = await startEditor(repo.path, { pulls: true, ...options })
    await editor.open('src/price.ts', text)
    return (await editor.pull('src/price.ts')).map(({ code }) => code)
  }
  const asStranger = ['contract/renamed-symbol']
  expect(await codes({ isTrusted: false })).toEqual(asStranger)
  expect(await codes({ settings: { trusted: false } })).toEqual(asStranger)
  expect(await codes({ isTrusted: false, configuration: { trusted: true } })).toEqual(asStranger)
  expect(await codes({})).toEqual(['no-hundred'])
  expect(await codes({ configuration: { enabled: false } })).toEqual([])
})
