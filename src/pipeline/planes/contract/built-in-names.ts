/** Names that a language, its platform or a test's runner gives to every file: where a definition that shadowed one was removed, the name still means something. */
import { isTestPath } from '../../../base/file-paths.ts'

const builtIns: Readonly<Record<string, string>> = {
  go: `any append bool byte cap clear close comparable complex complex128 complex64 copy delete error false float32
    float64 imag int int16 int32 int64 int8 iota len make max min new nil panic print println real recover rune string
    true uint uint16 uint32 uint64 uint8 uintptr`,
  javascript: `AbortController AbortSignal AggregateError Array ArrayBuffer Atomics BigInt Blob Boolean BroadcastChannel Buffer
    CSSStyleSheet CompressionStream Crypto CryptoKey CustomEvent DOMException DOMParser DataView Date DecompressionStream Document
    DocumentFragment Element Error ErrorEvent EvalError Event EventSource EventTarget File FileList FileReader FinalizationRegistry
    FormData Function HTMLCollection Headers Infinity IntersectionObserver Intl Iterator JSON KeyboardEvent Location Map Math
    MessageChannel MessageEvent MessagePort MouseEvent MutationObserver NaN Navigator Node NodeList Notification Number Object
    Performance PerformanceObserver PointerEvent Promise Proxy Range RangeError ReadableStream ReferenceError Reflect RegExp Request
    ResizeObserver Response Selection ServiceWorker Set SharedArrayBuffer Storage String Symbol SyntaxError Text TextDecoder
    TextEncoder TransformStream TypeError URIError URL URLSearchParams WeakMap WeakRef WeakSet WebAssembly WebSocket Window Worker
    WritableStream XMLHttpRequest alert atob btoa caches cancelAnimationFrame clearImmediate clearInterval clearTimeout confirm
    console crypto customElements document eval fetch global globalThis history indexedDB isFinite isNaN localStorage location
    matchMedia navigator open parseFloat parseInt performance postMessage process prompt queueMicrotask requestAnimationFrame
    requestIdleCallback screen self sessionStorage setImmediate setInterval setTimeout structuredClone undefined window`,
  python: `ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
    BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError
    ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError
    Exception ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit
    IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError
    KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented
    NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
    PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StandardError
    StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemExit TabError TimeoutError True TypeError
    UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning
    UserWarning VMSError ValueError Warning WindowsError ZeroDivisionError __annotations__ __builtins__ __debug__
    __doc__ __file__ __import__ __loader__ __name__ __package__ __path__ __spec__ abs aiter all anext any apply ascii
    basestring bin bool breakpoint buffer bytearray bytes callable chr classmethod cmp coerce compile complex
    copyright credits delattr dict dir divmod enumerate eval exec execfile exit file filter float format frozenset
    getattr globals hasattr hash help hex id input int intern isinstance issubclass iter len license list locals long
    map max memoryview min next object oct open ord pow print property quit range raw_input reduce reload repr
    reversed round set setattr slice sorted staticmethod str sum super tuple type unichr unicode vars xrange zip`,
}

const builtInSets = new Map(
  Object.entries(builtIns).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
)

/** In any version of the language, since the change may be about a newer one. */
export function isBuiltIn(language: string, name: string): boolean {
  const own = language === 'typescript' || language === 'tsx' ? 'javascript' : language
  return builtInSets.get(own)?.has(name) === true || (own === 'javascript' && element.test(name))
}

/** Mocha, Jasmine, Jest and their like make these global, so that a test needs none of them any more once its runner is another. */
const ofRunners: ReadonlySet<string> = new Set(
  // biome-ignore format: a list of words
  ['after', 'afterAll', 'afterEach', 'assert', 'before', 'beforeAll', 'beforeEach', 'context', 'describe', 'expect', 'it', 'jest', 'setup', 'sinon', 'specify', 'suite', 'teardown', 'test', 'vi', 'xdescribe', 'xit'],
)

/** What the runner of a test of JavaScript gives to it. */
export function isOfRunner(path: string, language: string, name: string): boolean {
  return /^(?:javascript|typescript|tsx)$/.test(language) && isTestPath(path) && ofRunners.has(name)
}

const element = /^(?:HTML|SVG)\w{0,40}Element$/
