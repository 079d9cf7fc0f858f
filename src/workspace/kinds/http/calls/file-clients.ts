/** What one file shows of its clients and of the values that it sends. */
import type { Reference } from '../../../../code-index/contract.ts'
import type { SourceFile } from '../../../contract.ts'
import { assignedBefore } from '../../reading/assigned.ts'
import { CodeText, endOfBracket, entriesOf, named, positional } from '../../reading/code-text.ts'
import { literalText, type Part, stringConstants, stringParts } from '../../reading/string-value.ts'
import { nothingSent, type Sent, unknownSent } from '../operation.ts'
import { assignedName, type ClientBase, type FileClients } from './client-call.ts'

export function fileClients(file: SourceFile): FileClients {
  const code = new CodeText(file)
  const constants = stringConstants(file.text)
  const resolve = (expression: string, reference: Reference): string => {
    const member = /^([A-Za-z_]\w{0,80})\.([A-Za-z_]\w{0,80})(?:\([^()]{0,200}\))?$/.exec(expression)
    if (member) return memberOf(member[1] ?? '', member[2] ?? '', file.text) ?? expression
    if (!/^[A-Za-z_$][\w$]{0,80}$/.test(expression) || constants.has(expression)) return expression
    return assignedBefore(expression, reference, code)?.text ?? expression
  }
  return {
    code,
    constants,
    byName: clientsOf(code, constants),
    resolve,
    sent: (expression, reference) => sentBy(expression, (one) => resolve(one, reference), constants),
  }
}

/** `paths.find` and `paths.parts(id)` of `const paths = { … }`: what the table of the file has under the name. */
function memberOf(table: string, name: string, text: string): string | null {
  const start = new RegExp(`\\b${table}[ ]{0,2}=[ ]{0,2}(?=\\{)`).exec(text)
  if (!start) return null
  const open = start.index + start[0].length
  const value = named(entriesOf(text.slice(open, endOfBracket(text, open))), name)?.text
  return value?.replace(/^\([^()]{0,200}\)[ ]{0,2}=>[ ]{0,2}/, '') ?? null
}

function sentBy(
  expression: string | null | undefined,
  resolve: (expression: string) => string,
  constants: ReadonlyMap<string, string>,
): Sent {
  if (expression === null || expression === undefined || /^(?:undefined|null|None|nil)$/.test(expression))
    return nothingSent
  const wrapped =
    /^(?:JSON\.stringify|json\.dumps|new URLSearchParams|new Headers|qs\.stringify|JSON\.generate|URI\.encode_www_form|dict)\(/.exec(
      expression,
    )
  const inner = wrapped ? (entriesOf(expression)[0]?.text ?? '') : expression
  const literal = resolve(wrapped && inner.startsWith('{') ? inner : inner.replace(/\.to_json$/, ''))
  if (!literal.startsWith('{')) return unknownSent
  const values: Record<string, string | null> = {}
  const isOpen = collect(literal, '', values, constants, 0)
  return { values, isOpen }
}

/** Whether there may be more entries than are written. */
function collect(
  literal: string,
  prefix: string,
  values: Record<string, string | null>,
  constants: ReadonlyMap<string, string>,
  depth: number,
): boolean {
  let isOpen = false
  for (const { name, text } of entriesOf(literal)) {
    const key = name ?? (/^[\w$]{1,80}$/.test(text) ? text : null)
    if (key === null) {
      isOpen = true
      continue
    }
    values[prefix + key] = name === null ? null : (literalText(text, constants) ?? plainValue(text))
    if (text.startsWith('{') && depth < 3 && collect(text, `${prefix}${key}.`, values, constants, depth + 1))
      isOpen = true
  }
  return isOpen
}

function plainValue(text: string): string | null {
  return /^(?:-?\d[\d.]{0,20}|true|false|True|False|null|None)$/.test(text)
    ? text.toLowerCase().replace('none', 'null')
    : null
}

/** Made with `axios.create`, `httpx.Client`, `Faraday.new` and the like; `*` is the one that all calls of the file use. */
function clientsOf(code: CodeText, constants: ReadonlyMap<string, string>): Map<string, ClientBase> {
  const found = new Map<string, ClientBase>()
  for (const reference of code.file.facts?.references ?? []) {
    if (reference.role !== 'call') continue
    const { name, receiver } = reference
    const full = receiver === null ? name : `${receiver}.${name}`
    if (name === 'baseUrl' || name === 'rootUri') {
      const base = code.argumentsOf(reference)
      const parts = base && stringParts(positional(base, 0)?.text ?? '', constants)
      if (parts) found.set('*', { base: parts, hasHeaders: true })
    }
    if (!isMaker.test(full)) continue
    const all = code.argumentsOf(reference) ?? []
    const start = code.offsetOf(reference) - (receiver === null ? 0 : receiver.length + 1)
    const behind = code.text.slice(code.endOf(reference), code.endOf(reference) + 90)
    const owner = assignedName(code.before(start)) ?? /^[ ]{1,3}as (\w{1,80})/.exec(behind)?.[1]
    if (!owner) continue
    const config = positional(all, 0)?.text.startsWith('{') ? entriesOf(positional(all, 0)?.text ?? '') : all
    found.set(owner, {
      base: baseOf(config, full, constants),
      hasHeaders: true,
    })
  }
  return found
}

const isMaker =
  /^(?:axios\.create|ky\.(?:create|extend)|got\.extend|ofetch\.create|\$fetch\.create|(?:httpx\.)?(?:Async)?Client|requests\.[sS]ession|Session|aiohttp\.ClientSession|ClientSession|Faraday\.new)$/

function baseOf(
  config: readonly { name: string | null; text: string }[],
  maker: string,
  constants: ReadonlyMap<string, string>,
): Part[] | null {
  for (const key of ['baseURL', 'baseUrl', 'prefixUrl', 'prefix', 'base_url', 'url']) {
    const text = named(
      config.map((one) => ({ ...one, offset: 0 })),
      key,
    )?.text
    if (text !== undefined) return stringParts(text, constants) ?? [{ hole: text.slice(0, 80) }]
  }
  const first = config.find(({ name }) => name === null)?.text
  if (first !== undefined && /Faraday|ClientSession/.test(maker))
    return stringParts(first, constants) ?? [{ hole: first.slice(0, 80) }]
  // A session without a base is asked for whole URLs.
  return /[sS]ession|Client$/.test(maker) ? [] : null
}
