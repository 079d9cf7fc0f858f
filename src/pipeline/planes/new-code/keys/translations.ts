/** Keys of translated texts, declared in the files of the language that the texts are written in first. */

import { remembered } from '../../../../base/remembered.ts'
import { nearestName } from '../near-miss.ts'
import type { Judged, KeyFamily, KeySides, KeyUse, Registry } from './contract.ts'

const uses =
  /(?<![\w$.])(?:i18n\.|i18next\.|this\.\$?|I18n\.)?(?:\$?t|translate)\(\s*(?:"([\w.:-]{1,150})"|'([\w.:-]{1,150})'|`([\w.:-]{1,150})`)|\bi18nKey=["']([\w.:-]{1,150})["']/g

const folders: ReadonlySet<string> = new Set([
  'locale',
  'locales',
  'i18n',
  'lang',
  'langs',
  'languages',
  'translation',
  'translations',
  'messages',
])

/** In a file with fewer keys that are declared, `t` may be anything. */
const fewest = 2
const enough = 0.8

export const translations: KeyFamily = {
  rule: 'new-code/unknown-translation-key',
  usesIn(line) {
    const found: string[] = []
    for (const match of line.matchAll(uses)) {
      const key = match[1] ?? match[2] ?? match[3] ?? match[4] ?? ''
      const rest = line.slice(match.index + match[0].length).trimStart()
      // A second argument that is a text, or names a default, is what is shown.
      const hasDefault = rest.startsWith(',') && (/^,\s*["'`]/.test(rest) || /default/i.test(rest))
      const isWhole = match[4] !== undefined || rest.startsWith(')') || rest.startsWith(',')
      if (isWhole && !hasDefault && /^[A-Za-z]/.test(key) && /\w$/.test(key)) found.push(key)
    }
    return found
  },
  isRegistry(path) {
    if (!/\.(?:json|ya?ml|ts|js)$/.test(path) || /\.(?:test|spec|d)\.[jt]s$/.test(path)) return false
    const parts = path.split('/')
    const at = parts.findIndex((part) => folders.has(part))
    return at >= 0 && parts.slice(at + 1).some((part) => /^en(?:[-_][A-Za-z]{2,4})?(?:\.\w+)?$/.test(part))
  },
  judge,
}

async function judge(
  { key, file, line }: KeyUse,
  registries: readonly Registry[],
  { head }: KeySides,
): Promise<Judged | null> {
  const near = nearest(registries, file.path)
  const words = near.map(wordsOf)
  const isKnown = (wanted: string): boolean => words.some((registry) => declares(registry, wanted))
  if (isKnown(key) || registries.map(wordsOf).some((registry) => declares(registry, key))) return null
  // Where keys are the texts themselves, one without a translation is shown as it is meant.
  if (words.some(({ paths }) => [...paths.keys()].some((one) => one.includes(' ')))) return null
  const text = (await head.read(file.path))?.text ?? ''
  const below = text.split('\n').slice(line - 1, line + linesOfElement)
  if (hasOwnText(below.join('\n'), key)) return null
  const siblings = new Set(
    text.split('\n').flatMap((line) => (line.length > 1_000 ? [] : translations.usesIn(line))),
  )
  siblings.delete(key)
  const known = [...siblings].filter(isKnown).length
  if (known < fewest || known < enough * siblings.size) return null
  const [registry] = near
  if (!registry) return null
  const all = words.flatMap(({ paths }) => [...paths.keys()])
  const meant = nearestName(key, all)
  const shownLine = meant === null ? undefined : lineOf(registry.text, meant.split('.').at(-1) ?? '')
  return {
    title: `No translation has the key \`${key}\`${meant === null ? '' : `; did you mean \`${meant}\`?`}`,
    explanation: `The other keys in \`${file.path}\` are declared in \`${registry.path}\`, and \`${key}\` is not. Users see the key instead of a text.`,
    remedy:
      meant === null ? `Add \`${key}\` to \`${registry.path}\`.` : `Use \`${meant}\`, or add \`${key}\`.`,
    shown: [{ path: registry.path, line: shownLine ?? 1, title: 'where the other keys are declared' }],
  }
}

/** Lines of an element, in which its text may follow. */
const linesOfElement = 6

/** An element with a default, which is shown until the key is collected from it. */
function hasOwnText(lines: string, key: string): boolean {
  const at = lines.indexOf(key)
  const element = at < 0 ? '' : (/^[^>]{0,600}/.exec(lines.slice(at))?.[0] ?? '')
  return /\bdefaults?(?:Value|Message)?\s*[=:]/.test(element)
}

/** Those that share the most folders with the file: a repository may hold several applications. */
function nearest(registries: readonly Registry[], path: string): readonly Registry[] {
  const shared = (other: string): number => {
    const [own, its] = [path.split('/'), other.split('/')]
    const at = own.findIndex((part, index) => part !== its[index])
    return at < 0 ? own.length : at
  }
  const most = Math.max(...registries.map((registry) => shared(registry.path)))
  return registries.filter((registry) => shared(registry.path) === most)
}

/** `paths`: every key in full, for JSON. `parts`: every part of a key, where only lines are read. */
type Words = { paths: ReadonlyMap<string, true>; parts: ReadonlySet<string> | null }

const read = new WeakMap<Registry, Words>()

function wordsOf(registry: Registry): Words {
  return remembered(read, registry, readWords)
}

function readWords({ path, text }: Registry): Words {
  const paths = new Map<string, true>()
  if (path.endsWith('.json'))
    try {
      collect(JSON.parse(text), '', paths, 0)
      return { paths, parts: null }
    } catch {
      // Comments or a fault: read by lines.
    }
  const parts = [...text.matchAll(/(?:^|[\s{,])["'`]?([\w.-]{1,100})["'`]?\s*:/g)]
  return {
    paths,
    parts: new Set(parts.flatMap(([, word = '']) => [word, ...word.split('.'), withoutForm(word)])),
  }
}

/** `dueDate_title` is `dueDate` in a context, as `file_other` is `file` of another number. */
function withoutForm(word: string): string {
  return word.slice(0, word.includes('_') ? word.lastIndexOf('_') : undefined)
}

function collect(value: unknown, prefix: string, into: Map<string, true>, depth: number): void {
  if (prefix !== '') into.set(prefix, true)
  if (typeof value !== 'object' || value === null || depth > 20) return
  for (const [name, inner] of Object.entries(value))
    collect(inner, prefix === '' ? name : `${prefix}.${name}`, into, depth + 1)
}

/** In full, below a prefix that the file sets, or in one of the forms for number and gender. */
function declares({ paths, parts }: Words, key: string): boolean {
  const plain = key.replaceAll(':', '.')
  if (parts) return plain.split('.').every((part) => parts.has(part))
  if (paths.has(plain)) return true
  const below = `.${plain}`
  const unspaced = plain.slice(plain.indexOf('.') + 1)
  for (const path of paths.keys())
    if (
      path.endsWith(below) ||
      path.startsWith(`${plain}_`) ||
      path.includes(`${below}_`) ||
      path === unspaced
    )
      return true
  return false
}

function lineOf(text: string, word: string): number | undefined {
  const at = text.split('\n').findIndex((line) => line.includes(`"${word}"`))
  return at < 0 ? undefined : at + 1
}
