/** Hundreds of random edits, thousands by `npm run test:matrices`, agree with git, with a second count and with the blobs. SIGHTLINE_SEED sets the seed. */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo, type Files } from '../../helpers/git-repo.ts'
import { isWhole, seed } from '../../helpers/matrix.ts'
import { Random } from '../../helpers/random.ts'
import { readChange } from './read-change.ts'

const rounds = isWhole ? 60 : 6

/** Lines that look like parts of a patch, end in odd ways, or are not UTF-8. */
const starts = [
  '-',
  '+',
  ' ',
  '@@ -1 +1 @@',
  '\\',
  '--- ',
  '+++ ',
  '',
  'diff --git ',
  'x',
  '\ufeff',
  '\u2028',
]
const ends = ['', '', '', '', '\r', '\u000b', '\u0085', '\u00e9', ' ']

type Content = { lines: string[]; ending: '\n' | '\r\n'; open: boolean; latin: boolean }

test(`random edits, renames and rewrites agree with git (seed ${seed})`, async () => {
  const random = new Random(seed)
  const repo = createRepo()
  repo.git('config', 'core.autocrlf', 'false')
  const tree = new Map<string, Content>()
  for (let i = 0; i < 30; i++) tree.set(`f${i}.txt`, randomContent(random))
  repo.commit(filesOf(tree))
  let hunks = 0
  for (let round = 0; round < rounds; round++) {
    const gone = editTree(random, tree)
    for (const path of tree.keys())
      if (random.chance(0.03) && repo.git('ls-files', path) !== '') chmodSync(join(repo.path, path), 0o755)
    repo.commit({ ...gone, ...filesOf(tree) })
    const { agreement } = await readChange(repo)
    expect(agreement.faults).toEqual([])
    hunks += agreement.hunks
  }
  expect(hunks).toBeGreaterThan(300)
})

/** Edits every file, and a few of them in other ways. Returns the paths that are gone. */
function editTree(random: Random, tree: Map<string, Content>): Files {
  const gone: Files = {}
  for (const [path, content] of [...tree]) {
    editLines(random, content.lines)
    if (random.chance(0.05)) content.ending = content.ending === '\n' ? '\r\n' : '\n'
    if (random.chance(0.1)) content.open = !content.open
    if (random.chance(0.05)) content.latin = !content.latin
    const fate = random.next()
    if (fate < 0.06) tree.delete(path)
    if (fate < 0.06) gone[path] = null
    if (fate < 0.04 || fate > 0.96) tree.set(`ä ${random.between(0, 99_999)}.txt`, structuredClone(content))
  }
  if (random.chance(0.5)) tree.set(`new ${random.between(0, 99_999)}.txt`, randomContent(random))
  return gone
}

function randomContent(random: Random): Content {
  const lines = randomLines(random, random.between(0, 200))
  return {
    lines,
    ending: random.chance(0.2) ? '\r\n' : '\n',
    open: random.chance(0.2),
    latin: random.chance(0.1),
  }
}

function randomLines(random: Random, number: number): string[] {
  return Array.from(
    { length: number },
    () => `${random.pick(starts)}${random.between(0, 50)}${random.pick(ends)}`,
  )
}

function editLines(random: Random, lines: string[]): void {
  for (let i = 0; i < 3; i++) {
    const at = random.between(0, lines.length)
    lines.splice(at, random.between(0, 3), ...randomLines(random, random.between(0, 3)))
  }
}

function filesOf(tree: Map<string, Content>): Files {
  return Object.fromEntries(
    [...tree].map(([path, { lines, ending, open, latin }]) => {
      const text = lines.join(ending) + (open || lines.length === 0 ? '' : ending)
      return [path, latin ? Buffer.from(text, 'latin1') : text]
    }),
  )
}
