/** The new-code plane: what new code takes from the rest of the repository, and the repository does not have like that. */
import { looksGenerated } from '../../../base/generated-mark.ts'
import { openWorld } from '../../../code-index/resolve/world.ts'
import { pathOn } from '../../../domain/change-set.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import { fileKinds } from '../contract/repo-search.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'
import { crowdedLimits, lookUpLimits } from '../crowded-names.ts'
import { oncePerCause } from '../one-cause.ts'
import { lostBrackets } from './brackets.ts'
import { openConflicts } from './conflicts.ts'
import { unknownKeys } from './keys/unknown-keys.ts'
import { findingOf, type Misuse } from './misuse.ts'
import { judgedFiles, newUsesOf } from './new-uses.ts'
import { wrongOverrides } from './overrides.ts'
import { wrongCases } from './path-case.ts'
import { unboundNames } from './unbound-names.ts'
import { unknownNames } from './unknown-names.ts'
import { wrongCalls } from './wrong-calls.ts'

export const newCodePlane: Plane = {
  name: 'new-code',
  description: 'new imports, calls, overrides and keys that do not match the rest of the repository',
  wrongIf: 'the name is made while the program runs, or by generated code',
  look,
}

async function look(input: PlaneInput): Promise<PlaneReport> {
  const { change } = input.context
  const kinds = fileKinds(change, input.config.paths)
  const report: PlaneReport = { candidates: [], limits: [] }
  const files = judgedFiles(change, kinds.isForeign)
  if (change.files.every(({ role }) => role !== 'source' && role !== 'test')) return report
  const [base, head] = await Promise.all([
    openWorld(
      input.base,
      input.facts,
      change.files.map((file) => pathOn('old', file)),
    ),
    openWorld(
      input.head,
      input.facts,
      change.files.map(({ path }) => path),
    ),
  ])
  report.limits.push(
    ...(await crowdedLimits(
      head,
      files.map(({ path }) => path),
    )),
  )
  const found: CandidateDraft[] = []
  for (const file of files) {
    input.signal.throwIfAborted()
    const uses = await newUsesOf(file, { base, head })
    if (!uses || looksGenerated(uses.place.text)) continue
    const misuses = [
      ...(await unknownNames(uses, { base, head })),
      ...(await wrongCases(uses, head)),
      ...(await wrongCalls(uses, { base, head })),
      ...(await unboundNames(uses, { base, head, tree: input.head })),
    ]
    const lines = uses.place.text.split('\n')
    const isMeant = ({ line }: Misuse) =>
      isSuppressed(lines, line) || (kinds.isTest(file.path) && expectsFailure(lines, line))
    await add(misuses.filter((misuse) => !isMeant(misuse)).sort((a, b) => a.line - b.line))
  }
  await add(await openConflicts(change, head, kinds.isForeign))
  await add(await lostBrackets(change, { base, head }, kinds.isForeign))
  await add(await wrongOverrides(input.context, head, kinds.isForeign))
  await add(await unknownKeys(input, head, kinds))
  report.limits.push(...lookUpLimits(base, head))
  return report

  async function add(misuses: readonly Misuse[]): Promise<void> {
    if (misuses.length === 0) return
    for (const misuse of misuses) {
      const draft = await findingOf(misuse, input.head, kinds.isTest)
      if (draft) found.push(draft)
    }
    report.candidates = oncePerCause(found, causeOf)
    input.keep?.(report)
  }
}

/** The author tells the type checker that this line is wrong. */
function isSuppressed(lines: readonly string[], line: number): boolean {
  return /@ts-(?:ignore|expect-error)/.test(lines[line - 2] ?? '') || suppression.test(lines[line - 1] ?? '')
}

const suppression = /@ts-(?:ignore|expect-error)|(?:type|pyright):\s*ignore/

const failure =
  /expect-?error|ExpectError|@ts-ignore|\braises\b|assertRaises|\bthrows?\b|toThrow|rejects\b|catch|except\b|panics?\b/i

/** A test that uses something wrongly on purpose says so on the line or right above it. */
function expectsFailure(lines: readonly string[], line: number): boolean {
  return lines.slice(Math.max(0, line - 3), line + 1).some((text) => failure.test(text))
}

/** The definition that is used wrongly is what a finding shows behind the new code; texts that are not there yet are missed together. */
function causeOf({ rule, title, evidence: [, definition] }: CandidateDraft): string {
  if (rule === 'new-code/unknown-translation-key') return rule
  const place = definition && 'item' in definition ? definition.item : null
  return [rule, title, place?.path, place?.startLine].join('\n')
}
