/**
 * What an editor asks about a place: who uses a changed definition, which tests reach it, who wrote it last, and what was not
 * updated; references and call hierarchies, only in the languages that an editor names, and with the text that nobody saved.
 */
import { expect, test } from 'vitest'
import {
  CallHierarchyIncomingCallsRequest,
  type CallHierarchyItem,
  CallHierarchyOutgoingCallsRequest,
  CallHierarchyPrepareRequest,
  type Range,
  ReferencesRequest,
} from 'vscode-languageserver-protocol/node'
import { type Editor, startEditor, traffics } from '../helpers/editor.ts'
import { typeFaults } from '../helpers/editor-traffic.ts'
import { createRepo } from '../helpers/git-repo.ts'

const price = 'export function parsePrice(text: string): number {\n  return Number(text) * 100\n}\n'
const files = {
  'src/price.ts': `// Prices are cents.\n${price}`,
  'src/cart.ts':
    "import { parsePrice } from './price.ts'\n\nexport const total = (lines: string[]) =>\n  lines.reduce((sum, line) => sum + parsePrice(line), 0)\n",
  'test/cart.test.ts':
    "import { total } from '../src/cart.ts'\n\nexport function checksTotal(): void {\n  if (total(['1']) !== 100) throw new Error('wrong')\n}\n",
}

function repoWith(files: Record<string, string>) {
  const repo = createRepo()
  repo.commit(files, 'Count in cents (#7)')
  return repo
}

test('a changed definition tells its callers, its tests and its last commit; an unchanged one tells nothing', async () => {
  const editor = await startEditor(repoWith(files).path, { pulls: true })
  await editor.open('src/price.ts', files['src/price.ts'])
  expect(await editor.hover('src/price.ts', 1, 20)).toBeNull()
  // A line above it moves it, and its body changes.
  await editor.edit('src/price.ts', { text: `// One more.\n${files['src/price.ts'].replace('100', '10')}` })
  expect(await editor.hover('src/price.ts', 0)).toBeNull()
  expect(await editor.hover('src/price.ts', 3)).toBeNull()
  const day = new Date().toISOString().slice(0, 4)
  const shown = await editor.hover('src/price.ts', 2, 20)
  expect(shown?.replace(/\d{4}-\d\d-\d\d/, day)).toBe(
    [
      '`parsePrice`: 1 caller; 1 test file reaches it',
      `- [\`src/cart.ts:3\`](${editor.uri('src/cart.ts')}#L3) \`total\``,
      `- [\`test/cart.test.ts:1\`](${editor.uri('test/cart.test.ts')}#L1) (test)`,
      `Last changed ${day} by Ada in \`#7\`: Count in cents (\`#7\`)`,
    ].join('\n\n'),
  )
})

test('new code has no past', async () => {
  const editor = await startEditor(repoWith(files).path, { pulls: true })
  await editor.open('src/new.ts', 'export function later(): void {}\n')
  expect(await editor.hover('src/new.ts', 0)).toBe('`later`: no caller; no test reaches it in two steps')
})

test('a declaration whose uses were not updated has a lens that leads to them', async () => {
  const editor = await startEditor(repoWith(files).path, { pulls: true, opensPlaces: true })
  const changed = files['src/price.ts'].replace('(text: string)', '(text: string, rate: number)')
  await editor.open('src/price.ts', files['src/price.ts'])
  expect(await editor.lenses('src/price.ts')).toEqual([])
  await editor.edit('src/price.ts', { text: changed })
  const [lens, ...more] = await editor.lenses('src/price.ts')
  expect(more).toEqual([])
  expect(lens).toMatchObject({
    range: { start: { line: 1 }, end: { line: 1 } },
    command: {
      title: '1 caller not updated',
      command: 'sightline.showUses',
      arguments: [{ places: [{ uri: editor.uri('src/cart.ts'), range: { start: { line: 3 } } }] }],
    },
  })
  await editor.run({ command: lens?.command ?? { title: '', command: '' } })
  expect(editor.opened).toMatchObject([{ uri: editor.uri('src/cart.ts'), selection: { start: { line: 3 } } }])
  expect(editor.messages).toEqual([])
})

const ruby = {
  'lib/price.rb': 'module Price\n  def self.parse_price(text)\n    Integer(text)\n  end\nend\n',
  'lib/cart.rb':
    "require_relative 'price'\n\nclass Cart\n  def total(line)\n    '𝛼' + Price.parse_price(line)\n  end\nend\n",
  'shop.py': 'def parse(text):\n    return int(text)\n\n\ndef total(text):\n    return parse(text)\n',
}

const wordsOf = ({ start, end }: Range) => `${start.line}:${start.character}-${end.character}`

async function referencesAt(editor: Editor, path: string, line: number, character: number, own = false) {
  const found = await editor.connection.sendRequest(ReferencesRequest.type, {
    textDocument: { uri: editor.uri(path) },
    position: { line, character },
    context: { includeDeclaration: own },
  })
  return found?.map(({ uri, range }) => `${uri.replace(editor.uri('.'), '').slice(1)} ${wordsOf(range)}`)
}

test('an editor that does not ask for it is not offered any', async () => {
  const editor = await startEditor(repoWith(ruby).path)
  expect(editor.capabilities).not.toHaveProperty('referencesProvider')
  expect(editor.capabilities).not.toHaveProperty('callHierarchyProvider')
})

test('uses are found from a use and from the definition, in unsaved text, and in no other language', async () => {
  const editor = await startEditor(repoWith(ruby).path, { settings: { navigation: ['ruby'] } })
  expect(editor.capabilities).toMatchObject({ referencesProvider: true, callHierarchyProvider: true })
  await editor.open('lib/price.rb', ruby['lib/price.rb'])
  await editor.open('lib/cart.rb', `# One more.\n${ruby['lib/cart.rb']}`)
  await editor.open('shop.py', ruby['shop.py'])
  const use = 'lib/cart.rb 5:17-28'
  expect(await referencesAt(editor, 'lib/price.rb', 1, 12)).toEqual([use])
  expect(await referencesAt(editor, 'lib/cart.rb', 5, 20, true)).toEqual(['lib/price.rb 1:11-22', use])
  expect(await referencesAt(editor, 'lib/cart.rb', 0, 3)).toEqual([])
  expect(await referencesAt(editor, 'shop.py', 0, 5)).toEqual([])
})

test('calls are followed in both directions', async () => {
  const editor = await startEditor(repoWith(ruby).path, {
    settings: { navigation: ['python', 'ruby'] },
    encodings: ['utf-8'],
  })
  await editor.open('lib/cart.rb', ruby['lib/cart.rb'])
  const textDocument = { uri: editor.uri('lib/cart.rb') }
  const { connection } = editor
  const prepared = await connection.sendRequest(CallHierarchyPrepareRequest.type, {
    textDocument,
    position: { line: 3, character: 7 },
  })
  expect(prepared).toMatchObject([
    { name: 'total', detail: 'Cart · lib/cart.rb', selectionRange: { start: { line: 3, character: 6 } } },
  ])
  const [item] = prepared as [CallHierarchyItem]
  const out = await connection.sendRequest(CallHierarchyOutgoingCallsRequest.type, { item })
  expect(out?.map(({ to, fromRanges }) => [to.name, to.uri, fromRanges.map(wordsOf)])).toEqual([
    ['parse_price', editor.uri('lib/price.rb'), ['4:19-30']],
  ])
  const to = out?.[0]?.to as CallHierarchyItem
  const incoming = await connection.sendRequest(CallHierarchyIncomingCallsRequest.type, { item: to })
  expect(incoming?.map(({ from, fromRanges }) => [from.name, fromRanges.map(wordsOf)])).toEqual([
    ['total', ['4:19-30']],
  ])
  expect(await connection.sendRequest(CallHierarchyIncomingCallsRequest.type, { item })).toEqual([])
})

test('the types of the protocol accept all that was sent in the sessions above', async () => {
  expect(await typeFaults(traffics)).toBe('')
})
