/** The fields of an object literal in code. */
import { type CodeText, entriesOf } from '../reading/code-text.ts'
import { stringParts } from '../reading/string-value.ts'
import { type Field, type Fields, memberOf } from './field.ts'

const maximumDepth = 4

/** `offset`: where the literal begins in the file. Null for what is no literal. */
export function literalFields(literal: string, offset: number, code: CodeText): Fields | null {
  if (!/^(?:gin\.H|echo\.Map|fiber\.Map|map\[string\](?:any|interface\{\}))?\{/.test(literal)) return null
  const fields: Field[] = []
  let isWhole = true
  add('', literal, offset, 0)
  return { fields, isWhole }

  function add(name: string, text: string, at: number, depth: number): void {
    const line = code.lineOf(at)
    const type = typeOf(text)
    const place = { path: code.file.path, line, endLine: line }
    fields.push({ ...place, name, type, required: true, nullable: false, values: null, hasDefault: false })
    if (type !== 'object' || depth >= maximumDepth) return
    for (const entry of entriesOf(text, at)) {
      const key = entry.name ?? (/^[\w$]{1,80}$/.test(entry.text) ? entry.text : null)
      if (key === null) isWhole = false
      else add(memberOf(name, key), entry.name === null ? '' : entry.text, entry.offset, depth + 1)
    }
  }
}

function typeOf(text: string): string {
  if (/^(?:gin\.H|echo\.Map|fiber\.Map|map\[string\](?:any|interface\{\}))?\{/.test(text)) return 'object'
  if (/^-?\d[\d.]{0,20}$/.test(text)) return 'number'
  if (/^(?:true|false|True|False)$/.test(text)) return 'boolean'
  return /^[frbu]?["'`]/.test(text) && stringParts(text) !== null && !/["'`]\s{0,3}[.%]/.test(text)
    ? 'string'
    : ''
}
