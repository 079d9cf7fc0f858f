/** The package's own files (rules, grammars, prompts): in the same place for the sources and for the build. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { remembered } from './remembered.ts'

function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}

export const packageRoot = findRoot()

export const packageVersion: string = JSON.parse(
  readFileSync(join(packageRoot, 'package.json'), 'utf8'),
).version

/** A prompt is a file in `prompts/` with its version in its name, so that a run can say which one it used. */
export type PromptFile = {
  /** `quick-review@1`, as the journal keeps it. */
  id: string
  /** Our own words only. */
  text: string
}

const read = new Map<string, PromptFile>()

/** Throws when there is no such file: that is our bug. */
export function readPrompt(name: string, version: number): PromptFile {
  const id = `${name}@${version}`
  const path = join(packageRoot, 'prompts', `${name}.v${version}.md`)
  return remembered(read, id, () => ({ id, text: readFileSync(path, 'utf8').trim() }))
}
