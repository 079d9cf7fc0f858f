/**
 * What a text is about, as a set of terms that can be compared: names from code, and words in their basic form. Words of
 * one meaning count as one term, and words that any review may contain do not count at all.
 */

/** Each term with its weight. */
export type Terms = ReadonlyMap<string, number>

/** How much of two texts is common, by weight. */
export type Overlap = {
  /** Weight of the common terms. */
  common: number
  /** From 0 to 1: the common share of the text that says less. */
  ofShorter: number
  /** From 0 to 1: the common share of both texts together. */
  ofBoth: number
}

const token = /[\p{L}_$][\p{L}\p{N}_$]*|\p{N}+/gu

/** A name is rarer than a word, so it says more. */
const nameWeight = 1.5

export function termsOf(text: string): Terms {
  const terms = new Map<string, number>()
  for (const [raw] of text.matchAll(token)) {
    const lower = raw.toLowerCase()
    if (isName(raw)) terms.set(lower, nameWeight)
    else if (/^\p{N}/u.test(raw)) terms.set(lower, 1)
    else {
      const base = baseOf(lower)
      if (!common.has(lower) && !common.has(base) && base.length > 1) terms.set(meanings.get(base) ?? base, 1)
    }
  }
  return terms
}

export function compareTerms(a: Terms, b: Terms): Overlap {
  const common = weightOf(commonTerms(a, b))
  const [left, right] = [weightOf(a), weightOf(b)]
  const shorter = Math.min(left, right)
  return {
    common,
    ofShorter: shorter === 0 ? 0 : common / shorter,
    ofBoth: left + right === 0 ? 0 : (2 * common) / (left + right),
  }
}

/** From 0 to 1: the share of `part` that `whole` contains; 1 for a part without terms. */
export function coverage(part: Terms, whole: Terms): number {
  return part.size === 0 ? 1 : weightOf(commonTerms(part, whole)) / weightOf(part)
}

/**
 * What the text calls by a name: whatever it writes as code between backticks, and words that are written like names. In
 * lower case; without names of one or two letters.
 */
export function namesIn(text: string): Set<string> {
  const code = [...text.matchAll(/`([^`]{1,300})`/g)].flatMap(([, inner = '']) => inner.match(token) ?? [])
  const plain = (text.match(token) ?? []).filter(isName)
  return new Set([...code, ...plain].filter(({ length }) => length > 2).map((name) => name.toLowerCase()))
}

function commonTerms(a: Terms, b: Terms): (readonly [string, number])[] {
  return [...a].filter(([term]) => b.has(term))
}

function weightOf(terms: Iterable<readonly [string, number]>): number {
  return [...terms].reduce((sum, [, weight]) => sum + weight, 0)
}

/** `camelCase`, `snake_case`, `CONSTANT_NAME`, `_private`; a capital at the beginning alone begins a sentence. */
function isName(raw: string): boolean {
  return /[_$]|\p{Ll}\p{Lu}|\p{N}\p{L}|\p{L}\p{N}/u.test(raw)
}

/** Without the endings of plurals, verbs and adverbs; rough, and the same for all forms of a word. */
function baseOf(word: string): string {
  if (word.length <= 3) return word
  let base = word
  if (base.endsWith('ies')) base = `${base.slice(0, -3)}y`
  else if (/(?:s|x|z|ch|sh)es$/.test(base)) base = base.slice(0, -2)
  else if (base.endsWith('s') && !/(?:ss|us|is)$/.test(base)) base = base.slice(0, -1)
  for (const ending of ['ization', 'ation', 'ing', 'ed', 'ly', 'ment', 'er', 'or', 'ion', 'e'])
    if (base.endsWith(ending) && base.length - ending.length >= 3) {
      base = base.slice(0, -ending.length)
      break
    }
  if (/([bdfgmnprt])\1$/.test(base)) base = base.slice(0, -1)
  return base
}

/** Function words, and what any finding may say whatever it is about. */
const common: ReadonlySet<string> = new Set(
  `a about above after again all also although always an and any anything are as at back be because been before being
  below between both but by can cannot could did do does done each either else even ever every few for from further get
  gets given go goes got had has have having hence here how however if in instead into is it its itself just least less
  like made make makes many may might more most much must neither never next no nor not nothing now of off on once one
  only or other otherwise our out over own part perhaps rather same several shall should since so some something still
  such take taken takes than that the their them then there therefore these they this those though three through thus to
  together too two under until up upon us use used uses using very via was way we well were what whatever when whenever
  where whereas whether which while who whoever whole whom whose why will with within without would yet you your
  add added behaviour behavior bug call called caller calls case cause causes change changed changes check checks code
  condition consider correct correctly current currently defect ensure error errors example existing expect expected explicit
  explicitly fail fails failure fault file files fix function functions good handle handled handling help implement
  implementation important improve inconsistent incorrect issue lead leads likely line lines logic maintain maintainability
  method methods missing need needed needs new old parameter possible potential potentially prefer prevent problem proper
  properly provide readability really recommend reference result results return returned returns right risk robust run
  runs safe see serious similar simple simply statement suggest sure test tests text thing type types unexpected unnecessary
  user users value values variable version want work works wrong`
    .split(/\s+/)
    .flatMap((word) => [word, baseOf(word)]),
)

/** Words that reviewers use for one and the same thing. The first of each line stands for all of them. */
const meanings: ReadonlyMap<string, string> = new Map(
  [
    'null nil none undefined nullable',
    'crash panic throw throws raise exception abort',
    'duplicate duplicated duplication copy copied copies repeat repeated redundant twice',
    'lock mutex synchronize synchronization synchronized unsynchronized race concurrent concurrently concurrency atomic',
    'leak expose exposed exposure disclose',
    'log logs logged logging debug',
    'secret credential password',
    'validate validation validated verify verification sanitize',
    'remove removed delete deleted drop dropped discard',
    'unused dead unreachable',
    'endless infinite forever unbounded',
    'swallow ignore ignored ignores hide hides suppress',
    'replay reuse reused',
    'extract helper share shared centralize refactor',
    'await awaited promise async asynchronous rejection',
    'empty blank whitespace',
    'slow performance inefficient expensive overhead',
    'memory heap allocation',
    'typo spelling misspelled',
    'comment docstring doc documentation jsdoc',
  ].flatMap((row) => {
    const [first = '', ...rest] = row.split(' ')
    return [first, ...rest].map((word) => [baseOf(word), `=${first}`] as const)
  }),
)
