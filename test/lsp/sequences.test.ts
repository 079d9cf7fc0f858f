/**
 * Generated sequences of edits: once it is quiet, an editor is shown what `sightline review --uncommitted` finds, both while its
 * texts are unsaved and after they were saved. `npm run test:editor` plays 1,000 of them; SIGHTLINE_SEED draws others.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from 'vscode-languageserver-protocol/node'
import type { Finding } from '../../src/domain/finding.ts'
import { linesOf } from '../../src/lsp/diagnostics.ts'
import { type Editor, startEditor } from '../helpers/editor.ts'
import { createRepo, type TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { seed } from '../helpers/matrix.ts'
import { Random } from '../helpers/random.ts'
import { sightline } from '../helpers/sightline.ts'

const sequences = Number(process.env.SIGHTLINE_EDIT_SEQUENCES ?? 1)
const edits = 12

const committed = {
  'src/price.ts':
    'export function parsePrice(text: string): number {\n  return Number(text) * 100\n}\n\nexport function format(cents: number): string {\n  return String(cents)\n}\n',
  'src/cart.ts':
    "import { format, parsePrice } from './price.ts'\n\nexport const total = (line: string) => format(parsePrice(line))\n",
  'tests/price.test.ts':
    "import { parsePrice } from '../src/price.ts'\n\ntest('a price', () => {\n  expect(parsePrice('1')).toBe(100)\n})\n",
}
const paths = Object.keys(committed)
const words = [
  'parsePrice',
  'readPrice',
  'format',
  'cents',
  'text',
  'expect(',
  'test.skip(',
  'number',
  '',
  'é𝛼',
]
const fresh = [
  '',
  '// more',
  "import { gone } from './price.ts'",
  'eval(input)',
  "const key = '\u202e'",
  'format(1, 2)',
]

describe(`seed ${seed}`, () => {
  test.each(Array.from({ length: sequences }, (_, at) => at))(
    'sequence %i',
    { timeout: 1_800_000 },
    async (at) => {
      const random = new Random(seed + at)
      const repo = createRepo()
      repo.commit(committed)
      const home = temporaryFolder()
      const encodings = [random.pick(['utf-8', 'utf-16', 'utf-32'])]
      const editor = await startEditor(repo.path, { pulls: true, encodings, home })
      const texts = new Map<string, string>()
      for (let edit = 0; edit < edits; edit++) await play(random, { repo, editor, texts })
      for (const [path] of texts) await editor.pull(path)
      const unsaved = texts.size === 0 ? [] : placesOf(editor, await editor.pullAll())
      for (const [path, text] of texts) {
        repo.write({ [path]: text })
        await editor.saved(path)
      }
      const saved = texts.size === 0 ? [] : placesOf(editor, await editor.pullAll())
      const found = texts.size === 0 ? [] : await placesByCommand(repo, home)
      expect({ unsaved, saved }).toEqual({ unsaved: found, saved: found })
    },
  )
})

type World = { repo: TestRepo; editor: Editor; texts: Map<string, string> }

async function play(random: Random, { repo, editor, texts }: World): Promise<void> {
  const path = random.pick(paths)
  const text = texts.get(path)
  if (text === undefined) {
    const onDisk = committed[path as keyof typeof committed]
    texts.set(path, onDisk)
    writeFileSync(join(repo.path, path), onDisk)
    return await editor.open(path, onDisk)
  }
  if (random.chance(0.1)) {
    repo.write({ [path]: text })
    return await editor.saved(path)
  }
  if (random.chance(0.05)) {
    rmSync(join(repo.path, path))
    texts.delete(path)
    return await editor.shut(path)
  }
  const lines = text.split('\n')
  const line = random.between(0, lines.length - 1)
  const old = lines[line] ?? ''
  const added = random.chance(0.4)
    ? `${random.pick(fresh)}\n${old}`
    : old.replace(random.pick(words), random.pick(words))
  lines[line] = added
  texts.set(path, lines.join('\n'))
  const encoding = editor.capabilities.positionEncoding
  const end =
    encoding === 'utf-8' ? Buffer.byteLength(old) : encoding === 'utf-32' ? [...old].length : old.length
  const range = { start: { line, character: 0 }, end: { line, character: end } }
  await editor.edit(path, { range, text: added })
}

/** `src/a.ts:1-2 rule`, sorted; lines are counted from 1. */
function placesOf(editor: Editor, all: ReadonlyMap<string, Diagnostic[]>): string[] {
  const names = new Map(paths.map((path) => [editor.uri(path), path]))
  return [...all]
    .flatMap(([uri, diagnostics]) =>
      diagnostics.map(
        ({ range, code }) => `${names.get(uri) ?? uri}:${range.start.line + 1}-${range.end.line + 1} ${code}`,
      ),
    )
    .sort()
}

async function placesByCommand(repo: TestRepo, home: string): Promise<string[]> {
  const args = ['review', '--uncommitted', '--depth', 'offline', '--json', '--no-record', '--no-cache']
  const env = { HOME: home, XDG_STATE_HOME: home, XDG_CONFIG_HOME: home }
  const { stdout } = await sightline(args, { cwd: repo.path, env })
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  return findings
    .map((finding) => `${finding.anchor.path}:${linesOf(finding).join('-')} ${finding.rule}`)
    .sort()
}
