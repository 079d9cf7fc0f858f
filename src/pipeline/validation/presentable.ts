/** A candidate too broken for its own schema still gets a verdict; this makes it fit to be listed in one. */
import { visibleLine } from '../../base/visible-text.ts'
import { Candidate } from '../../domain/finding.ts'

/** The candidate itself where it fits the schema, else a stand-in with what can be told of it. Never throws. */
export function presentable(candidate: unknown, position: number): Candidate {
  const parsed = Candidate.safeParse(candidate)
  if (parsed.success) return parsed.data
  const source = isRecord(candidate) ? candidate : {}
  const anchor = isRecord(source.anchor) ? source.anchor : {}
  return {
    id: textOr(source.id, `?${position + 1}`, 200),
    plane: textOr(source.plane, 'unknown', 200),
    rule: textOr(source.rule, 'unknown', 200),
    severity: 'low',
    category: 'maintainability',
    confidence: 'possible',
    title: textOr(source.title, 'A candidate that is not well-formed', 300),
    explanation: '',
    remedy: null,
    anchor: { path: textOr(anchor.path, '?', 4000), tags: ['?'] },
    claims: [],
    suggestion: null,
    preExisting: false,
    evidence: [],
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function textOr(value: unknown, fallback: string, longest: number): string {
  const text = typeof value === 'string' ? visibleLine(value.slice(0, longest)).slice(0, longest) : ''
  return text.trim() === '' ? fallback : text
}
