/**
 * What an editor shows of a hostile repository: names of files, authors, subjects of commits and code. Diagnostics, titles and
 * messages are plain text there; a hover is Markdown, of which only our links to places of the repository may live.
 * `npm run test:matrices` plays all words, `npm test` one of them.
 */
import { micromark } from 'micromark'
import { expect, test } from 'vitest'
import {
  CallHierarchyIncomingCallsRequest,
  type CallHierarchyItem,
  CallHierarchyPrepareRequest,
  type CodeLens,
  type Diagnostic,
} from 'vscode-languageserver-protocol/node'
import { type Editor, startEditor } from '../helpers/editor.ts'
import { createRepo } from '../helpers/git-repo.ts'
import { drawn } from '../helpers/matrix.ts'
import { liveMarkdown } from './invariants/egress.ts'

const payloads = {
  'control characters': 'a\u001b[31mred\u0007\u009b31m',
  'text that is turned round': 'a\u202egnp.exe\u2066\u200b\u{e0041}',
  'a command': '[run](command:workbench.action.terminal.new)',
  'a command behind code': '`](command:evil) [`x`](command:evil)',
  'an image': '![x](http:attacker.test "t")',
  'an address': 'https:attacker.test www.attacker.test <http:attacker.test>',
  HTML: '<img src=x onerror=alert(1)><a href=command:evil>x</a><!--',
  'a link that is defined below': '[x]\n\n[x]: command:evil',
  'the end of a list and a heading': '\n\n# x\n\n- [x](command:evil)',
  'a path that leaves its address': 'x)](command:evil) [y](command:evil',
  mentions: '@team /approve #1',
}

const price = 'export function parsePrice(text: string): number {\n  return Number(text) * 100\n}\n'
const caller =
  "import { parsePrice } from './price.ts'\n\nexport const total = (line: string) => parsePrice(line)\n"

async function shownOf(words: string, options: object): Promise<{ editor: Editor; caller: string }> {
  const repo = createRepo()
  const name = words.replace(/[/\n]/g, ' ').slice(0, 100)
  const path = `src/${name}.ts`
  repo.commit({ 'src/price.ts': price, [path]: caller }, words)
  repo.git('-c', `user.name=${words}`, 'commit', '--quiet', '--amend', '--reset-author', '--message', words)
  const editor = await startEditor(repo.path, { pulls: true, ...options })
  await editor.open(
    'src/price.ts',
    `${price.replace('text: string', 'text: string, rate: number')}/* ${words} */\n`,
  )
  return { editor, caller: path }
}

const isHidden = /[^\P{C}\n\t]/u

/** What an editor shows as plain text. */
async function plainTexts(editor: Editor, found: readonly Diagnostic[], lenses: readonly CodeLens[]) {
  const [first] = found
  const actions = first ? await editor.actions('src/price.ts', first) : []
  const explain = actions.find(({ title }) => title === 'Explain this finding')
  if (explain) await editor.run(explain)
  for (const { command } of lenses) await editor.run({ command: command ?? { title: '', command: '' } })
  return [
    ...found.flatMap(({ message, code, relatedInformation = [] }) => [
      message,
      String(code),
      ...relatedInformation.map((one) => one.message),
    ]),
    ...actions.flatMap(({ title, command }) => [title, command?.title ?? '']),
    ...lenses.map(({ command }) => command?.title ?? ''),
    ...editor.messages,
  ]
}

/** Of the changed function: names and places in the tree of calls. */
async function callersOf(editor: Editor): Promise<string[]> {
  const { connection } = editor
  const textDocument = { uri: editor.uri('src/price.ts') }
  const position = { line: 0, character: 20 }
  const prepared = await connection.sendRequest(CallHierarchyPrepareRequest.type, { textDocument, position })
  const [item] = prepared as [CallHierarchyItem]
  const calls = (await connection.sendRequest(CallHierarchyIncomingCallsRequest.type, { item })) ?? []
  expect(calls).toHaveLength(1)
  return calls.flatMap(({ from }) => [from.name, from.detail ?? ''])
}

test.each(drawn(Object.entries(payloads)))('%s', { timeout: 120_000 }, async (_what, words) => {
  const { editor, caller: path } = await shownOf(words, {})
  const found = await editor.pull('src/price.ts')
  const lenses = await editor.lenses('src/price.ts')
  expect(found.map(({ code }) => code)).toContain('contract/signature-arity')
  expect(lenses.map(({ command }) => command?.title)).toEqual(['1 caller not updated'])
  for (const text of await plainTexts(editor, found, lenses)) expect(text).not.toMatch(isHidden)
  expect(editor.messages.join('\n')).toContain(':3')

  const hover = (await editor.hover('src/price.ts', 0, 20)) ?? ''
  expect(hover).toContain('Last changed')
  expect(hover).not.toMatch(isHidden)
  const html = micromark(hover, { allowDangerousHtml: true, allowDangerousProtocol: true })
  const targets = [...html.matchAll(/\b(?:href|src)="([^"]*)"/g)].map(([, target = '']) => target)
  expect(targets.map(decodeURIComponent)).toEqual([`${decodeURIComponent(editor.uri(path))}#L3`])
  // Without the one link that is ours, nothing of it lives.
  expect(liveMarkdown(hover.replace(/^(- \[`+.*`+\])\(file:[\w:/.%~-]+#L3\)/m, '$1'))).toEqual([])

  const settings = { navigation: ['typescript'] }
  const plain = await shownOf(words, { showsMarkdown: false, settings })
  expect(await plain.editor.hover('src/price.ts', 0, 20)).not.toMatch(isHidden)
  for (const shown of await callersOf(plain.editor)) expect(shown).not.toMatch(isHidden)
})
