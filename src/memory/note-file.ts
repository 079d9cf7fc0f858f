/** The files of `.sightline/memory`: front matter and one rule or fact, as it is read and as it is written. Pure. */
import { stringify } from 'yaml'
import { z } from 'zod'
import { canonicalJson, sha256 } from '../base/canonical-json.ts'
import { visibleText } from '../base/visible-text.ts'
import { readYaml } from '../config/read-yaml.ts'
import { isGuard } from '../domain/guards.ts'
import { type MemoryNote, memoryFolder, type NoteState, NoteTest } from '../domain/memory.ts'

const longestFile = 8_000
const longestText = 2_000
const noteName = /^[a-z0-9][a-z0-9-]{0,79}$/

const line = z.string().trim().min(1).max(300)
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'Write the day as YYYY-MM-DD.')
  .refine((text) => !Number.isNaN(Date.parse(text)), 'There is no such day.')
const rule = z
  .string()
  .regex(/^[\w./-]{1,200}$/, 'Write the id of one rule, as a finding shows it.')
  .refine(
    (id) => !isGuard(id.replace(/\/.*/, '')),
    'Findings of secrets, hidden characters and instructions cannot be dismissed or lowered.',
  )
const glob = z
  .string()
  .min(1)
  .max(300)
  .refine(
    (text) => !/^(?:\/|~|!)|(?:^|\/)\.\.(?:\/|$)|[\0\\]/.test(text),
    'Write a path or glob from the root of the repository, with `/`, and without `..` or a leading `!`.',
  )

const FrontMatter = z
  .strictObject({
    scope: z.enum(['repository', 'paths', 'symbols']),
    paths: z.array(glob).min(1).max(50).optional(),
    symbols: z
      .array(z.string().regex(/^[\p{L}\p{N}_$.:#]{1,200}$/u, 'Write the name of a symbol.'))
      .min(1)
      .max(50)
      .optional(),
    dismiss: rule.optional(),
    minor: rule.optional(),
    origin: line,
    evidence: z.array(line).max(20).default([]),
    state: z.enum(['proposed', 'active', 'retired']),
    expires: day.optional(),
    tested: NoteTest.optional(),
    because: line.optional(),
  })
  .superRefine(({ scope, paths, symbols, dismiss, minor }, context) => {
    const fault = (key: string, message: string) => context.addIssue({ code: 'custom', path: [key], message })
    if ((scope === 'paths') !== (paths !== undefined))
      fault(paths ? 'paths' : 'scope', '`scope: paths` and `paths` belong together.')
    if ((scope === 'symbols') !== (symbols !== undefined))
      fault(symbols ? 'symbols' : 'scope', '`scope: symbols` and `symbols` belong together.')
    if (dismiss !== undefined && minor !== undefined)
      fault('minor', 'A note either dismisses findings of a rule or makes them minor.')
    if ((dismiss ?? minor) !== undefined && scope !== 'paths')
      fault('scope', 'A note about findings of a rule needs `scope: paths`; `["**"]` are all paths.')
  })

export type ReadNote = { note: MemoryNote; fault: null } | { note: null; fault: string }

/** `today`: `2026-11-23`, in UTC. A fault names the file and the line, and the file then has no effect at all. */
export function readNote(path: string, text: string, today: string): ReadNote {
  const refused = (at: number, why: string): ReadNote => ({
    note: null,
    fault: `${path}, line ${at}: ${why}`,
  })
  const name = path.slice(memoryFolder.length + 1).replace(/\.md$/, '')
  if (!noteName.test(name))
    return refused(1, 'Name the file with small letters, digits and hyphens: `cents.md`.')
  if (text.length > longestFile) return refused(1, `The file has more than ${longestFile} characters.`)
  const plain = text.replaceAll('\r\n', '\n')
  const hiddenAt = plain.split('\n').findIndex((one) => visibleText(one) !== one)
  if (hiddenAt >= 0) return refused(hiddenAt + 1, 'The line has characters that are not visible.')
  const lines = plain.split('\n')
  const end = lines.findIndex((one, at) => at > 0 && one.trimEnd() === '---')
  if (lines[0] !== '---' || end < 0)
    return refused(1, 'The file begins with front matter between two lines `---`.')
  const front = lines.slice(1, end).join('\n')
  const yaml = readYaml(front)
  const [problem] = yaml.problems
  if (problem) return refused(problem.line + 1, problem.message)
  const read = FrontMatter.safeParse(yaml.value)
  if (!read.success) {
    const [issue] = read.error.issues
    const key = (issue?.path ?? []).map((step) => (typeof step === 'number' ? step : String(step)))
    const where = key.length > 0 ? `\`${key.join('.')}\`: ` : ''
    return refused(yaml.positionOf(key, 'value').line + 1, `${where}${issue?.message ?? 'It is not valid.'}`)
  }
  const words = lines
    .slice(end + 1)
    .join('\n')
    .trim()
  if (words === '') return refused(end + 1, 'The rule or fact is missing below the front matter.')
  if (words.length > longestText) return refused(end + 2, `The text has more than ${longestText} characters.`)
  const { dismiss, minor, tested = null, state, expires = null, ...given } = read.data
  const effect = dismiss
    ? { kind: 'dismiss' as const, rule: dismiss }
    : minor
      ? { kind: 'minor' as const, rule: minor }
      : null
  const note: MemoryNote = {
    name,
    path,
    scope: given.scope,
    paths: given.paths ?? [],
    symbols: given.symbols ?? [],
    effect,
    origin: given.origin,
    evidence: given.evidence,
    state,
    expires,
    tested,
    because: given.because ?? null,
    text: words,
  }
  return { note: { ...note, state: standing(note, state, today) }, fault: null }
}

function standing(note: MemoryNote, state: 'proposed' | 'active' | 'retired', today: string): NoteState {
  if (state !== 'active') return state
  if (note.expires !== null && note.expires < today) return 'expired'
  return note.tested?.of === digestOf(note) ? 'active' : 'untested'
}

/** Names all of a note that decides what it does. */
export function digestOf({ scope, paths, symbols, effect, text }: MemoryNote): string {
  return sha256(canonicalJson([1, scope, paths, symbols, effect, text])).slice(0, 16)
}

/** The file of a note. What is read from it is the same note; `untested` and `expired` are not written. */
export function writeNote({
  scope,
  paths,
  symbols,
  effect,
  origin,
  evidence,
  state,
  expires,
  tested,
  because,
  text,
}: MemoryNote): string {
  const front = {
    scope,
    ...(scope === 'paths' ? { paths } : {}),
    ...(scope === 'symbols' ? { symbols } : {}),
    ...(effect ? { [effect.kind]: effect.rule } : {}),
    origin,
    ...(evidence.length > 0 ? { evidence } : {}),
    state: state === 'untested' || state === 'expired' ? 'active' : state,
    ...(expires === null ? {} : { expires }),
    ...(tested ? { tested } : {}),
    ...(because === null ? {} : { because }),
  }
  return `---\n${stringify(front, { lineWidth: 0 })}---\n${text}\n`
}

/** What it is about, in words: `everything`, `src/api/**`, `Money.add`. */
export function scopeWords({
  scope,
  paths,
  symbols,
}: Pick<MemoryNote, 'scope' | 'paths' | 'symbols'>): string {
  return scope === 'repository' ? 'everything' : (scope === 'paths' ? paths : symbols).join(', ')
}
