/** Reads a file of rules, one YAML document each. Reports every problem at once, with its location. */
import { type ConfigProblem, formatProblem } from '../../../../config/problem.ts'
import { readYaml } from '../../../../config/read-yaml.ts'
import type { Severity } from '../../../../domain/severity.ts'
import { languageNamed, type Rule } from '../rule.ts'
import { type Fault, faultsOf } from './faults.ts'
import { RuleDocument } from './rule-schema.ts'

export type RuleProblem = ConfigProblem
export { formatProblem }

export type RuleFile = { rules: Rule[]; problems: RuleProblem[] }

const severityOf: Readonly<Record<RuleDocument['severity'], Severity | null>> = {
  critical: 'critical',
  high: 'high',
  medium: 'medium',
  low: 'low',
  error: 'high',
  warning: 'medium',
  info: 'low',
  hint: 'low',
  off: null,
}

/** `path` is for messages. A broken rule does not take the others of its file with it; one that is off is left out. */
export function readRules(text: string, path: string, builtIn: boolean): RuleFile {
  const file: RuleFile = { rules: [], problems: [] }
  for (const document of documentsOf(text)) {
    const read = readDocument(document, path, builtIn)
    if ('problems' in read) file.problems.push(...read.problems)
    else if (read.rule) file.rules.push(read.rule)
  }
  return file
}

type Document = { text: string; linesAbove: number }

/** `---` at the start of a line always separates documents, even inside a block of text. */
function documentsOf(text: string): Document[] {
  const documents: Document[] = []
  let lines: string[] = []
  let linesAbove = 0
  const close = (next: number): void => {
    const document = lines.join('\n')
    if (/^[ \t]*[^#\s]/m.test(document)) documents.push({ text: document, linesAbove })
    lines = []
    linesAbove = next
  }
  for (const [index, line] of text.split('\n').entries()) {
    if (/^---(?:\s|$)/.test(line)) close(index + 1)
    else lines.push(line)
  }
  close(0)
  return documents
}

function readDocument(
  { text, linesAbove }: Document,
  file: string,
  builtIn: boolean,
): { rule: Rule | null } | { problems: RuleProblem[] } {
  const yaml = readYaml(text)
  const problem = (message: string, place: { line: number; column: number }): RuleProblem => ({
    file,
    line: place.line + linesAbove,
    column: place.column,
    message,
  })
  const problems = yaml.problems.map((one) => problem(one.message, one))
  if (yaml.value === undefined) return { problems }
  const parsed = RuleDocument.safeParse(yaml.value)
  const faults: Fault[] = parsed.success ? inconsistencies(parsed.data) : faultsOf(parsed.error, yaml.value)
  for (const fault of faults) problems.push(problem(fault.message, yaml.positionOf(fault.path, fault.part)))
  if (problems.length > 0 || !parsed.success) return { problems: problems.sort(byPlace) }
  const line = yaml.positionOf(['rule'], 'key').line + linesAbove
  return { rule: toRule(parsed.data, { file, line }, builtIn) }
}

/** Faults that span several keys. */
function inconsistencies({ rule, fix }: RuleDocument): Fault[] {
  const faults: Fault[] = []
  if (typeof rule === 'object' && rule !== null && Object.keys(rule).length === 0)
    faults.push({ path: ['rule'], part: 'key', message: 'rule: it is empty, and would match everything.' })
  if (fix !== undefined && /\$\$\$/.test(fix))
    faults.push({
      path: ['fix'],
      part: 'value',
      message: 'fix: captures of many (`$$$A`) are not supported.',
    })
  return faults
}

function toRule(document: RuleDocument, place: Rule['place'], builtIn: boolean): Rule | null {
  const severity = severityOf[document.severity]
  if (severity === null) return null
  const { id, category, message, note, url, remedy, rule, constraints, utils, fix, files, ignores, tests } =
    document
  const names = typeof document.language === 'string' ? [document.language] : document.language
  return {
    id,
    languages: [...new Set(names.flatMap((name) => languageNamed(name) ?? []))],
    severity,
    category,
    message: message.trim(),
    note: [note.trim(), url === undefined ? '' : `See ${url}`].filter((part) => part !== '').join('\n\n'),
    remedy: remedy?.replace(/\s+/g, ' ').trim() ?? null,
    matcher: {
      rule: rule as Record<string, unknown>,
      ...(constraints && { constraints }),
      ...(utils && { utils }),
    },
    fix: fix ?? null,
    audience: document.appliesTo,
    files,
    ignores,
    tests,
    builtIn,
    place,
  }
}

function byPlace(a: RuleProblem, b: RuleProblem): number {
  return a.line - b.line || a.column - b.column
}
