/** Checkstyle's XML, which many linters write: `<checkstyle><file name=""><error line="" severity="" message="" source=""/>`. */
import { SaxesParser } from 'saxes'
import type { ToolResult } from '../../domain/tool-result.ts'
import { type ResultFormat, resultFrom } from './contract.ts'

export const checkstyle: ResultFormat = {
  name: 'Checkstyle',
  matches: (text) => text.startsWith('<') && /<checkstyle[\s>]/.test(text.slice(0, 2_000)),
  read(text) {
    const results: ToolResult[] = []
    // It knows the five entities of XML, resolves no others, and fetches nothing.
    const parser = new SaxesParser()
    let path = ''
    parser.on('error', (error) => {
      throw error
    })
    parser.on('opentag', ({ name, attributes }) => {
      if (name === 'file') path = attributes.name ?? ''
      if (name !== 'error') return
      const { line, severity = 'warning', message, source = '' } = attributes
      if (severity === 'ignore') return
      results.push(
        ...resultFrom({
          ...toolOf(source),
          level: levelOf(severity),
          message,
          path,
          startLine: Number(line),
        }),
      )
    })
    parser.write(text).close()
    return results
  },
}

/** `eslint.rules.no-eval` → ESLint's way, `com.puppycrawl.tools.checkstyle.checks.X` → Checkstyle's, else the whole as a rule. */
function toolOf(source: string): { tool: string; rule: string } {
  const eslint = /^eslint\.rules\.(.+)$/.exec(source)?.[1]
  if (eslint !== undefined) return { tool: 'ESLint', rule: eslint }
  const own = /^com\.puppycrawl\.tools\.checkstyle\.checks\.(?:\w+\.)*(\w+?)(?:Check)?$/.exec(source)?.[1]
  return own === undefined ? { tool: 'linter', rule: source } : { tool: 'Checkstyle', rule: own }
}

function levelOf(severity: string): ToolResult['level'] {
  return severity === 'error' || severity === 'warning' ? severity : 'note'
}
