/** Where the lines that a change replaced are written once more. */
import { expect, test } from 'vitest'
import { around } from './around.ts'

const parse = (check: string, name = 'parse') =>
  `export function ${name}(text: string) {\n  ${check}\n  return text.split(',')\n}\n`
const old = "if (text.length > maximum) throw new TooLong('text')"
const fixed = "if (text.length >= maximum) throw new TooLong('text')"

const copies = async (others: Record<string, string>) => {
  const { lists } = await around({ 'src/parse.ts': parse(old), ...others }, { 'src/parse.ts': parse(fixed) })
  return lists['look-alikes']
    .filter(({ title }) => title === 'still has a line that the change replaced')
    .map(({ path, startLine, endLine, focus }) => ({ path, startLine, endLine, focus }))
}

test('a function that has the old line is shown with it, wherever it is', async () => {
  expect(
    await copies({ 'deno/lib/parse.ts': `\n${parse(old, 'parseForDeno')}`, 'lib/other.ts': parse(fixed) }),
  ).toEqual([{ path: 'deno/lib/parse.ts', startLine: 2, endLine: 5, focus: [3] }])
})

test('a line that is everywhere says nothing, nor does an import, a short line or one that was only moved', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 6 }, (_, at) => [`lib/a${at}.ts`, parse(old, `a${at}`)]),
  )
  expect(await copies(many)).toEqual([])
  const importing = "import { longEnough, andAnother } from './words.ts'\n"
  const { lists } = await around(
    { 'src/a.ts': `${importing}let a = 1\n${old}\n`, 'src/b.ts': `${importing}let a = 1\n${old}\n` },
    { 'src/a.ts': `let a = 2\n\n${old}\n` },
  )
  expect(lists['look-alikes'].filter(({ title }) => title.startsWith('still'))).toEqual([])
})
