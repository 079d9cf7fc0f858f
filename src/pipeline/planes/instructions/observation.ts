/** Something worth reporting about a changed file, and the candidate made from it. */
import type { z } from 'zod'
import { count } from '../../../base/count.ts'
import { visibleLine } from '../../../base/visible-text.ts'
import type { FileChange } from '../../../domain/change-set.ts'
import { nowhere } from '../../../domain/evidence.ts'
import type { CandidateDraft } from '../../../domain/finding.ts'
import { formatFileTag, tagOf } from '../../../domain/line-tag.ts'
import type { Category, Severity } from '../../../domain/severity.ts'
import type { AddedLine } from '../changed-lines.ts'
import { citeAdded } from '../cite-lines.ts'

export type Observation = {
  rule: string
  /** `security` when not given. */
  category?: z.infer<typeof Category>
  severity: Severity
  confidence: 'certain' | 'likely' | 'possible'
  title: string
  explanation: string
  remedy: string | null
  /** The added lines it is about; none for the file as a whole. */
  lines: readonly AddedLine[]
}

const mostLines = 20
const longestLine = 2_000

const mostFiles = 40

/** One about files as a whole, shown at the first. */
export function describeFiles({
  files,
  observation,
}: {
  files: readonly FileChange[]
  observation: Observation
}): CandidateDraft {
  const [first, ...others] = files
  if (!first) throw new Error('an observation is about a file')
  const draft = describeObservation(first, observation)
  const left = others.length - (mostFiles - 1)
  return {
    ...draft,
    explanation:
      left > 0
        ? `${draft.explanation} ${count(left, 'more file')} ${left === 1 ? 'is' : 'are'} not listed.`
        : draft.explanation,
    evidence: [first, ...others].slice(0, mostFiles).map(citeFile),
  }
}

export function describeObservation(file: FileChange, observation: Observation): CandidateDraft {
  const { rule, category = 'security', severity, confidence, title, explanation, remedy } = observation
  const lines = observation.lines.slice(0, mostLines)
  const tags = lines.length > 0 ? lines.slice(0, 1).map(tagOf) : [formatFileTag(file.path)]
  return {
    plane: 'instructions',
    rule: `instructions/${rule}`,
    severity,
    category,
    confidence,
    title: visibleLine(title).slice(0, 300),
    explanation,
    remedy,
    anchor: { path: file.path, tags },
    claims: lines.map((line) => ({
      kind: 'line-contains',
      side: 'new',
      path: file.path,
      line: line.new,
      text: shortened(line.text),
    })),
    suggestion: null,
    preExisting: false,
    evidence:
      lines.length > 0
        ? lines.map((line) => citeAdded(file, { line, title: 'added line', quote: shortened(line.text) }))
        : [citeFile(file)],
  }
}

function citeFile(file: FileChange): CandidateDraft['evidence'][number] {
  const { path, status, added, removed } = file
  const text = `${visibleLine(path)}: ${status}, ${count(added, 'line')} added, ${removed} removed`
  const item = {
    source: 'tool' as const,
    trust: 'own' as const,
    title: 'what the change does to the file',
    ...{ ...nowhere, path },
    text,
  }
  return { item, quote: text }
}

function shortened(text: string): string {
  return text.length > longestLine ? text.slice(0, longestLine) : text
}
