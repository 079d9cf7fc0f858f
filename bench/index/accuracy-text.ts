/** Witnesses that know nothing of our parsers: the words of every text, and Universal Ctags for definitions. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { familyOf } from './accuracy-draw.ts'

export type Tag = { name: string; path: string; line: number; kind: string; language: string }
export type TextHit = { path: string; line: number; text: string }

const biggestOutput = 2 ** 30

/** Lines of the last commit that hold each word, of letters, digits and underscores, in any file of text. */
export function linesWithWords(folder: string, words: readonly string[]): Map<string, TextHit[]> {
  const found = new Map<string, TextHit[]>()
  const wanted = new Set(words)
  for (const { path, text } of textsOf(folder))
    for (const [at, line] of text.split('\n').entries())
      for (const word of new Set(line.match(/\w+/g))) {
        if (!wanted.has(word)) continue
        const hit = { path, line: at + 1, text: line }
        const list = found.get(word)
        if (list) list.push(hit)
        else found.set(word, [hit])
      }
  return found
}

/** Bytes that are read at once. */
const batchBytes = 2 ** 26

/** Git searches each word by itself, which takes half an hour for 200 words in megabytes of data: it only reads here. */
function* textsOf(folder: string): Generator<{ path: string; text: string }> {
  const git = (args: readonly string[], input = '') =>
    spawnSync('git', ['--git-dir', folder, ...args], { input, maxBuffer: biggestOutput }).stdout
  let batch: { id: string; path: string }[] = []
  let bytes = 0
  const rows = git(['ls-tree', '-r', '-l', '-z', 'HEAD']).toString().split('\0')
  for (const row of [...rows, null]) {
    const [, id = '', size = '', path = ''] = /^100\d+ blob (\w+) +(\d+)\t(.*)$/s.exec(row ?? '') ?? []
    if (id !== '') batch.push({ id, path })
    bytes += Number(size)
    if (row !== null && bytes < batchBytes) continue
    const output = git(['cat-file', '--batch'], batch.map((one) => `${one.id}\n`).join(''))
    let from = 0
    for (const one of batch) {
      const start = output.indexOf('\n', from) + 1
      const [, kind, length = '0'] = output.toString('utf8', from, start).trim().split(' ')
      from = kind === 'blob' ? start + Number(length) + 1 : start
      const content = output.subarray(start, Math.max(start, from - 1))
      // As git tells a file that is no text.
      if (!content.subarray(0, 8_000).includes(0)) yield { path: one.path, text: content.toString() }
    }
    batch = []
    bytes = 0
  }
}

/** Every definition in the last commit, as ctags sees it; it has no parser for Scala and Swift. */
export function readTags(folder: string): Tag[] {
  const tree = mkdtempSync(join(tmpdir(), 'accuracy-'))
  const env = { ...process.env, GIT_INDEX_FILE: join(tree, '.index') }
  const git = (...args: string[]) =>
    spawnSync('git', ['--git-dir', folder, '--work-tree', tree, ...args], { env, cwd: tree })
  try {
    git('read-tree', 'HEAD')
    // What the repository does not hold is passed over.
    git('-c', 'core.symlinks=false', 'checkout-index', '--all', '--quiet')
    const output = execFileSync(
      'ctags',
      [
        '--recurse',
        '--links=no',
        '--output-format=json',
        '--fields=+nKl',
        '--extras=-{anonymous}',
        '-f',
        '-',
        '.',
      ],
      { cwd: tree, encoding: 'utf8', maxBuffer: biggestOutput, stdio: ['ignore', 'pipe', 'ignore'] },
    )
    return output.split('\n').flatMap((row) => {
      if (row === '') return []
      const { _type, name, path, line, kind, language } = JSON.parse(row)
      const family = familyOfTag(language)
      return _type === 'tag' && family !== null
        ? [{ name: String(name), path: String(path).replace(/^\.\//, ''), line, kind, language: family }]
        : []
    })
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}

function familyOfTag(language: string): string | null {
  const ours: Readonly<Record<string, string>> = { 'C++': 'cpp', 'C#': 'csharp', Sh: 'bash' }
  return familyOf(ours[language] ?? language.toLowerCase())
}

/** What the text of the line says by its form alone: a comment, or a definition. */
export function formOf({ path, text }: TextHit, word: string): 'comment' | 'definition' | null {
  const escaped = word.replace(/[^\w]/g, '\\$&')
  if (/^\s*(?:\/\/|\/\*|\*|#(?!define|\[|include|if)|--|<!--|;;)/.test(text)) return 'comment'
  if (new RegExp(`(?:^|\\s)(?:\\/\\/|#\\s|\\/\\*).*\\b${escaped}\\b`).test(text)) return 'comment'
  // In C the words stand before every use of a type or tag, so only what follows tells.
  if (/\.(?:[ch]|cc|cpp|cxx|hh|hpp|hxx|inl)$/i.test(path)) {
    const tag = new RegExp(`(?:struct|union|enum|class)\\s+${escaped}\\s*(?:final\\s*)?(?:\\{|:|$)`)
    return tag.test(text) || new RegExp(`#\\s*define\\s+${escaped}\\b`).test(text) ? 'definition' : null
  }
  const keywords =
    'function\\*?|class|def|fn|func|fun|type|interface|struct|enum|trait|const|let|var|val|module|namespace|union|record|object|protocol|macro_rules!|#\\s*define|typedef'
  return new RegExp(
    `(?:^|[^\\w$])(?:${keywords})\\s+(?:\\([^)]*\\)\\s*|self\\.)?${escaped}\\b(?!\\s*\\.)`,
  ).test(text)
    ? 'definition'
    : null
}
