/** Everything that people read is plain English: no phrasing of the list is found in it. */
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { help } from '../src/cli/commands/help.ts'
import { commandNames } from '../src/cli/commands/registry.ts'
import { processShell } from '../src/cli/shell.ts'
import type { Terminal } from '../src/cli/terminal.ts'
import { commentPhrases, type Phrase, phrases } from './helpers/plain-words/phrases.ts'
import { filesBelow, type Piece, paragraphsOf, readAt, textsOfSource } from './helpers/plain-words/texts.ts'

const root = resolve(import.meta.dirname, '..')
const sources = filesBelow(root, 'src', /\.ts$/)

test.each([...phrases, ...commentPhrases])('%s is found where it is meant', (pattern, _, sample) => {
  expect(sample).toMatch(pattern)
})

test('help of every command', async () => {
  const pages: Piece[] = []
  for (const name of [undefined, ...commandNames, 'help']) {
    const terminal: Terminal = {
      width: 1_000,
      room: 1_000,
      animated: false,
      isJob: false,
      colors: () => false,
      note: () => {},
      result: async (text) => {
        for (const line of text.split('\n')) pages.push({ place: `${name ?? 'overview'} --help`, text: line })
      },
    }
    await help.run({
      values: {},
      operands: name === undefined ? [] : [name],
      terminal,
      shell: processShell,
      signal: AbortSignal.timeout(60_000),
    })
  }
  expect(pages.length).toBeGreaterThan(200)
  expect(faults(pages, phrases)).toEqual([])
})

test('errors, remarks and reports, and comments: the texts of the source', () => {
  const read = sources.map((path) => textsOfSource(path, readAt(root, path)))
  // A single word is a value that programs read, such as `mended` in a record.
  const literals = read.flatMap((source) => source.literals).filter(({ text }) => /\S\s+\S/.test(text))
  const comments = read.flatMap((source) => source.comments)
  expect(literals.length).toBeGreaterThan(2_000)
  expect(comments.length).toBeGreaterThan(2_000)
  expect(faults(literals, phrases)).toEqual([])
  expect(faults(comments, commentPhrases)).toEqual([])
})

test('prompts, rules, examples, the demo and the schema', () => {
  const files = [
    ...filesBelow(root, 'prompts', /\.md$/),
    ...filesBelow(root, 'rules', /\.ya?ml$/),
    ...filesBelow(root, 'examples', /\.(?:ts|md)$/),
    'schema/config.json',
    'package.json',
  ]
  expect(files.length).toBeGreaterThan(30)
  expect(faults(files.flatMap(linesOf), phrases)).toEqual([])
})

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...filesBelow(root, 'docs', /\.md$/),
]

/** What others wrote. */
const transcripts = 'docs/quality/asks.md'

test.each(pages.filter((page) => page !== transcripts))('%s', (page) => {
  expect(faults(paragraphsOf(page, readAt(root, page)), phrases)).toEqual([])
})

function linesOf(path: string): Piece[] {
  return paragraphsOf(path, readAt(root, path))
}

function faults(pieces: readonly Piece[], list: readonly Phrase[]): string[] {
  const any = new RegExp(list.map(([pattern]) => pattern.source).join('|'), 'i')
  return pieces
    .filter(({ text }) => any.test(text))
    .flatMap(({ place, text }) =>
      list.flatMap(([pattern, say]) => {
        const [found] = pattern.exec(text) ?? []
        return found === undefined ? [] : [`${place} "${found}": say ${say}`]
      }),
    )
}
