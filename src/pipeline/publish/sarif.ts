/** SARIF 2.1.0, with stable fingerprints so that uploads do not pile up. Errors, warnings and notes by severity. */
import type { Fix, Location, Log, Notification, ReportingDescriptor, Result } from 'sarif'
import { editsOf, type Finding, type Suggestion } from '../../domain/finding.ts'
import type { Review } from '../../domain/review.ts'
import type { Severity } from '../../domain/severity.ts'
import { plainJson } from './json.ts'
import { ruleText } from './rule-text.ts'
import { claimWords, documentedWords, relatedPlaces } from './words.ts'

/** Of every format that knows errors, warnings and notes. */
export const sarifLevel = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
} as const satisfies Record<Severity, Result.level>

/** What code scanning sorts security findings by (0 to 10). */
const securitySeverity: Record<Severity, string> = { critical: '9.5', high: '8.0', medium: '5.0', low: '2.0' }

/** Code scanning keeps no more results of an upload, and not the most important ones. */
const mostResults = 5_000

export function renderSarif(review: Review): string {
  const findings = review.findings.slice(0, mostResults)
  const left = review.findings.length - findings.length
  const rules = describeRules(findings)
  const order = new Map(rules.map((rule, index) => [rule.id, index]))
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Sightline', semanticVersion: review.tool.version, rules } },
        automationDetails: { id: 'sightline/' },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { ROOT: { description: { text: 'The root of the repository.' } } },
        invocations: [
          {
            executionSuccessful: review.coverage.complete,
            toolExecutionNotifications: [
              ...review.conclusion.notices.map((text) => notification(text)),
              ...review.coverage.limits.map((text) => notification(text)),
              ...(left > 0
                ? [
                    notification(
                      `${left} less important findings were left out: code scanning takes ${mostResults}.`,
                    ),
                  ]
                : []),
            ],
            properties: { conclusion: review.conclusion.word, headline: review.conclusion.headline },
          },
        ],
        results: findings.map((finding) => result(review, finding, order.get(finding.rule) ?? 0)),
      },
    ],
  }
  return plainJson(log)
}

function notification(text: string): Notification {
  return { level: 'warning', message: { text: withoutLinks(text) } }
}

function describeRules(findings: readonly Finding[]): ReportingDescriptor[] {
  const byId = new Map<string, Finding>()
  for (const finding of findings) if (!byId.has(finding.rule)) byId.set(finding.rule, finding)
  return [...byId.values()]
    .sort((a, b) => (a.rule < b.rule ? -1 : 1))
    .map((finding) => ({
      id: finding.rule,
      name: ruleName(finding.rule),
      ...ruleMessages(finding),
      defaultConfiguration: { level: sarifLevel[finding.severity] },
      properties: {
        tags: [finding.category],
        ...(finding.category === 'security'
          ? { 'security-severity': securitySeverity[finding.severity] }
          : {}),
      },
    }))
}

function ruleMessages(
  finding: Finding,
): Pick<ReportingDescriptor, 'shortDescription' | 'fullDescription' | 'help'> {
  const { title, help } = ruleText(finding)
  const text = withoutLinks(sentence(help))
  return {
    shortDescription: { text: withoutLinks(sentence(title)) },
    fullDescription: { text },
    help: { text },
  }
}

/** SARIF wants rule names in PascalCase: `contract/removed-symbol` → `ContractRemovedSymbol`. */
function ruleName(rule: string): string {
  return rule
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
}

function result(review: Review, finding: Finding, ruleIndex: number): Result {
  const related = relatedPlaces(review, finding).map(({ title, path, startLine, endLine }, index) => ({
    id: index + 1,
    message: { text: withoutLinks(title) },
    ...place(path, startLine, endLine),
  }))
  return {
    ruleId: finding.rule,
    ruleIndex,
    level: sarifLevel[finding.severity],
    message: {
      text: withoutLinks(
        sentence(
          [finding.title, finding.explanation, documentedWords(finding), finding.remedy]
            .filter(Boolean)
            .join('\n\n'),
        ),
      ),
    },
    // A line that the change removed does not exist at the head: such a finding is shown on the file.
    locations: [
      finding.side === 'new'
        ? place(finding.anchor.path, finding.startLine, finding.endLine)
        : { physicalLocation: { artifactLocation: artifact(finding.anchor.path) } },
    ],
    ...(related.length > 0 ? { relatedLocations: related } : {}),
    partialFingerprints: { 'sightline/v1': finding.fingerprint },
    ...(finding.suggestion ? { fixes: [fixOf(finding.suggestion)] } : {}),
    properties: {
      severity: finding.severity,
      category: finding.category,
      confidence: finding.confidence,
      plane: finding.plane,
      byModel: finding.byModel ?? false,
      preExisting: finding.preExisting,
      ...(finding.contested === undefined ? {} : { contested: finding.contested }),
      verifiedBy: finding.verifiedBy,
      claims: finding.claims.map(claimWords),
    },
  }
}

/** Whole lines, without the line feed behind the last. */
function fixOf(suggestion: Suggestion): Fix {
  const replacements = editsOf(suggestion).map(({ startLine, endLine, replacement }) => ({
    deletedRegion: { startLine, endLine },
    insertedContent: { text: replacement },
  }))
  return { artifactChanges: [{ artifactLocation: artifact(suggestion.path), replacements }] }
}

function place(path: string, startLine: number, endLine: number): Location {
  return { physicalLocation: { artifactLocation: artifact(path), region: { startLine, endLine } } }
}

function artifact(path: string) {
  return { uri: path.toWellFormed().split('/').map(encodeURIComponent).join('/'), uriBaseId: 'ROOT' }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** Plain messages have links too: `[words](target)`, unless the bracket is escaped (SARIF 2.1.0, 3.11.6). */
function withoutLinks(text: string): string {
  return text.replace(/\](?=\()/g, (_, at: number) => `${'\\'.repeat(backslashesBefore(text, at))}\\]`)
}

function backslashesBefore(text: string, end: number): number {
  let at = end
  while (text.charAt(at - 1) === '\\') at--
  return end - at
}
