/**
 * Variables that a program declares as a table and a library reads: schemas over `process.env`, tags of Go structs, names that are
 * taken out of `process.env` at once, and calls of Python's decouple and environs.
 */
import type { Need, Read } from './contract.ts'

const longestLine = 2_000
const variable = '[A-Z][A-Z\\d_]{3,60}'

type Form = {
  /** Of a file that may have it. */
  cue: RegExp
  /** One name, and what decides whether the program goes on without it. */
  line: RegExp
  need(rest: string): Need
}

const forms: readonly Form[] = [
  {
    cue: /\b(?:z|v|Joi|yup)\.object\(|\b(?:cleanEnv|createEnv)\(/,
    line: new RegExp(
      `^\\s{1,20}(${variable})\\s{0,4}:\\s{0,4}(?:z|v|t|Joi|yup)\\.|^\\s{1,20}(${variable})\\s{0,4}:\\s{0,4}(?:str|num|bool|url|port|host|email|json)\\(`,
    ),
    need: (rest) =>
      /\.(?:default|optional|nullish|catch)\(|\b(?:devD|d)efault\s{0,4}:/.test(rest) ? 'default' : 'required',
  },
  {
    cue: /`[^`\n]{0,200}\b(?:env|envconfig):"/,
    line: new RegExp(`\`[^\`]{0,200}\\b(?:env|envconfig):"(${variable})`),
    need: (rest) => {
      if (/\b(?:envDefault|env-default|default):"/.test(rest)) return 'default'
      return /^[^"]{0,100},(?:required|notEmpty)|\b(?:env-)?required:"true"/.test(rest) ? 'required' : 'maybe'
    },
  },
  {
    cue: /^[ \t]{0,40}from decouple import|\bimport decouple\b/m,
    line: new RegExp(`\\bconfig\\(\\s{0,4}["'](${variable})["']`),
    need: (rest) => (/^\s{0,4},.{0,100}\bdefault\s{0,4}=/.test(rest) ? 'default' : 'required'),
  },
  {
    cue: /^[ \t]{0,40}(?:from|import) (?:environs|environ)\b/m,
    line: new RegExp(`\\benv(?:\\.\\w{1,20})?\\(\\s{0,4}["'](${variable})["']`),
    need: (rest) => (/^\s{0,4},/.test(rest) ? 'default' : 'required'),
  },
]

export function declaredReads(text: string): Read[] {
  const own = forms.filter(({ cue }) => cue.test(text))
  const isOfProcess = /\bprocess\.env\b/.test(text)
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    if (line.length > longestLine) return []
    // A chain goes on below.
    const below = /^\s*\./.test(lines[at + 1] ?? '') ? (lines[at + 1] ?? '').slice(0, longestLine) : ''
    const declared = own.flatMap(({ line: form, need }) => {
      const match = form.exec(line)
      const name = match?.[1] ?? match?.[2]
      const rest = match ? line.slice(match.index + match[0].length) + below : ''
      return name === undefined || (form === forms[0]?.line && !isOfProcess)
        ? []
        : [{ name, need: need(rest), line: at + 1 }]
    })
    return [...declared, ...(isOfProcess ? takenOut(line, at + 1) : [])]
  })
}

/** `const { API_URL, LIMIT: limit = '10' } = process.env`, on one line. */
function takenOut(line: string, number: number): Read[] {
  const inside = /\{([^{}]{1,1000})\}\s{0,4}=\s{0,4}process\.env\b(?!\.)/.exec(line)?.[1]
  return (inside?.split(',') ?? []).flatMap((part): Read[] => {
    const [, name, rest = ''] = new RegExp(`^\\s{0,20}(${variable})\\b(.{0,200})$`).exec(part) ?? []
    return name === undefined ? [] : [{ name, need: rest.includes('=') ? 'default' : 'maybe', line: number }]
  })
}
