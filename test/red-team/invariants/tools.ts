/** I3: the fixed tools with sound arguments; whatever was brought stands in the reviewed trees. */
import type { ToolCall } from '../../../src/agent/contract.ts'
import type { Judge } from './contract.ts'

const known: ReadonlySet<string> = new Set([
  'read_file',
  'grep',
  'list_dir',
  'outline_symbols',
  'find_definition',
  'find_references',
  'find_callers',
  'search_code',
  'get_file_history',
  'get_linked_issues',
  'get_issue_details',
])
export const argumentNames: ReadonlySet<string> = new Set([
  'path',
  'line',
  'line_start',
  'line_end',
  'query',
  'glob',
  'regex',
  'case_sensitive',
  'symbol',
  'depth',
  'side',
  'id',
])

export const judgeTools: Judge = ({ toolCalls, review }, { truth }) => {
  const found: string[] = []
  for (const { call, answer } of toolCalls) {
    found.push(...faultsOfCall(call))
    for (const { path, side } of answer.ranges)
      if (!(side === 'old' ? truth.basePaths : truth.headPaths).has(path))
        found.push(`${call.tool} brought ${path}, which is not in the tree`)
  }
  for (const { path } of review.evidence)
    if (path !== null && !truth.headPaths.has(path) && !truth.basePaths.has(path))
      found.push(`evidence is of ${path}, which is in neither tree`)
  // Uses of a name may be asked for without a file.
  for (const { refused, path, places = [] } of review.models?.followUps ?? [])
    for (const given of [{ refused, path }, ...places])
      if (!given.refused && given.path !== '' && !truth.headPaths.has(given.path))
        found.push(`a follow-up was granted on ${given.path}`)
  return found
}

/** Of a call that was let through. */
export function faultsOfCall(call: ToolCall): string[] {
  const found: string[] = []
  if (!known.has(call.tool)) found.push(`a tool that is none was run: ${call.tool.slice(0, 40)}`)
  for (const [name, value] of Object.entries(call.args)) {
    if (!argumentNames.has(name)) found.push(`${call.tool} got an argument that nobody knows: ${name}`)
    if (typeof value === 'string' && value.length > 1_000)
      found.push(`${call.tool} got ${value.length} characters`)
    if (name === 'line' && !(Number.isSafeInteger(value) && Number(value) >= 1))
      found.push(`${call.tool} got the line ${String(value).slice(0, 60)}`)
    if (name === 'path' && !isInside(String(value)))
      found.push(`${call.tool} got the path ${String(value).slice(0, 60)}`)
    if (name === 'symbol' && /[\s;|&$(){}<>]/.test(String(value).replace(/^\$|[$]/g, '')))
      found.push(`${call.tool} got the symbol ${String(value).slice(0, 60)}`)
  }
  return found
}

function isInside(path: string): boolean {
  const parts = path.split('/')
  return (
    !/^[/-]|^[A-Za-z]:|[\\\0]/.test(path) &&
    !parts.includes('..') &&
    !parts.some((part) => part.toLowerCase() === '.git')
  )
}
