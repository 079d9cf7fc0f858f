/** What an editor asks about a place: who uses a changed definition, which tests reach it, who wrote it last, and what was not updated. */
import { expect, test } from 'vitest'
import { startEditor, traffics } from '../helpers/editor.ts'
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

function shop() {
  const repo = createRepo()
  repo.commit(files, 'Count in cents (#7)')
  return repo
}

test('a changed definition tells its callers, its tests and its last commit; an unchanged one tells nothing', async () => {
  const editor = await startEditor(shop().path, { pulls: true })
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
  const editor = await startEditor(shop().path, { pulls: true })
  await editor.open('src/new.ts', 'export function later(): void {}\n')
  expect(await editor.hover('src/new.ts', 0)).toBe('`later`: no caller; no test reaches it in two steps')
})

test('a declaration whose uses were not updated has a lens that leads to them', async () => {
  const editor = await startEditor(shop().path, { pulls: true, opensPlaces: true })
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

test('the types of the protocol accept all that was sent in the sessions above', async () => {
  expect(await typeFaults(traffics)).toBe('')
})
