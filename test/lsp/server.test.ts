/** The language server, asked by a client of the protocol: what it shows, what it offers, and whom it does not trust. */
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import {
  CancellationTokenSource,
  type CodeAction,
  type Diagnostic,
  DidChangeWorkspaceFoldersNotification,
  DocumentDiagnosticRequest,
  LSPErrorCodes,
  TextDocumentEdit,
  TextEdit,
} from 'vscode-languageserver-protocol/node'
import { startEditor, traffics } from '../helpers/editor.ts'
import { typeFaults } from '../helpers/editor-traffic.ts'
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
  // Also where it is the committed one and the file is not.
  repo.write({ 'src/price.ts': renamed })
  await editor.edit('src/price.ts', { text: before['src/price.ts'] })
  expect(await editor.pull('src/price.ts')).toEqual([])
  // One that no longer waits is answered at once.
  await editor.edit('src/price.ts', { text: renamed })
  const source = new CancellationTokenSource()
  const textDocument = { uri: editor.uri('src/price.ts') }
  const asked = editor.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument }, source.token)
  source.cancel()
  await expect(asked).rejects.toMatchObject({ code: LSPErrorCodes.RequestCancelled })
  expect(await editor.pull('src/price.ts')).toHaveLength(1)
  // One line of a million characters keeps no other file waiting.
  await editor.open('src/long.ts', `export const long = '${'a'.repeat(1_000_000)}'\n`)
  expect(await editor.pull('src/price.ts')).toHaveLength(1)
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
  const finding = `ghp_${'Zq3vXw8RtB5nMk2LpYc7DfGh4JsA1eUo6iTx'}`
  const unknown = { title: '', command: 'sightline.explain', arguments: [{ ...name, finding }] }
  await expect(editor.run({ command: unknown })).rejects.toThrow(/ghp_…/)
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

test('a suggested change is an edit of the text as it is', async () => {
  const repo = shop()
  repo.commit({
    '.sightline/rules/parse-float.yaml':
      'id: parse-float\nlanguage: typescript\nmessage: Number reads the empty text as 0\nrule:\n  pattern: Number($TEXT)\nfix: Number.parseFloat($TEXT)\n',
  })
  const editor = await startEditor(repo.path, { pulls: true })
  const line = 'export const one = (text: string) => Number(text)'
  const replaced = line.replace('Number(', 'Number.parseFloat(')
  for (const [path, end, rest] of [
    ['src/middle.ts', '\n', 'export const two = 2\n'],
    ['src/no-last-line-feed.ts', '\n', ''],
    ['src/windows.ts', '\r\n', 'export const two = 2\r\n'],
  ] as const) {
    await editor.open(path, `// first${end}${line}${rest === '' ? '' : end}${rest}`)
    const [found] = await editor.pull(path)
    expect(found, path).toMatchObject({ code: 'parse-float', range: { start: { line: 1 } } })
    const actions = await editor.actions(path, found as Diagnostic)
    const [change] = actions.find(({ isPreferred }) => isPreferred)?.edit?.documentChanges ?? []
    if (!TextDocumentEdit.is(change)) throw new Error('no edit of a text')
    const [applied, ...more] = change.edits
    if (!TextEdit.is(applied) || more.length > 0) throw new Error('not one edit')
    await editor.edit(path, { range: applied.range, text: applied.newText })
    expect(await editor.pull(path), path).toEqual([])
    expect(applied.newText).toBe(rest === '' ? replaced : `${replaced}${end}`)
  }
})

test('each folder of a workspace has its own review, until it is taken out', async () => {
  const [first, second] = [shop(), shop()]
  const editor = await startEditor(first.path, { folders: [second.path] })
  const other = relative(first.path, join(second.path, 'src/price.ts'))
  await editor.open('src/price.ts', renamed)
  await editor.open(other, renamed)
  for (const path of ['src/price.ts', other]) expect(await editor.sent(path)).toHaveLength(1)
  const removed = [{ uri: editor.uri(relative(first.path, second.path)), name: '' }]
  const event = { added: [], removed }
  await editor.connection.sendNotification(DidChangeWorkspaceFoldersNotification.type, { event })
  while (editor.published.get(editor.uri(other))?.diagnostics.length !== 0)
    await new Promise((resolve) => setTimeout(resolve, 20))
  expect(await editor.sent('src/price.ts')).toHaveLength(1)
})

const hostile = ['\u001b[31m', '\u202e', '\u0007', '\ud800', '\u2066']

test('hostile text of a buffer is shown with its marks made visible', async () => {
  const repo = shop()
  repo.commit({
    '.sightline/rules/call.yaml':
      'id: call\nlanguage: typescript\nmessage: do not call $NAME\nrule:\n  pattern: dangerous($NAME)\n',
  })
  const editor = await startEditor(repo.path, { pulls: true })
  for (const mark of hostile) {
    const text = `export const a = dangerous('${mark}<b>[x](http://h)</b>')\n`
    await editor.open(`src/${hostile.indexOf(mark)}.ts`, text)
  }
  const all = [...(await editor.pullAll()).values()].flat()
  expect(all.filter(({ code }) => code === 'call')).toHaveLength(hostile.length)
  for (const { message, relatedInformation = [] } of all)
    for (const words of [message, ...relatedInformation.map((one) => one.message)])
      expect(words).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/u)
})

test('what somebody writes into the configuration has no effect before it is committed', async () => {
  const editor = await startEditor(shop().path, { pulls: true })
  await editor.open('.sightline.yaml', 'planes:\n  disable: [contract]\n')
  await editor.open('src/price.ts', renamed)
  const found = await editor.pull('src/price.ts')
  expect(found.map(({ code }) => code)).toContain('contract/renamed-symbol')
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

test('the types of the protocol accept all that was sent in the sessions above', async () => {
  expect(await typeFaults(traffics)).toBe('')
})
