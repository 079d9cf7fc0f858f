/** References and call hierarchies: only in the languages that an editor names, and with the text that nobody saved. */
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

const files = {
  'lib/price.rb': 'module Price\n  def self.parse_price(text)\n    Integer(text)\n  end\nend\n',
  'lib/cart.rb':
    "require_relative 'price'\n\nclass Cart\n  def total(line)\n    '𝛼' + Price.parse_price(line)\n  end\nend\n",
  'shop.py': 'def parse(text):\n    return int(text)\n\n\ndef total(text):\n    return parse(text)\n',
}

function shop() {
  const repo = createRepo()
  repo.commit(files)
  return repo
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
  const editor = await startEditor(shop().path)
  expect(editor.capabilities).not.toHaveProperty('referencesProvider')
  expect(editor.capabilities).not.toHaveProperty('callHierarchyProvider')
})

test('uses are found from a use and from the definition, in unsaved text, and in no other language', async () => {
  const editor = await startEditor(shop().path, { settings: { navigation: ['ruby'] } })
  expect(editor.capabilities).toMatchObject({ referencesProvider: true, callHierarchyProvider: true })
  await editor.open('lib/price.rb', files['lib/price.rb'])
  await editor.open('lib/cart.rb', `# One more.\n${files['lib/cart.rb']}`)
  await editor.open('shop.py', files['shop.py'])
  const use = 'lib/cart.rb 5:17-28'
  expect(await referencesAt(editor, 'lib/price.rb', 1, 12)).toEqual([use])
  expect(await referencesAt(editor, 'lib/cart.rb', 5, 20, true)).toEqual(['lib/price.rb 1:11-22', use])
  expect(await referencesAt(editor, 'lib/cart.rb', 0, 3)).toEqual([])
  expect(await referencesAt(editor, 'shop.py', 0, 5)).toEqual([])
})

test('calls are followed in both directions', async () => {
  const editor = await startEditor(shop().path, {
    settings: { navigation: ['python', 'ruby'] },
    encodings: ['utf-8'],
  })
  await editor.open('lib/cart.rb', files['lib/cart.rb'])
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
