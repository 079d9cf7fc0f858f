/** Which variables a program reads, and whether it goes on without them. */
import type { SourceFile } from '../../contract.ts'
import type { Need, Read } from './contract.ts'
import { declaredReads } from './declared-reads.ts'
import { environmentReads } from './environment-names.ts'

const code = /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|kts|cs|php|ex|exs|vue|svelte)$/
const spring = /(?:^|\/)(?:application|bootstrap)[\w-]*\.(?:ya?ml|properties)$/
const example = /(?:^|\/)(?:\.env|env)(?:\.[\w-]+){0,2}\.?(?:example|sample|template|dist|defaults?)$/

export const mayRead = (path: string): boolean => [code, spring, example].some((one) => one.test(path))

/** Each name once, where it is first read. */
export function readsOf(file: SourceFile): Read[] {
  const { path, text } = file
  const found = spring.test(path)
    ? springReads(text)
    : example.test(path)
      ? exampleReads(text)
      : [...codeReads(text), ...declaredReads(text), ...(path.endsWith('.py') ? settingsClasses(text) : [])]
  const first = new Map<string, Read>()
  for (const one of found) {
    const known = first.get(one.name)
    // Where it is read twice, once with a default, the program goes on.
    if (!known) first.set(one.name, one)
    else if (one.need === 'default' && known.need !== 'default')
      first.set(one.name, { ...known, need: 'default' })
  }
  return [...first.values()]
}

const comment = /^\s*(?:\/\/|#|\*|\/\*|--)/
const longestLine = 2_000

function codeReads(text: string): Read[] {
  const lines = text.split('\n')
  const wrapper = wrappersIn(lines)
  return lines.flatMap((line, at) => {
    if (line.length > longestLine || comment.test(line)) return []
    const direct = environmentReads(line).map(({ name, start, end }) => {
      const before = line.slice(0, start)
      const after =
        line.slice(end) + (/[(,?|]\s*$|^\s*\)?$/.test(line.slice(end)) ? (lines[at + 1] ?? '') : '')
      return { name, need: needOf(name, before, line.slice(start, end), after), line: at + 1 }
    })
    return [...direct, ...wrapper(line, at + 1)]
  })
}

function needOf(name: string, before: string, read: string, after: string): Need {
  if (
    new RegExp(`\\b(?:require|must|assert|ensure|invariant)\\w*\\(\\s*["'\`]${name}["'\`]`, 'i').test(before)
  )
    return 'required'
  const rest = after.replace(/^["'`]/, '')
  if (/^[\s\])]*(?:\?\?|\|\||\bor\b|\?:|\|>)/.test(rest) || /^\s*,/.test(rest)) return 'default'
  if (/^\s*\)\s*(?:\{|do\b|\.(?:unwrap_or|or_else|ok\(|unwrap_or_default|map_or|is_ok|is_err))/.test(rest))
    return 'default'
  if (/LookupEnv/.test(read) || /\b(?:if|in|while)\b[^=]*$/.test(before)) return 'default'
  if (/^(?:os\.environ\[|ENV\.fetch)/.test(read)) return 'required'
  return /^env::var/.test(read) && /^\s*\)\s*(?:\?|\.(?:unwrap|expect|context))/.test(rest)
    ? 'required'
    : 'maybe'
}

const readByVariable =
  /(?:os\.(?:Getenv|LookupEnv|getenv|environ\.get)\(|process\.env\[|os\.environ\[|ENV\.fetch\(|ENV\[|getenv\(|env::var\(|GetEnvironmentVariable\()\s*([a-z_]\w*)\s*[\])]/
const definition =
  /\b(?:func|function|def|fn)\s+(?:\([^)]{0,100}\)\s*)?(\w+)\s*[(<]|\b(?:const|let)\s+(\w+)\s*=\s*(?:async\s*)?\(|\b[A-Z]\w*\??\s+(\w+)\s*\(/
/** How far its definition may be above, and its end below, the line on which a helper reads. */
const reach = 10

type Wrapper = { name: string; need: Need }

/** `must("URL")`: calls of the helpers of a file that read a variable whose name they are given. */
function wrappersIn(lines: readonly string[]): (line: string, number: number) => Read[] {
  const found = new Map<string, Wrapper>()
  for (const [at, line] of lines.entries()) {
    if (line.length > longestLine || !readByVariable.test(line)) continue
    for (let above = at; above >= Math.max(0, at - reach); above--) {
      const [, one, two, three] = definition.exec((lines[above] ?? '').slice(0, longestLine)) ?? []
      const name = one ?? two ?? three
      if (name === undefined) continue
      const body = lines.slice(above, at + reach).join('\n')
      found.set(name, {
        name,
        need: /\b(?:panic|throw|raise|fatal|exit|abort)\b/i.test(body) ? 'required' : 'maybe',
      })
      break
    }
  }
  if (found.size === 0 || found.size > 50) return () => []
  const calls = new RegExp(
    `\\b(${[...found.keys()].join('|')})\\(\\s*["'\`]([A-Z][A-Z\\d_]{3,60})["'\`]\\s*(,)?`,
    'g',
  )
  return (line, number) =>
    [...line.matchAll(calls)].map(([, called = '', name = '', more]) => ({
      name,
      need: more === undefined ? (found.get(called)?.need ?? 'maybe') : 'default',
      line: number,
    }))
}

/** Fields of pydantic's settings classes are variables of the same name. */
function settingsClasses(text: string): Read[] {
  if (!text.includes('BaseSettings')) return []
  const found: Read[] = []
  let isInside = false
  let prefix = ''
  let from = 0
  const lines = text.split('\n')
  for (const [at, line] of lines.entries()) {
    if (/^\S/.test(line)) {
      isInside = /^class\s+\w+\([^)]*\bBaseSettings\b/.test(line)
      prefix = ''
      from = found.length
    }
    if (!isInside) continue
    const named =
      /\benv_prefix\s*[=:]\s*["'](\w*)["']/.exec(line)?.[1] ??
      /["']env_prefix["']\s*:\s*["'](\w*)["']/.exec(line)?.[1]
    if (named !== undefined) {
      prefix = named.toUpperCase()
      for (const one of found.slice(from)) one.name = prefix + one.name
    }
    const [, field, given = ''] = /^ {2,8}([a-z]\w{2,60}) {0,8}:[^=#]{1,300}(?:=(.*))?$/.exec(line) ?? []
    if (field === undefined || field === 'model_config') continue
    const value = given.trim()
    const alias = /\b(?:alias|validation_alias|env)\s*=\s*["']([A-Z]\w+)["']/.exec(value)?.[1]
    const isRequired =
      value === '' ||
      /^Field\(\s*(?:\.\.\.|(?:alias|validation_alias|env|description)\s*=(?!.*\bdefault))/.test(value)
    found.push({
      name: alias ?? prefix + field.toUpperCase(),
      need: isRequired ? 'required' : 'default',
      line: at + 1,
    })
  }
  return found
}

/** `${URL}` and `${LIMIT:10}`; what is itself a default is read only where the other is not set. */
function springReads(text: string): Read[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.length > longestLine || comment.test(line)) return []
    return [...line.matchAll(/(:)?\$\{([A-Z][A-Z\d_]{2,60})(:)?/g)].map(
      ([, within, name = '', fallback]): Read => ({
        name,
        need: fallback === undefined ? (within === undefined ? 'required' : 'maybe') : 'default',
        line: at + 1,
      }),
    )
  })
}

/** An example says what there is to set, and nothing of what happens without. */
function exampleReads(text: string): Read[] {
  return text.split('\n').flatMap((line, at) => {
    const name = /^\s*(?:#\s*)?(?:export\s+)?([A-Z][A-Z\d_]{2,60})\s*=/.exec(line)?.[1]
    return name === undefined ? [] : [{ name, need: 'maybe' as const, line: at + 1 }]
  })
}
