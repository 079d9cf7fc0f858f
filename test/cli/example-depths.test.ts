/** docs/depths-by-example.md holds what the reviews print. Needs the history of this repository, and says so without. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { missingHistory } from '../../scripts/example-depths/change.ts'
import {
  type Block,
  changeBlocks,
  comparison,
  depthBlock,
  depths,
  fillPage,
} from '../../scripts/example-depths/page.ts'
import { runDepth } from '../../scripts/example-depths/run-depth.ts'
import { root } from '../helpers/sightline.ts'

const page = readFileSync(join(root, 'docs/depths-by-example.md'), 'utf8')
const missing = missingHistory()
const isWhole = process.env.SIGHTLINE_ALL_DEPTHS === '1'
const sampled = isWhole ? depths : depths.filter((depth) => depth === 'quick')

test('the page says before all else that the answers are scripted', () => {
  const [title, , box = ''] = page.split('\n')
  expect(title).toBe('# Depths by example')
  expect(box).toBe(
    '> **Note: the answers of the models on this page are scripted.** They show what the program does with answers, not how',
  )
})

test('blocks are replaced between their marks, and a page without them is refused', () => {
  const filled = fillPage(page, [{ name: 'quick', text: 'other' }])
  expect(filled).toContain('written by scripts/example-depths.ts -->\n\nother\n\n<!-- end: quick -->')
  expect(fillPage(filled, [blockOf('quick')])).toBe(page)
  expect(() => fillPage('no marks', [{ name: 'quick', text: '' }])).toThrow('lost its marks of quick')
})

test('the page holds what reviews print; SIGHTLINE_ALL_DEPTHS=1 tries all depths', async ({ skip }) => {
  if (missing) console.log(`docs/depths-by-example.md is not compared: ${missing}`)
  skip(missing !== null, missing ?? '')
  const runs = []
  for (const depth of sampled) runs.push(await runDepth(depth))
  const blocks = [...changeBlocks(), ...runs.map(depthBlock), ...(isWhole ? [comparison(runs)] : [])]
  for (const { name, text } of blocks)
    expect(withoutAmounts(text), name).toBe(withoutAmounts(blockOf(name).text))
})

function blockOf(name: string): Block {
  const begin = `<!-- begin: ${name}, written by scripts/example-depths.ts -->\n\n`
  const from = page.indexOf(begin) + begin.length
  return { name, text: page.slice(from, page.indexOf(`\n\n<!-- end: ${name} -->`)) }
}

/** Times differ from run to run, tokens and prices with every word of a prompt; numbers of evidence with all that is gathered. */
function withoutAmounts(text: string): string {
  return text
    .replace(/\bE\d+ */g, 'E# ')
    .replace(/(?<=changed files\s+·\s+)[\d.]+\s+s/g, '# s')
    .replace(/\$\d+\.\d+/g, '$#')
    .replace(/(?<=^\|.*)\b\d{3,}\b/gm, '#')
    .replace(/\d+(?=\s+(?:tokens|from\s+the\s+cache|out,))/g, '#')
    .replace(/\s+/g, ' ')
}
