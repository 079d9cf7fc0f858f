/** Whether a text is a lock file of the kind that its name says: it parses, and has what every one of them has. */
import { parseAllDocuments } from 'yaml'

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export function readsAsLock(path: string, text: string): boolean {
  return formats.some(({ names, reads }) => names.test(nameOf(path)) && reads(text))
}

type LockFormat = { names: RegExp; reads: (text: string) => boolean }

const formats: readonly LockFormat[] = [
  {
    names:
      /^(?:package-lock\.json|npm-shrinkwrap\.json|bun\.lock|deno\.lock|Pipfile\.lock|composer\.lock|Package\.resolved|flake\.lock|packages\.lock\.json|MODULE\.bazel\.lock)$/,
    reads: (text) =>
      hasKey(parseJson(text), /^(?:lockfileVersion|version|_meta|content-hash|packages|nodes|pins|object)$/i),
  },
  { names: /^pnpm-lock\.yaml$/, reads: (text) => hasKey(parseYaml(text), /^lockfileVersion$/) },
  {
    names: /^yarn\.lock$/,
    reads: (text) => /^# yarn lockfile v1$/m.test(text) || hasKey(parseYaml(text), /^__metadata$/),
  },
  {
    names: /^(?:Podfile|pubspec|pixi)\.lock$/,
    reads: (text) => hasKey(parseYaml(text), /^(?:PODS|packages|version)$/),
  },
  {
    names: /^(?:Cargo|poetry|uv|pdm)\.lock$/,
    reads: (text) => /^\[\[package\]\]$/m.test(text) && everyLine(text, tomlLine),
  },
  {
    names: /^go(?:\.work)?\.sum$/,
    reads: (text) => everyLine(text, /^\S{1,300} v\S{1,200} h1:[A-Za-z0-9+/]{43}=$/),
  },
  {
    names: /^Gemfile\.lock$/,
    reads: (text) =>
      /^(?:GEM|PATH|GIT)$/m.test(text) && everyLine(text, /^(?:[A-Z ]{2,40}|[ ]{2,8}[^ ].{0,300})$/),
  },
  {
    names: /^mix\.lock$/,
    reads: (text) => everyLine(text, /^(?:%\{|\}| {2}"[\w-]{1,100}": \{:(?:hex|git), .{0,4000}\},?)$/),
  },
  {
    names: /^gradle\.lockfile$/,
    reads: (text) => everyLine(text, /^(?:#.{0,200}|[\w.:-]{1,300}=[\w.,-]{0,4000})$/),
  },
]

const tomlLine =
  /^(?:#.{0,400}|\[{1,2}[\w."-]{1,200}\]{1,2}|[\w."-]{1,200} = .{0,4000}|[ \t]{1,8}.{0,4000}|[\]}],?)$/

function everyLine(text: string, form: RegExp): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return lines.length > 0 && lines.every((line) => form.test(line))
}

function hasKey(value: unknown, name: RegExp): boolean {
  return value !== null && typeof value === 'object' && Object.keys(value).some((key) => name.test(key))
}

function parseJson(text: string): unknown {
  try {
    // bun.lock allows commas at the end.
    return JSON.parse(text.replace(/,(?=\s{0,100}[\]}])/g, ''))
  } catch {
    return null
  }
}

function parseYaml(text: string): unknown {
  const [document] = parseAllDocuments(text)
  return document === undefined || !('errors' in document) || document.errors.length > 0
    ? null
    : document.toJS()
}
