/** What every host, step and log has to stand after a hostile fork: nothing ran, nothing is alive, nothing is told. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Change } from '../../helpers/hosts/engine/change.ts'
import { pwned } from './hostile-pulls.ts'

type Seen = {
  /** What people see on the host and in the summary of a job. */
  posted: readonly (string | null | undefined)[]
  logs: readonly string[]
  /** Where the steps worked. */
  folder: string
  secrets: readonly string[]
}

export function expectInert({ posted, logs, folder, secrets }: Seen): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  for (const { name } of files) expect(name).not.toContain(pwned)
  expect(existsSync(join(process.cwd(), pwned))).toBe(false)
  // What is code in Markdown stays as it is.
  const seen = posted.map((text) =>
    (text ?? '').replace(/^(`{3,})[\s\S]*?^\1$/gm, '').replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, ''),
  )
  for (const text of seen) {
    expect(text).not.toMatch(
      /(?<!\\)!\[|<img|\]\(https:\/\/evil|<https:\/\/evil|(?<![`\w\\/])@(?:acme|ada|eve)\b/,
    )
    expect(text).not.toContain('\u202e')
  }
  for (const log of logs) {
    const commands = log.split(/\r?\n/).filter((line) => /^(?:::|##vso\[|section_(?:start|end):)/.test(line))
    expect(
      commands.filter((line) => !/^::(?:notice|error)::(?:Nothing to review|sightline )/.test(line)),
    ).toEqual([])
    expect(log).not.toContain('\u001b]')
  }
  const written = files
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
  for (const text of [...seen, ...logs, ...written])
    for (const secret of secrets) expect(text).not.toContain(secret)
}

/** Everything with words of ours or of models on the change request. */
export const postedOn = ({ reviews, comments, threads }: Change): string[] =>
  [...reviews, ...comments, ...threads.flatMap(({ notes }) => notes)].map(({ body }) => body)
