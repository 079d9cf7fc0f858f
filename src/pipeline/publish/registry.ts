/** Which output formats there are. */
import type { FormatName } from '../../domain/formats.ts'
import { renderAgentTasks } from './agent.ts'
import { renderCodeQuality } from './code-quality.ts'
import { renderCompact } from './compact.ts'
import type { Render } from './contract.ts'
import { renderHtml } from './html/render.ts'
import { renderJson } from './json.ts'
import { renderJunit } from './junit.ts'
import { renderMarkdown } from './markdown/render.ts'
import { renderRdjson } from './rdjson.ts'
import { renderSarif } from './sarif.ts'
import { renderTerminal } from './terminal/render.ts'

export const formats: Record<FormatName, Render> = {
  terminal: renderTerminal,
  markdown: renderMarkdown,
  html: renderHtml,
  json: renderJson,
  sarif: renderSarif,
  rdjson: renderRdjson,
  'code-quality': renderCodeQuality,
  junit: renderJunit,
  compact: renderCompact,
  agent: renderAgentTasks,
}
