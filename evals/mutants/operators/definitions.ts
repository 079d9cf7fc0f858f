/** Definitions of changed code and where else they are called by name. */

import { isCommentLine } from '../../../src/index.ts'
import type { LineRange } from '../../cases/eval-case.ts'
import type { Ground, Language } from '../contract.ts'
import { allSources, changedSources, type Source } from '../sources.ts'

export type Definition = {
  source: Source
  index: number
  name: string
  /** Calls in other files of the repository. */
  callers: LineRange[]
}

const patterns: Readonly<Record<Language, RegExp>> = {
  typescript: /^export (?:async )?function (\w+)\(/,
  python: /^(?:async )?def ([a-z]\w*)\(/,
  go: /^func (?:\(\w+ \*?\w+\) )?([A-Z]\w*)\(/,
  rust: /^\s*pub fn (\w+)\(/,
  java: /^ {2}public (?:static )?[\w<>]+ (\w+)\(/,
}

/** Those in files of the change that are called from other files than tests; the files of the change may be old. */
export function calledDefinitions(ground: Ground): Definition[] {
  const all = allSources(ground)
  return changedSources(ground)
    .concat(all.filter(({ path, isTest }) => !ground.touched.includes(path) && !isTest))
    .flatMap((source) =>
      source.lines.flatMap((line, index) => {
        const name = patterns[source.language].exec(line)?.[1]
        if (name === undefined || name.length < 3) return []
        const callers = all
          .filter(
            ({ path, isTest, language }) => path !== source.path && !isTest && language === source.language,
          )
          .flatMap((other) => callsIn(other, name))
        return callers.length > 0 ? [{ source, index, name, callers }] : []
      }),
    )
}

function callsIn({ path, lines, language }: Source, name: string): LineRange[] {
  const call = new RegExp(`\\b${name}\\(`)
  return lines.flatMap((line, index): LineRange[] =>
    call.test(line) && !isCommentLine(line) && !patterns[language].test(line)
      ? [{ file: path, start: index + 1, end: index + 1, side: 'right' }]
      : [],
  )
}
