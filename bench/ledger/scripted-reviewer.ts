/**
 * A reviewer whose findings follow from what it is shown, so that it is known what a review of everything would find: some
 * added lines by their words, and some uses of what another file of the change defines by the words of that definition.
 */
import { sha256 } from '../../src/base/canonical-json.ts'
import { emptyAnswer, plainFinding } from '../../test/helpers/reviewer-answer.ts'

type Line = { tag: string; isAdded: boolean; text: string }
type ShownFile = { path: string; lines: Line[] }
type Definition = { path: string; name: string; isFaulty: boolean }

/** One of so many added lines is at fault. */
const rarity = 30
/** Of one kind in one file. */
const most = 4
/** Lines of a definition that decide whether its uses are at fault. */
const body = 6

/** The answer to one question. */
export function answerQuestion(prompt: string): object {
  const files = readDiffs(prompt)
  const asked = askedFiles(prompt) ?? new Set(files.map(({ path }) => path))
  const definitions = definitionsIn(files)
  const findings = files
    .filter(({ path }) => asked.has(path))
    .flatMap((file) => [...ownFaults(file), ...tiedFaults(file, definitions)])
  return { ...emptyAnswer, findings }
}

function readDiffs(prompt: string): ShownFile[] {
  const blocks = prompt.matchAll(/<<<foreign (\S+) "diff of ([^"\n]+)"\n([\s\S]*?)\n>>>end \1/g)
  return [...blocks].map(([, , path = '', text = '']) => ({
    path,
    lines: text.split('\n').flatMap((line): Line[] => {
      const [, tag, sign, words] = /^\[([LO]\d+#\w+)\]( \+| -|)(.*)$/.exec(line) ?? []
      if (tag === undefined || sign === ' -') return []
      return [{ tag, isAdded: sign === ' +', text: (words ?? '').trim() }]
    }),
  }))
}

function askedFiles(prompt: string): Set<string> | null {
  const listed = /"files to look at"\n([\s\S]*?)\n>>>end/.exec(prompt)?.[1]
  return listed === undefined ? null : new Set(listed.split('\n'))
}

function ownFaults({ path, lines }: ShownFile): object[] {
  const faulty = lines.filter(({ isAdded, text }) => isAdded && text.length > 15 && share(text) < 1 / rarity)
  return faulty.slice(0, most).map((line) => finding(path, line, `${nameOf(line.text)} is at fault`))
}

/** Uses of names that one other file defines in its added lines. */
function tiedFaults({ path, lines }: ShownFile, definitions: readonly Definition[]): object[] {
  const used = lines.flatMap((line) => {
    if (!line.isAdded) return []
    const one = definitions.find(
      (definition) => definition.path !== path && new RegExp(`\\b${definition.name}\\(`).test(line.text),
    )
    return one?.isFaulty ? [finding(path, line, `${nameOf(line.text)} misuses ${one.name}`)] : []
  })
  return used.slice(0, most)
}

const defines = /\b(?:function|def|func|fn|fun)\s+([A-Za-z_]\w{4,})/

function definitionsIn(files: readonly ShownFile[]): Definition[] {
  const all = files.flatMap(({ path, lines }) =>
    lines.flatMap(({ isAdded, text }, at): Definition[] => {
      const name = isAdded ? defines.exec(text)?.[1] : undefined
      if (name === undefined) return []
      const words = lines.slice(at, at + body).map((line) => line.text)
      return [{ path, name, isFaulty: share(words.join('\n')) < 0.5 }]
    }),
  )
  const owners = Map.groupBy(all, ({ name }) => name)
  return all.filter(({ name }) => owners.get(name)?.length === 1)
}

function finding(file: string, { tag, text }: Line, title: string): object {
  return {
    ...plainFinding,
    file,
    tags: [tag],
    evidence: [{ id: tag, quote: text }],
    explanation: `It is ${nameOf(text)}.`,
    title,
    category: 'correctness',
    severity: 'medium',
    confidence: 'likely',
    claims: [],
    remedy: null,
  }
}

function nameOf(text: string): string {
  return sha256(text).slice(0, 12)
}

/** From 0 to 1, decided by the words. */
function share(text: string): number {
  return Number.parseInt(sha256(text).slice(0, 8), 16) / 0xffffffff
}
