/** Which output formats there are. */
import { renderAgentTasks } from './agent.ts'
import type { Render } from './contract.ts'
import { renderJson } from './json.ts'
import { renderMarkdown } from './markdown/render.ts'
import { renderRdjson } from './rdjson.ts'
import { renderSarif } from './sarif.ts'
import { renderTerminal } from './terminal/render.ts'

export const formatNames = ['terminal', 'markdown', 'json', 'sarif', 'rdjson', 'agent'] as const
export type FormatName = (typeof formatNames)[number]

export const formats: Record<FormatName, Render> = {
  terminal: renderTerminal,
  markdown: renderMarkdown,
  json: renderJson,
  sarif: renderSarif,
  rdjson: renderRdjson,
  agent: renderAgentTasks,
}
