/**
 * Reads a world: a small repository and the changes that were made to it, in one text. `*** start` and `*** change` begin
 * a commit, `--- PATH` a file in full, `--- PATH (edit)` pieces of it to replace between `<<<`, `===` and `>>>`.
 */

/** Text by path. */
export type Files = ReadonlyMap<string, string>

export type WorldCommit = {
  message: string
  /** The whole tree after it. */
  files: Files
  /** Paths that it wrote. */
  touched: readonly string[]
}

/** The first commit is where the history starts; each of the others is a change on top of the one before. */
export type World = { name: string; commits: readonly WorldCommit[] }

/** Throws for a text that does not fit: a world is ours. */
export function parseWorld(name: string, text: string): World {
  const commits: WorldCommit[] = []
  let files: Files = new Map()
  for (const part of text.split(/^\*\*\* (?:start|change) /m).slice(1)) {
    const [message = '', ...body] = part.split('\n')
    const touched = new Map<string, string>()
    for (const section of body.join('\n').split(/^--- /m).slice(1)) {
      const [head = '', ...lines] = section.split('\n')
      const content = `${lines.join('\n').trimEnd()}\n`
      const edited = /^(.*) \(edit\)$/.exec(head)?.[1]
      if (edited === undefined) touched.set(head, content === '\n' ? '' : content)
      else touched.set(edited, applyEdits(touched.get(edited) ?? files.get(edited), content, edited))
    }
    files = new Map([...files, ...touched])
    commits.push({ message, files, touched: [...touched.keys()] })
  }
  return { name, commits }
}

function applyEdits(text: string | undefined, edits: string, path: string): string {
  if (text === undefined) throw new Error(`${path} is edited before it is there`)
  let result = text
  for (const [, old = '', now = ''] of edits.matchAll(/^<<<\n([\s\S]*?)\n===\n([\s\S]*?)\n>>>$/gm)) {
    if (result.split(old).length !== 2) throw new Error(`${path}: not there once:\n${old}`)
    result = result.replace(old, () => now)
  }
  return result
}
