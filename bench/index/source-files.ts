/** The files of a commit that have a language of ours, read from git a part at a time. Absent blobs are passed over. */
import { execFileSync } from 'node:child_process'
import { languageOf } from '../../src/code-index/language-of.ts'
import { languages } from '../../src/code-index/languages/registry.ts'

export type SourceFile = { path: string; blob: string; text: string; language: string }

const biggestOutput = 2 ** 30
/** As much as the index reads at once. */
const filesAtOnce = 400

export function* sourceFiles(gitDirectory: string, commit = 'HEAD'): Generator<SourceFile[]> {
  const git = (args: string[], input?: string): Buffer =>
    execFileSync('git', ['--git-dir', gitDirectory, ...args], { input, maxBuffer: biggestOutput })
  const entries = git(['ls-tree', '-r', '-z', commit])
    .toString()
    .split('\0')
    .flatMap((line) => {
      const [, mode, blob, path] = /^(\d+) blob (\w+)\t(.*)$/s.exec(line) ?? []
      const language = path === undefined ? null : languageOf(path)
      const wanted = mode?.startsWith('100') && language !== null && languages.has(language)
      return wanted && blob && path ? [{ blob, path, language }] : []
    })
  for (let from = 0; from < entries.length; from += filesAtOnce) {
    const part = entries.slice(from, from + filesAtOnce)
    const output = git(['cat-file', '--batch'], part.map(({ blob }) => `${blob}\n`).join(''))
    yield [...withTexts(part, output)]
  }
}

function* withTexts(entries: readonly Omit<SourceFile, 'text'>[], output: Buffer): Generator<SourceFile> {
  let at = 0
  for (const entry of entries) {
    const headerEnd = output.indexOf(10, at)
    const size = Number(output.toString('utf8', at, headerEnd).split(' ')[2])
    at = headerEnd + 1
    if (Number.isNaN(size)) continue
    yield { ...entry, text: output.toString('utf8', at, at + size) }
    at += size + 1
  }
}
