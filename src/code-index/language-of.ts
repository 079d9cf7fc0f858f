/** Which language a file is in, by its name, or by its first line where the name has no ending. Ids are those of the language tables. */

const byEnding: Record<string, string> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  py: 'python',
  pyi: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  hh: 'cpp',
  hpp: 'cpp',
  hxx: 'cpp',
  inl: 'cpp',
  ipp: 'cpp',
  tpp: 'cpp',
  cs: 'csharp',
  php: 'php',
  phtml: 'php',
  kt: 'kotlin',
  kts: 'kotlin',
  swift: 'swift',
  sh: 'bash',
  bash: 'bash',
  bats: 'bash',
  scala: 'scala',
  sc: 'scala',
  sbt: 'scala',
  rb: 'ruby',
  rake: 'ruby',
  gemspec: 'ruby',
  ru: 'ruby',
}

/** By the program that a script names in its first line. */
const byInterpreter: Record<string, string> = {
  node: 'javascript',
  nodejs: 'javascript',
  bun: 'typescript',
  deno: 'typescript',
  tsx: 'typescript',
  'ts-node': 'typescript',
  python: 'python',
  pypy: 'python',
  ruby: 'ruby',
  php: 'php',
  sh: 'bash',
  dash: 'bash',
  bash: 'bash',
  ksh: 'bash',
}

const firstLine =
  /^#!\s*(?:\S*\/)?(?:env[ \t]+(?:-\S+[ \t]+|\w+=\S+[ \t]+)*(?:\S*\/)?)?([a-z]+(?:-[a-z]+)?)[\d.]*(?:\s|$)/

/** A file without an ending, whose first line may say that it is a script. */
export function mayBeScript(path: string): boolean {
  return !path.includes('.', path.lastIndexOf('/') + 1)
}

/** Qt keeps its translations in files that have the ending of TypeScript. */
export function mayBeXml(path: string): boolean {
  return /\.ts$/i.test(path)
}

const xml = /^\uFEFF?<(?:\?xml|!DOCTYPE)\b/i

/**
 * Null for a language that has no table: such a file is text to us. Where `text` is at hand it tells more: `.h` is C by
 * its name, and C++ when it has what only C++ has; a file without an ending is in the language of its interpreter; and
 * `.ts` may be XML.
 */
export function languageOf(path: string, text?: string): string | null {
  if (text?.startsWith('#!') && mayBeScript(path))
    return byInterpreter[firstLine.exec(text.slice(0, 200))?.[1] ?? ''] ?? null
  if (text !== undefined && mayBeXml(path) && xml.test(text)) return null
  const ending = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase()
  const language = (ending !== undefined && byEnding[ending]) || null
  return ending === 'h' && text !== undefined && isCplusplus(text) ? 'cpp' : language
}

/** Long enough to get past a licence and the first includes. */
const lookedAt = 50_000

const onlyCplusplus = [
  /^[ \t]*(?:inline[ \t]+)?namespace\b[\w \t:]{0,200}\s{0,20}\{/m,
  /^[ \t]*template[ \t]*</m,
  /^[ \t]*(?:public|private|protected)[ \t]*:/m,
  /^[ \t]*(?:enum[ \t]+)?class[ \t]+\w[\w \t:<>,]{0,200}\s{0,20}[{;]/m,
  /^[ \t]*using[ \t]+(?:namespace[ \t]+)?\w+[ \t]*(?:=|::|;)/m,
  /^[ \t]*(?:[A-Za-z_][\w \t*&<>]{0,100}[ \t*&<])?[A-Za-z_]\w{0,100}::[A-Za-z_~]/m,
]

/** `extern "C"` says nothing: C writes it for the sake of C++. */
function isCplusplus(text: string): boolean {
  const beginning = text.slice(0, lookedAt)
  return onlyCplusplus.some((sign) => sign.test(beginning))
}

/** TypeScript, TSX and JavaScript: one language of modules. */
export function isScript(language: string): boolean {
  return /script|tsx/.test(language)
}
