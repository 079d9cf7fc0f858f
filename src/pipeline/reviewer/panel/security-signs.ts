/**
 * Whether anything that a change touches may matter to security: by its words, paths, functions and kinds of files, never by
 * what somebody says of it. Loose on purpose: a sign too many costs one question, a sign too few hides a hole.
 */
import type { FileChange } from '../../../domain/change-set.ts'
import type { ReviewContext } from '../../../domain/review-context.ts'

type Touched = Pick<ReviewContext, 'change' | 'symbols'>

export function hasSecuritySign({ change, symbols }: Touched): boolean {
  if (change.overflow.length > 0 || change.unlisted !== undefined) return true
  return change.files.some((file) => fileHasSign(file)) || symbols.some((symbol) => symbolHasSign(symbol))
}

/** Where memory is managed by hand, where text is run, and where nothing is known of the language, any line may matter. */
const safeLanguages: ReadonlySet<string> = new Set([
  'typescript',
  'tsx',
  'javascript',
  'python',
  'ruby',
  'java',
  'kotlin',
  'scala',
  'csharp',
  'go',
  'swift',
])

const styles = /\.(?:css|scss|sass|less|styl)$/i
/** A style sheet that loads something or runs something. */
const activeStyle = /url\(|@import|expression\(|javascript:|behavior:/i
/** Documents that steer models. */
const steering = /AGENTS|CLAUDE|GEMINI|SKILL|copilot|prompt|instruction|\.cursor|\.claude/i

function fileHasSign(file: FileChange): boolean {
  const { path, oldPath, role, kind, omitted, language, hunks, oldMode, newMode } = file
  if (role === 'test') return false
  if (role === 'docs') return steering.test(path)
  const isPlain = kind === 'text' && omitted === null && (oldMode ?? newMode) === (newMode ?? oldMode)
  if (role !== 'source' || !isPlain) return true
  const changed = hunks.flatMap(({ lines }) => lines.filter((line) => line.kind !== 'context'))
  if (styles.test(path)) return changed.some(({ text }) => activeStyle.test(text))
  if (!safeLanguages.has(language ?? '')) return true
  return (
    [path, oldPath ?? '', ...hunks.map(({ section }) => section)].some(hasSign) ||
    changed.some(({ kind: side, text }) => hasSign(text) || (side === 'removed' && decides.test(text)))
  )
}

/** With its parameters and types, since these say what comes in. */
function symbolHasSign({ before, after }: ReviewContext['symbols'][number]): boolean {
  return [before, after].some(
    (one) =>
      one !== null &&
      !one.symbol.isTest &&
      [one.symbol.scope, one.symbol.name, one.symbol.signature.text].some(hasSign),
  )
}

const longestLine = 2_000

function hasSign(text: string): boolean {
  return text.length > longestLine || signs.test(text)
}

/** A removed condition may have been the check. */
const decides =
  /\b(?:if|unless|guard|when|assert|require|throw|raise|return|switch|case|match|catch|except)\b|&&|\|\|/

/** Anywhere in a word, since names are made of several. */
const signs = new RegExp(
  [
    // Who may.
    'auth|log_?in|log_?out|sign_?(?:in|up|ed)|passw|passphrase|passcode|secret|credential|token|session|cookie|csrf|xss|cors',
    'origin|jwt|saml|ldap|otp|mfa|role|permi|privileg|grant|policy|policies|acl|admin|sudo|root|owner|tenant|account|user|member',
    'identi|principal|allow|deny|forbid|restrict|guard|protect|trust|verif|valid|check|assert|access|visib|hidden',
    // What comes in and goes out.
    'request|respon|\\breqs?\\b|\\bres\\b|\\bctx\\b|header|body|quer|param|payload|input|form|upload|download|url|uri|href|link|redirect',
    'http|fetch|socket|host|\\bports?\\b|_ports?\\b|proxy|dns|mail|smtp|hook|endpoint|rout|controller|handler|middleware|graphql|rpc|client|server',
    'messag|event|listen|publish|subscrib|queue|notif|print|log|debug|trace|console|error|exception|stack',
    // What runs or is read as something else.
    'exec|spawn|shell|command|process|system|eval|compil|script|templat|render|html|markup|svg|xml|yaml|json|pars|seriali|pickle',
    'marshal|reflect|proto|plugin|load|import\\(|require\\(|regex|regexp|pattern|match|escap|sanit|encod|decod|format|interpol',
    // Where things are.
    'file|path|\\bdir|folder|archive|zip|\\btar|stream|read|writ|open|save|delet|remov|destroy|unlink|chmod|te?mp|stor|cach|redis|mongo',
    'sql|select|insert|update|where|datab|\\bdb|table|record|entity|repositor|transact|commit|bucket|blob',
    // Secrets and chance.
    'crypt|cipher|hash|hmac|digest|signatur|nonce|salt|rand|uuid|keys?|cert|tls|ssl|\\bssh',
    // What it depends on, and its limits.
    '\\benv|config|setting|option|flag|feature|unsafe|pointer|buffer|memory|alloc|lock|race|async|await|thread|limit|timeout|quota|rate',
    'price|amount|pay|money|charge|balance|discount|credit|invoice|order',
  ].join('|'),
  'i',
)
