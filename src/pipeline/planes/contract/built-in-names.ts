/** Names that a language gives to every file. */
/** Built-in names: where a definition that shadowed one was removed, the name still means something. */
const builtIns: Readonly<Record<string, string>> = {
  go: `any append bool byte cap clear close comparable complex complex128 complex64 copy delete error false float32
    float64 imag int int16 int32 int64 int8 iota len make max min new nil panic print println real recover rune string
    true uint uint16 uint32 uint64 uint8 uintptr`,
  python: `ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
    BufferError ChildProcessError ConnectionError EOFError Ellipsis Exception ExceptionGroup False FileExistsError
    FileNotFoundError FloatingPointError ImportError IndexError IsADirectoryError KeyError KeyboardInterrupt LookupError
    MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented NotImplementedError OSError
    OverflowError PermissionError ProcessLookupError RecursionError ReferenceError RuntimeError RuntimeWarning
    StopAsyncIteration StopIteration SyntaxError SystemExit TimeoutError True TypeError UnicodeError UserWarning ValueError
    Warning ZeroDivisionError abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod
    compile complex delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr
    hash help hex id input int isinstance issubclass iter len list locals map max memoryview min next object oct open ord
    pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars
    zip`,
}

const builtInSets = new Map(
  Object.entries(builtIns).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
)

/** In any version of the language, since the change may be about a newer one. */
export function isBuiltIn(language: string, name: string): boolean {
  return builtInSets.get(language)?.has(name) ?? false
}
