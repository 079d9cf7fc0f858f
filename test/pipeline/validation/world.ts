/** Small worlds for the tests of validation: two trees in memory, their diff, and facts as given. */
import { structuredPatch } from 'diff'
import type { FactStore, FileFacts, Reference } from '../../../src/code-index/contract.ts'
import { defaultConfig } from '../../../src/config/schema.ts'
import type { ChangeSet, DiffLine, FileChange, Hunk, Side } from '../../../src/domain/change-set.ts'
import type { CodeSymbol, SymbolChange } from '../../../src/domain/code-symbol.ts'
import type { Evidence } from '../../../src/domain/evidence.ts'
import type { Candidate } from '../../../src/domain/finding.ts'
import { lineHash, tagOf } from '../../../src/domain/line-tag.ts'
import type { ReviewContext } from '../../../src/domain/review-context.ts'
import type { RepoSnapshot } from '../../../src/domain/snapshot.ts'
import { openSources, type Sources } from '../../../src/pipeline/validation/sources.ts'
import type { ValidationInput } from '../../../src/pipeline/validation/validate.ts'
import { blobOf, memorySnapshot, type Texts } from '../../helpers/in-memory/change.ts'

export type World = {
  change: ChangeSet
  base: RepoSnapshot
  head: RepoSnapshot
  facts: FactStore
  sources: Sources
}

export type WorldOptions = {
  /** Head path → base path. */
  renames?: Record<string, string>
  /** By side and path: `new:src/a.ts`. A file without facts counts as not parsed. */
  facts?: Record<string, Partial<FileFacts>>
  files?: Record<string, Partial<FileChange>>
}

export function createWorld(before: Texts, after: Texts, options: WorldOptions = {}): World {
  const change = changeBetween(before, after, options)
  const base = memorySnapshot(before)
  const head = memorySnapshot(after)
  const facts = givenFacts(before, after, options.facts ?? {})
  return { change, base, head, facts, sources: openSources({ change, base, head, facts, history: null }) }
}

export function changeBetween(
  before: Texts,
  after: Texts,
  { renames = {}, files = {} }: WorldOptions,
): ChangeSet {
  const gone = new Set(Object.values(renames))
  const paths = [
    ...new Set([...Object.keys(before).filter((path) => !gone.has(path)), ...Object.keys(after)]),
  ].sort()
  return {
    overflow: [],
    files: paths.flatMap((path) => {
      const oldPath = renames[path] ?? null
      const [old, now] = [before[oldPath ?? path], after[path]]
      if (old === now && oldPath === null) return []
      const hunks = hunksBetween(old ?? '', now ?? '')
      const count = (kind: string) =>
        hunks.flatMap((hunk) => hunk.lines).filter((line) => line.kind === kind).length
      const file: FileChange = {
        path,
        oldPath,
        status:
          oldPath !== null
            ? 'renamed'
            : old === undefined
              ? 'added'
              : now === undefined
                ? 'deleted'
                : 'modified',
        kind: 'text',
        role: /(^|\/)tests?\//.test(path) ? 'test' : 'source',
        language: 'typescript',
        oldMode: old === undefined ? null : '100644',
        newMode: now === undefined ? null : '100644',
        oldBlob: old === undefined ? null : blobOf(old),
        newBlob: now === undefined ? null : blobOf(now),
        similarity: null,
        added: count('added'),
        removed: count('removed'),
        hunks,
        omitted: null,
        ...files[path],
      }
      return [file]
    }),
  }
}

function hunksBetween(before: string, after: string): Hunk[] {
  return structuredPatch('a', 'b', before, after, '', '', { context: 3 }).hunks.map((hunk) => {
    let [old, now] = [hunk.oldStart, hunk.newStart]
    const lines = hunk.lines.flatMap((raw): DiffLine[] => {
      const text = raw.slice(1)
      const hash = lineHash(text)
      if (raw.startsWith('+')) return [{ kind: 'added', old: null, new: now++, text, hash }]
      if (raw.startsWith('-')) return [{ kind: 'removed', old: old++, new: null, text, hash }]
      if (raw.startsWith(' ')) return [{ kind: 'context', old: old++, new: now++, text, hash }]
      return []
    })
    const { oldStart, oldLines, newStart, newLines } = hunk
    return { oldStart, oldLines, newStart, newLines, section: '', lines }
  })
}

/** The tag of the diff line with this number on this side. Throws when the diff has none. */
export function tagAt(change: ChangeSet, path: string, number: number, side: Side = 'new'): string {
  const lines = change.files.find((file) => file.path === path)?.hunks.flatMap((hunk) => hunk.lines) ?? []
  const line = lines.find((one) => one[side] === number)
  if (!line) throw new Error(`the diff of ${path} has no ${side} line ${number}`)
  return tagOf(line)
}

export function candidate(overrides: Partial<Candidate> = {}): Candidate {
  return {
    id: 'C1',
    plane: 'contract',
    rule: 'contract/removed-symbol',
    severity: 'high',
    category: 'contract',
    confidence: 'certain',
    title: '`parse` is gone and is still called',
    explanation: 'The call fails.',
    remedy: null,
    anchor: { path: 'src/a.ts', tags: [] },
    claims: [],
    suggestion: null,
    preExisting: false,
    evidence: [],
    ...overrides,
  }
}

/** Evidence that holds: the given lines of a text of the head, or of what `overrides` says. */
export function evidenceOf(
  path: string,
  line: number,
  text: string,
  overrides: Partial<Evidence> = {},
): Evidence {
  return {
    id: 'E1',
    source: 'file',
    trust: 'foreign',
    title: 'the line',
    path,
    blob: null,
    side: 'new',
    startLine: line,
    endLine: line + text.split('\n').length - 1,
    text,
    ...overrides,
  }
}

export function contextOf(change: ChangeSet, overrides: Partial<ReviewContext> = {}): ReviewContext {
  const id = '0'.repeat(40)
  return {
    schemaVersion: 1,
    hash: 'f'.repeat(64),
    request: {
      schemaVersion: 1,
      source: { kind: 'range', label: 'a..b' },
      objectFormat: 'sha1',
      base: { commit: null, tree: id },
      head: { commit: null, tree: id },
      title: '',
      body: '',
      author: null,
      limits: [],
      unread: [],
    },
    configHash: '0'.repeat(64),
    change,
    symbols: [],
    tests: [],
    evidence: [],
    around: null,
    cuts: [],
    ...overrides,
  }
}

export function inputOf(
  world: World,
  overrides: Partial<ValidationInput> & { evidence?: Evidence[] } = {},
): ValidationInput {
  const { evidence = [], ...rest } = overrides
  return {
    candidates: [],
    context: contextOf(world.change, { evidence }),
    base: world.base,
    head: world.head,
    facts: world.facts,
    config: defaultConfig,
    planes: ['secrets', 'contract', 'rules', 'tests'],
    ...rest,
  }
}

function givenFacts(before: Texts, after: Texts, given: Record<string, Partial<FileFacts>>): FactStore {
  const byText = new Map<string, FileFacts>()
  for (const [key, facts] of Object.entries(given)) {
    const path = key.slice(4)
    byText.set(`${path} ${(key.startsWith('new:') ? after : before)[path]}`, factsOf(facts))
  }
  return {
    failures: [],
    facts: async (files) =>
      new Map(
        files.flatMap(({ path, text }) => {
          const facts = byText.get(`${path} ${text}`)
          return facts ? [[path, facts] as const] : []
        }),
      ),
    close: async () => {},
  }
}

export function factsOf(facts: Partial<FileFacts>): FileFacts {
  return {
    language: 'typescript',
    symbols: [],
    parents: [],
    references: [],
    imports: [],
    exports: [],
    typedNames: [],
    supertypes: [],
    packageName: null,
    otherPackages: [],
    errorLines: [],
    lineCount: Math.max(1, ...(facts.symbols ?? []).map(({ endLine }) => endLine)),
    ...facts,
  }
}

export function symbol(name: string, line: number, overrides: Partial<CodeSymbol> = {}): CodeSymbol {
  return {
    name,
    kind: 'function',
    scope: '',
    startLine: line,
    endLine: line,
    nameLine: line,
    signature: { text: `function ${name}()`, parameters: [], returnType: null },
    visibility: 'exported',
    signatureHash: '0'.repeat(16),
    bodyHash: '0'.repeat(16),
    isTest: false,
    doc: null,
    ...overrides,
  }
}

export function reference(name: string, line: number, overrides: Partial<Reference> = {}): Reference {
  return {
    name,
    role: 'call',
    line,
    column: 0,
    endLine: line,
    enclosing: null,
    receiver: null,
    call: null,
    shadowed: false,
    ...overrides,
  }
}

export function symbolChange(overrides: Partial<SymbolChange>): SymbolChange {
  return {
    kind: 'removed',
    language: 'typescript',
    before: null,
    after: null,
    delta: null,
    bodyChanged: false,
    similarity: null,
    ...overrides,
  }
}
