/** Environment variables, declared in example files such as `.env.example`. */

import { environmentReads } from '../../../../workspace/kinds/setting/environment-names.ts'
import { nearestName } from '../near-miss.ts'
import type { Judged, KeyFamily, KeySides, KeyUse, Registry } from './contract.ts'

export const environment: KeyFamily = {
  rule: 'new-code/unknown-environment-variable',
  usesIn: (line) => environmentReads(line).map(({ name }) => name),
  isRegistry: (path) =>
    /(?:^|\/)(?:\.env|env)(?:\.[\w-]+){0,2}\.?(?:example|sample|template|dist|defaults?)$|(?:^|\/)\.env$/.test(
      path,
    ),
  judge,
}

/** Only a near miss: a new variable may well be declared where it is deployed. */
async function judge(
  { key, file }: KeyUse,
  registries: readonly Registry[],
  { base, head }: KeySides,
): Promise<Judged | null> {
  const declared = new Map<string, { path: string; line: number }>()
  for (const { path, text } of registries)
    for (const [at, line] of text.split('\n').entries()) {
      const word = /^\s*(?:#\s*)?(?:export\s+)?([A-Z][A-Z\d_]+)\s*=/.exec(line)?.[1]
      if (word !== undefined && !declared.has(word)) declared.set(word, { path, line: at + 1 })
    }
  if (declared.has(key)) return null
  const meant = nearestName(key, [...declared.keys()])
  const place = meant === null ? undefined : declared.get(meant)
  if (meant === null || !place) return null
  const before = await base.filesWithWords([key, meant])
  if ((before.get(key) ?? []).length > 0) return null
  // The one that was meant is read somewhere, too.
  const readers = (before.get(meant) ?? []).filter((path) => !environment.isRegistry(path))
  if (readers.length === 0) return null
  const now = (await head.filesWithWords([key])).get(key) ?? []
  if (await isDeclared(key, now, head)) return null
  return {
    title: `The environment variable \`${key}\` is declared nowhere; did you mean \`${meant}\`?`,
    explanation: `\`${file.path}\` reads \`${key}\`. \`${place.path}\` declares \`${meant}\` instead, which other code reads, and nothing in the repository sets \`${key}\`.`,
    remedy: `Read \`${meant}\`, or declare \`${key}\` in \`${place.path}\`.`,
    shown: [{ ...place, title: `\`${meant}\` declared` }],
  }
}

/** True when some file writes the name other than to read the variable. */
async function isDeclared(key: string, paths: readonly string[], head: KeySides['head']): Promise<boolean> {
  const texts = await head.readMany(paths)
  for (const { text } of texts.values())
    for (const line of text.split('\n'))
      if (new RegExp(`\\b${key}\\b`).test(line) && !environment.usesIn(line.slice(0, 1_000)).includes(key))
        return true
  return false
}
