/** Where the lines of a question to a reviewer are: the tags of its diffs, and the numbers of its evidence. */

export type QuestionPlaces = {
  /** Whether the diff of this file is in the question. */
  showsDiff(path: string): boolean
  /** The whole tag of `L42` or `O41` in the diff of the file; null when it is not shown. */
  tagOf(path: string, line: string): string | null
  /** The number of evidence that holds this line of a file as it is after the change; null when none does. */
  evidenceAt(path: string, line: number): string | null
}

type Held = { id: string; path: string; from: number; to: number }

const foreign =
  /^(?:(?<id>E\d+):\n)?<<<foreign (?<token>\w+) (?<origin>"[^\n]*")\n(?<text>[\s\S]*?)\n>>>end \k<token>$/gm

export function readPlaces(question: string): QuestionPlaces {
  const tags = new Map<string, Map<string, string>>()
  const held: Held[] = []
  for (const { groups: { id, origin = '""', text = '' } = {} } of question.matchAll(foreign)) {
    const title = String(JSON.parse(origin))
    const path = /^diff of (.+)$/.exec(title)?.[1]
    if (path !== undefined) tags.set(path, tagsIn(text))
    else if (id !== undefined) held.push(...heldBy(id, title, text))
  }
  return {
    showsDiff: (path) => tags.has(path),
    tagOf: (path, line) => tags.get(path)?.get(line) ?? null,
    evidenceAt: (path, line) =>
      held.find((one) => one.path === path && one.from <= line && line <= one.to)?.id ?? null,
  }
}

function tagsIn(diff: string): Map<string, string> {
  const tags = [...diff.matchAll(/^\[(([LO]\d+)#[0-9a-z]{3})\]/gm)]
  return new Map(tags.map(([, tag = '', line = '']) => [line, tag]))
}

/** Lines, and those that are shown above. What was before the change is left out. */
function heldBy(id: string, title: string, text: string): Held[] {
  const [, path = '', before] = /^(.+?)(?::\d+(?:-\d+)?)?( before the change)?(?:: .*)?$/.exec(title) ?? []
  if (before !== undefined) return []
  const lines = text.matchAll(/^(?: *(\d+)\| |… (\d+)(?:-(\d+))?: shown above)/gm)
  return [...lines].map(([, line, first, last]) => {
    const from = Number(line ?? first)
    return { id, path, from, to: Number(line ?? last ?? first) }
  })
}
