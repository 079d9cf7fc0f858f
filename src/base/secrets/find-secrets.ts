/**
 * Finds secrets in a text: the library's recommended preset, and our own patterns for what it misses. Comments in the
 * text cannot switch it off. Used to report secrets in a change and to redact every byte that goes out.
 */
import { lintSource } from '@secretlint/core'
import { creator, rules } from '@secretlint/secretlint-rule-preset-recommend'
import type { SecretMatch } from './contract.ts'
import { ownPatterns } from './own-patterns.ts'
import { isPlaceholder, looksRandom } from './placeholder.ts'

const rulePrefix = '@secretlint/secretlint-rule-'

/** Rules that match a form that may also be harmless, such as a password in an address of a local database. */
const uncertain = new Set(['basicauth', 'database-connection-string'])

/** Its comments would let a change switch the search off. */
const commentSwitch = `${rulePrefix}filter-comments`

const preset = {
  id: '@secretlint/secretlint-rule-preset-recommend',
  rule: { ...creator, rules: rules.filter((rule) => rule.meta.id !== commentSwitch) },
  rules: [{ id: commentSwitch, disabled: true }],
}

/** In order of place, without overlaps; rejects when the library does. `path` only helps rules that look at the file's name. */
export async function findSecrets(path: string, text: string): Promise<SecretMatch[]> {
  return withoutOverlaps([...(await findByLibrary(path, text)), ...findByOwnPatterns(text)])
}

function withoutOverlaps(matches: SecretMatch[]): SecretMatch[] {
  matches.sort((a, b) => a.start - b.start || b.end - a.end)
  const kept: SecretMatch[] = []
  for (const match of matches) if (match.start >= (kept.at(-1)?.end ?? 0)) kept.push(match)
  return kept
}

async function findByLibrary(path: string, text: string): Promise<SecretMatch[]> {
  const ext = /\.[A-Za-z0-9]+$/.exec(path)?.[0] ?? ''
  const { messages } = await lintSource({
    source: { filePath: path || 'text', content: text, ext, contentType: 'text' },
    options: { config: { rules: [preset] }, maskSecrets: false, noPhysicFilePath: true },
  })
  return messages.flatMap((message) => {
    if (message.type !== 'message') return []
    const [start, end] = message.range
    const value = text.slice(start, end)
    const rule = message.ruleId.slice(rulePrefix.length)
    const certain = !uncertain.has(rule)
    // A provider's form with a made-up filling (`ghp_xxxx…`, the key of a manual) opens nothing.
    if (value === '' || isMadeUp(value) || (!certain && isLocal(value))) return []
    return [{ kind: nameOf(rule), start, end, value, certain }]
  })
}

function isMadeUp(value: string): boolean {
  return /example|xxxx|<|>|\$\{|\*{3}|(.)\1{7}|1234567890|abcdefghij/i.test(value)
}

/** Credentials of a database on the developer's own machine, or plainly invented ones. */
function isLocal(value: string): boolean {
  return (
    /@(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|db|database|postgres|mysql|mongo|redis|host)\b/i.test(
      value,
    ) ||
    /:(?:password|pass|secret|admin|root|user|test|postgres|changeme|pw|pwd|1234\w*)@/i.test(value) ||
    /@[^/@]*(?:\.test|\.invalid|\.local|host)\b/i.test(value)
  )
}

/** Needs nothing but the text, and never throws. In order of place, without overlaps. */
export function findByOwnPatterns(text: string): SecretMatch[] {
  const matches = ownPatterns.flatMap(({ kind, pattern, certain, group = 0 }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const value = match[group] ?? ''
      const start = match.index + match[0].lastIndexOf(value)
      if (isMadeUp(value) || (!certain && (isPlaceholder(value) || !looksRandom(value)))) return []
      return [{ kind, start, end: start + value.length, value, certain }]
    }),
  )
  return withoutOverlaps(matches)
}

/** `github` → `GitHub secret`. */
function nameOf(rule: string): string {
  const brands: Record<string, string> = {
    aws: 'AWS secret',
    gcp: 'Google Cloud key',
    privatekey: 'private key',
    github: 'GitHub token',
    gitlab: 'GitLab token',
    npm: 'npm token',
    openai: 'OpenAI API key',
    basicauth: 'password in an address',
    'database-connection-string': 'database password in an address',
  }
  return brands[rule] ?? `${rule.charAt(0).toUpperCase()}${rule.slice(1)} secret`
}
