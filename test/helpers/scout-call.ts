/**
 * A call of the scout as it is on the wire, where every argument of every tool is there; `id` only where a tool that takes
 * it is offered.
 */
const noArguments = {
  case_sensitive: null,
  depth: null,
  glob: null,
  line_end: null,
  line: null,
  line_start: null,
  path: null,
  query: null,
  regex: null,
  side: null,
  symbol: null,
}

export type CallArguments = { [Name in keyof typeof noArguments | 'id']?: string | number | boolean | null }

export function scoutCall(tool: string, args: CallArguments): { tool: string; args: object } {
  return { tool, args: { ...noArguments, ...args } }
}
