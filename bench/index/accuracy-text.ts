/** Witnesses that know nothing of our parsers: `git grep -w` for words, Universal Ctags for definitions. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { familyOf } from './accuracy-draw.ts'

export type Tag = { name: string; path: string; line: number; kind: string; language: string }
export type TextHit = { path: string; line: number; text: string }

const biggestOutput = 2 ** 30

/** Lines of the last commit that hold each word by git's idea of a word, in which `$` is no part of it. */
export function grepWords(folder: string, words: readonly string[]): Map<string, TextHit[]> {
  const found = new Map<string, TextHit[]>()
  const wanted = new Set(words)
  if (wanted.size === 0) return found
  const { stdout } = spawnSync(
    'git',
    ['--git-dir', folder, 'grep', '-nwFIz', '--full-name', '-f', '-', 'HEAD'],
    { input: `${[...wanted].join('\n')}\n`, maxBuffer: biggestOutput, encoding: 'utf8' },
  )
  for (const row of stdout.split('\n')) {
    const [place = '', number = '', ...rest] = row.split('\0')
    const text = rest.join('\0')
    const hit = { path: place.replace(/^HEAD:/, ''), line: Number(number), text }
    for (const word of new Set(text.match(/\w+/g))) {
      if (!wanted.has(word)) continue
      const list = found.get(word)
      if (list) list.push(hit)
      else found.set(word, [hit])
    }
  }
  return found
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
