/**
 * What runs or is read although no code names it: by a framework, by the language, by reflection, through a type that is
 * not here.
 */
import type { FileFacts, Reference } from '../contract.ts'
import { isScript } from '../language-of.ts'
import type { Definition, Language, World } from '../resolve/contract.ts'
import { resolverOf } from '../resolve/languages/registry.ts'
import { linesOf } from '../resolve/lines.ts'
import { around, basesOf, isType, referencesAt, referencesNamed, symbolOf } from '../resolve/symbols.ts'
import { holderOf, isConstructor } from './target-names.ts'

/** How it may be run without being named in this tree; null when nothing speaks for it. */
export async function whyRunUnnamed(world: World, target: Definition): Promise<string | null> {
  const { facts, index } = target
  const { name, scope, signature, kind } = symbolOf(target)
  const parent = facts.parents[index] ?? null
  const isMaker = isConstructor(target) && parent !== null
  const lines = linesOf(facts, (await world.text(target.path)) ?? '')
  const mark = markOf(facts, index, lines) ?? (isMaker ? markOf(facts, parent, lines) : null)
  if (/(?:^|\/)__mocks__\//.test(target.path)) return 'a test framework uses it instead of another'
  if (mark !== null) return `\`${mark}\` marks it, and may hand it on`
  if (isMaker && isMadeWithin(facts, parent)) return 'its own type makes one without naming itself'
  if (isElsewhere(target)) return 'it is declared for another module'
  if (isMaker && facts.language === 'cpp' && !/\bexplicit\b/.test(signature.text))
    return 'a value in braces, or one that is converted, runs it without a name'
  if (isMaker) return whyUsedAbove(world, target)
  if (/^(?:c|cpp)$/.test(facts.language) && isForLinker(target, lines)) return 'the linker may run or keep it'
  if (facts.language === 'bash' && isInEnvironment(target, lines)) return 'the environment hands it on'
  if ((scope !== '' || !isScript(facts.language)) && runByTheLanguage[facts.language]?.test(name))
    return 'the language calls it'
  if (/\b(?:override|operator|virtual)\b/.test(signature.text))
    return 'it overrides another, or is an operator'
  if (facts.language === 'scala' && /\b(?:implicit|given)\b/.test(signature.text))
    return 'the compiler puts it in where its type is wanted'
  if (scope === '') return null
  // A type inside another may be what a protocol or trait asks for.
  if (isType(symbolOf(target), facts)) return kind === 'type' ? whyUsedAbove(world, target) : null
  return whyReflected(target, lines) ?? whyMemberRuns(world, target)
}

async function whyMemberRuns(world: World, target: Definition): Promise<string | null> {
  const { facts } = target
  const { visibility, kind } = symbolOf(target)
  if (kind !== 'method' && kind !== 'function')
    return visibility === 'private' && !/^(?:python|ruby|javascript|swift)$/.test(facts.language)
      ? null
      : whyUsedAbove(world, target)
  if (facts.language === 'go' && visibility === 'exported')
    return 'it may implement an interface of another package'
  return whyUsedAbove(world, target)
}

const jvm =
  /^(?:main|premain|agentmain|toString|hashCode|equals|compareTo|compare|clone|finalize|close|iterator|hasNext|next|values|valueOf|entries|invoke|get|set|contains|getValue|setValue|provideDelegate|component\d+|copy|apply|update|unapply|unapplySeq|map|flatMap|filter|withFilter|foreach|readObject|writeObject|readObjectNoData|readResolve|writeReplace|serialVersionUID)$/
const script =
  /^(?:toString|toLocaleString|toJSON|valueOf|then|next|return|throw|get|set|has|apply|construct|deleteProperty|ownKeys|defineProperty|getOwnPropertyDescriptor|getPrototypeOf)$/

/**
 * What each language calls by a form of its own (an entry point, a conversion, a loop, a pattern) or through a type that
 * all others extend without saying so.
 */
const runByTheLanguage: Readonly<Record<string, RegExp>> = {
  go: /^(?:main|init|TestMain)$/,
  rust: /^main$/,
  python:
    /^(?!__init__$)(?:__\w+__|pytest_\w+|main|setUp\w*|tearDown\w*|(?:setup|teardown)_(?:method|class|module|function))$/,
  ruby: /^(?:to_(?:s|str|sym|a|ary|h|hash|proc|i|int|f|r|c|io|path|enum)|inspect|each|hash|eql\?|coerce|call|succ|exception|method_missing|respond_to_missing\?|const_missing|inherited|included|extended|prepended|(?:singleton_)?method_(?:added|removed|undefined)|marshal_(?:dump|load)|(?:encode|init)_with|initialize_(?:copy|dup|clone))$/,
  php: /^__\w+$/,
  java: jvm,
  kotlin: jvm,
  scala: jvm,
  csharp:
    /^(?:Main|ToString|Equals|GetHashCode|Finalize|Get(?:Async)?Enumerator|MoveNext(?:Async)?|Current|Dispose(?:Async)?|GetAwaiter|GetResult|IsCompleted|OnCompleted|GetPinnableReference|Deconstruct|Add|Slice|Length|Count|Invoke|Select|SelectMany|Where|Join|GroupJoin|GroupBy|OrderBy|OrderByDescending|ThenBy|ThenByDescending|Cast)$/,
  swift:
    /^(?:main|(?:de)?init|callAsFunction|dynamically\w+|build[A-Z]\w+|wrappedValue|projectedValue|subscript|append(?:Interpolation|Literal)|description|debugDescription|makeIterator|next|hash|encode|body|CodingKeys)$/,
  c: /^(?:main|w?WinMain|wmain|DllMain|LLVMFuzzer\w+)$/,
  cpp: /^(?:main|w?WinMain|wmain|DllMain|LLVMFuzzer\w+|c?r?begin|c?r?end|get|await_\w+|promise_type|get_return_object|(?:initial|final)_suspend|unhandled_exception|return_(?:void|value)|yield_value|swap|PrintTo|hash|formatter|tuple_(?:size|element)|numeric_limits)$/,
  bash: /^(?:main|IFS|PS\d|PATH|PROMPT_COMMAND|command_not_found_handle)$/,
  javascript: script,
  typescript: script,
  tsx: script,
}

/** `__attribute__((constructor))` and the like, before its name. */
function isForLinker(target: Definition, lines: ReturnType<typeof linesOf>): boolean {
  const { startLine, nameLine } = symbolOf(target)
  for (let line = startLine; line <= nameLine; line++) if (forLinker.test(lines.at(line))) return true
  return false
}

const forLinker =
  /\b(?:__attribute__\s{0,4}\(\(|gnu::)[^()]{0,80}\b_{0,2}(?:constructor|destructor|used|section|alias|ifunc|weak)\b|__declspec\s{0,4}\(\s{0,4}dllexport/

/** A function or variable of the shell that other programs get, or by its capitals may get. */
function isInEnvironment(target: Definition, lines: ReturnType<typeof linesOf>): boolean {
  const { name, nameLine, kind } = symbolOf(target)
  if (kind === 'function')
    return target.facts.symbols.some((one) => one.name === name && /^export\s+-\w*f/.test(one.signature.text))
  return /^[A-Z][A-Z\d_]*$/.test(name) || /\bexport\b|\s-\w*x/.test(lines.at(nameLine))
}

/** What reads the members of a type by reflection, or writes code that does. */
function whyReflected({ facts, index }: Definition, lines: ReturnType<typeof linesOf>): string | null {
  const parent = facts.parents[index] ?? null
  const mark = parent === null ? null : markOf(facts, parent, lines)
  if (mark !== null) return `\`${mark}\` marks its type, and may read its members`
  const { nameLine = 0, kind } = facts.symbols[index] ?? {}
  const type = parent === null ? undefined : facts.symbols[parent]
  if (kind === 'field' && type && readsItself.test(type.signature.text))
    return 'its type is taken apart by places'
  return facts.language === 'go' && /`[^`"]{0,200}:"[^`]{0,400}`/.test(lines.at(nameLine))
    ? 'its tag is for reflection'
    : null
}

/** Types whose members patterns, comparisons and conversions read in order. */
const readsItself = /(?:^|\s)(?:data\s+class|case\s+class|record)\b/

/** These say something about a definition, and do not pass it on. */
const plainMarks =
  /^(?:staticmethod|classmethod|property|setter|abstractmethod|overload|final|dataclass|cache|cached_property|lru_cache|contextmanager|wraps|derive|inline|must_use|allow|cfg|doc|cold|repr|non_exhaustive|Deprecated|Obsolete|SuppressWarnings|Nullable|NonNull|NotNull|Nonnull|Pure|JvmStatic|JvmOverloads|JvmField|JvmInline|Suppress|OptIn|SafeVarargs|FunctionalInterface|deprecated|tailrec|discardableResult|available|frozen|usableFromInline|inlinable|MainActor)$/

/** The annotation or decorator of a definition that may hand it on; null when it has none. */
function markOf(facts: FileFacts, index: number, lines: ReturnType<typeof linesOf>): string | null {
  const { startLine = 1, nameLine = 0 } = facts.symbols[index] ?? {}
  for (let line = startLine; line <= nameLine; line++)
    for (const one of referencesAt(facts, line)) {
      if (one.role !== 'decorator' || (one.enclosing ?? index) !== index) continue
      if (!plainMarks.test(one.name)) return one.name
      if (one.name === 'derive' && derivesMore(one, lines)) return 'derive'
    }
  return null
}

/** Whether anything but the traits of the language is derived, such as what reads and writes all fields. */
function derivesMore({ line, endLine, column }: Reference, lines: ReturnType<typeof linesOf>): boolean {
  let text = lines.at(line).slice(column)
  for (let next = line + 1; next <= endLine + mostDeriveLines && !text.includes(']'); next++)
    text += lines.at(next)
  const derived = text.slice(text.indexOf('(') + 1).split(/[)\]]/, 1)[0] ?? ''
  return derived.split(',').some((name) => !ownTraits.test(name.trim()))
}

/** Of the standard library, and nothing: a comma may end the list. */
const ownTraits = /^(?:Debug|Clone|Copy|(?:Partial)?(?:Eq|Ord)|Hash|Default)?$/
const mostDeriveLines = 20

async function whyUsedAbove(world: World, target: Definition): Promise<string | null> {
  const language = resolverOf(target.facts.language)
  const holder = holderOf(target)
  if (!language || !holder) return null
  return (await isOpenAbove(language, world, holder))
    ? 'a base type is not in this repository, and may use it'
    : null
}

/** `cls()`, `new static`, `this(1)` of another constructor. */
function isMadeWithin(facts: FileFacts, type: number): boolean {
  const { startLine = 1, endLine = 0 } = facts.symbols[type] ?? {}
  return ownTypeWords.some((word) =>
    referencesNamed(facts, word).some(
      ({ role, line }) => role === 'call' && startLine <= line && line <= endLine,
    ),
  )
}

const ownTypeWords = ['cls', '__class__', 'this', 'self', 'Self', 'static', 'init', 'constructor']

/** `declare module 'x' { … }`, `declare global { … }`. */
function isElsewhere({ facts, index }: Definition): boolean {
  return (
    isScript(facts.language) &&
    around({ facts, enclosing: facts.parents[index] ?? null }).some((at) =>
      /^\s*(?:export\s+)?(?:declare\s+)?(?:module\s+['"]|global\b)/.test(
        facts.symbols[at]?.signature.text ?? '',
      ),
    )
  )
}

/** More types above one are not walked. */
const mostTypes = 60

/** Whether a type above is from somewhere else; a trait that is implemented counts as one above. */
async function isOpenAbove(language: Language, world: World, holder: Definition): Promise<boolean> {
  const seen = new Set<string>()
  const waiting = [holder]
  for (let type = waiting.pop(); type; type = waiting.pop()) {
    const key = `${type.path}\n${type.index}`
    if (seen.has(key)) continue
    seen.add(key)
    const written = basesOf(type)
    if (written.length === 0) continue
    if (symbolOf(type).kind === 'impl' || seen.size > mostTypes) return true
    const bases = await language.baseTypes(world, type)
    if (bases.open || bases.types.length < written.length) return true
    waiting.push(...bases.types)
  }
  return false
}
