/** The prompts: one file each in `prompts/`, with its version in its name, so that a run can say which one asked. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './package-root.ts'

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
  const known = read.get(id)
  if (known) return known
  const text = readFileSync(join(packageRoot, 'prompts', `${name}.v${version}.md`), 'utf8').trim()
  const prompt = { id, text }
  read.set(id, prompt)
  return prompt
}
