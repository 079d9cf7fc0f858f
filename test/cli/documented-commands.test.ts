/** Every `sightline …` command that a page shows: the command exists, and takes these options and values. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findCommand } from '../../src/cli/commands/help.ts'
import { readArguments } from '../../src/cli/input/read-arguments.ts'
import { root } from '../helpers/sightline.ts'

type Shown = { page: string; words: string[] }

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !/^(decisions|quality)\//.test(name))
    .map((name) => join('docs', name)),
]

/** On lines of shell blocks, and between backticks. What stands behind `#`, `|`, `>`, `&&` or `;` is of no concern here. */
function commandsOf(page: string): Shown[] {
  const text = readFileSync(join(root, page), 'utf8')
  const blocks = [...text.matchAll(/^```(?:sh|bash|shell|console)\n(.*?)^```/gms)].flatMap(([, body = '']) =>
    body.replaceAll('\\\n', ' ').split('\n'),
  )
  const spans = [...text.replace(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
  return [...blocks, ...spans].flatMap((line) => {
    const [, rest] =
      /^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:npx )?sightline ((?:"[^"]*"|'[^']*'|[^#|>&;])*)/.exec(line.trim()) ?? []
    const words = rest?.match(/(?:"[^"]*"|'[^']*'|\S)+/g)?.map((word) => word.replace(/["']/g, ''))
    return words ? [{ page, words }] : []
  })
}

test('every command on a page can be typed like that', async () => {
  const shown = pages.flatMap(commandsOf)
  expect(shown.length).toBeGreaterThan(150)
  const faults: string[] = []
  for (const { page, words } of shown) {
    const [name = '-', ...rest] = words
    // An option for all commands.
    if (name.startsWith('-')) continue
    try {
      readArguments(await findCommand(name), rest)
    } catch (error) {
      faults.push(`${page}: sightline ${words.join(' ')}: ${(error as Error).message}`)
    }
  }
  expect(faults).toEqual([])
})
