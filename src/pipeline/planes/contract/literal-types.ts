/** Which literals a written type takes, as far as the type is made of well-known names only. */

type Literal = 'integer' | 'decimal' | 'string' | 'boolean' | 'null'

const takes: Readonly<Record<string, Readonly<Record<string, readonly Literal[]>>>> = {
  python: {
    int: ['integer', 'boolean'],
    float: ['integer', 'decimal', 'boolean'],
    str: ['string'],
    bool: ['boolean'],
    None: ['null'],
    bytes: [],
    timedelta: [],
    'datetime.timedelta': [],
    datetime: [],
    'datetime.datetime': [],
    Path: [],
    'pathlib.Path': [],
    Decimal: [],
  },
  typescript: {
    number: ['integer', 'decimal'],
    string: ['string'],
    boolean: ['boolean'],
    null: ['null'],
    undefined: [],
    Date: [],
    URL: [],
    bigint: [],
  },
  // A constant fits `time.Duration`, and then counts nanoseconds.
  go: {
    int: ['integer'],
    int32: ['integer'],
    int64: ['integer'],
    uint: ['integer'],
    uint32: ['integer'],
    uint64: ['integer'],
    float64: ['integer', 'decimal'],
    string: ['string'],
    bool: ['boolean'],
    'time.Duration': [],
  },
}

/** Null when the argument is not a literal, or the type is not known well enough. */
export function acceptsLiteral(language: string, type: string, argument: string): boolean | null {
  const literal = literalOf(argument)
  const accepted = acceptedBy(language, type)
  if (literal === null || accepted === null) return null
  return accepted.has(literal)
}

/** True when some literal that fitted the old type no longer fits the new one. */
export function narrows(language: string, before: string, after: string): boolean {
  const [old, now] = [acceptedBy(language, before), acceptedBy(language, after)]
  return old !== null && now !== null && [...old].some((literal) => !now.has(literal))
}

function acceptedBy(language: string, type: string): Set<Literal> | null {
  const known = takes[language === 'tsx' ? 'typescript' : language]
  if (!known) return null
  const plain = type
    .replace(/\s+/g, '')
    .replace(/^Optional\[([\w.]+)\]$/, '$1|None')
    .replace(/^Union\[([\w.,]+)\]$/, (_, list: string) => list.replaceAll(',', '|'))
  const accepted = new Set<Literal>()
  for (const part of plain.split('|')) {
    const literals = known[part]
    if (!literals) return null
    for (const literal of literals) accepted.add(literal)
  }
  return accepted
}

function literalOf(argument: string): Literal | null {
  if (/^-?\d[\d_]*$/.test(argument)) return /^-?0+$/.test(argument) ? null : 'integer'
  if (/^-?\d[\d_]*\.\d*$/.test(argument)) return 'decimal'
  if (/^(?:"[^"\\\n]*"|'[^'\\\n]*'|`[^`$\\\n]*`)$/.test(argument)) return 'string'
  if (/^(?:true|false|True|False)$/.test(argument)) return 'boolean'
  return /^(?:null|None)$/.test(argument) ? 'null' : null
}
