/** Whether changed lines hold what the lines that they replace held, and are only wrapped differently, as by a formatter. */
import type { FileChange } from '../../../domain/change-set.ts'

/** Where a line begins has a meaning in their code. */
const layoutCounts = new Set(['python', 'scala'])

/** What a line of a comment begins with. */
const comment = /^(?:(\/\*|\*(?=\s|\/|$))|(\/\/+|#+|--|;+|%+)(?=\s|$))/
/** A line that is joined to one with a comment at its end becomes part of that. */
const commentAfterCode = /\S\s*\/\/|\S\s(?:#|--)/

type Traits = Pick<FileChange, 'language' | 'role'>

export function isRewrapped(before: readonly string[], after: readonly string[], file: Traits): boolean {
  if (before.length === after.length || before.length === 0 || after.length === 0) return false
  // In prose a mark is a word: it makes a list or a heading.
  const isProse = file.role === 'docs'
  if (!isProse && file.language === null) return false
  const [was, is] = [flowOf(before, isProse), flowOf(after, isProse)]
  if (was.text === '' || was.text !== is.text || was.marks !== is.marks) return false
  if (
    is.marks.includes(code) &&
    (layoutCounts.has(file.language ?? '') ||
      [...before, ...after].some((line) => commentAfterCode.test(line)))
  )
    return false
  // A gap within a line is the same in both, or one of them breaks the line there.
  return [...was.gaps, ...is.gaps].every(([at]) => {
    const [old, now] = [was.gaps.get(at), is.gaps.get(at)]
    return old === now || old === lineBreak || now === lineBreak
  })
}

const lineBreak = '\n'
const code = '.'

/** The lines as one text without white space, the gaps in it by their places, and for each sign whose comment it is in. */
function flowOf(lines: readonly string[], isProse: boolean) {
  let text = ''
  let marks = ''
  let last = ''
  const gaps = new Map<number, string>()
  for (const line of lines) {
    let words = line.trim()
    const [, block, row] = (!isProse && comment.exec(words)) || []
    const mark = block === undefined ? (row ?? code) : '*'
    // The mark of a comment that goes on says nothing new.
    if (block === '*' ? !words.startsWith('*/') : mark !== code && mark === last)
      words = words.slice(mark.length).trimStart()
    for (const [at, piece] of words.split(/(\s+)/).entries())
      if (at % 2 === 0) text += piece
      else gaps.set(text.length, piece)
    gaps.set(text.length, lineBreak)
    marks = marks.padEnd(text.length, mark[0])
    last = mark
  }
  return { text, marks, gaps }
}
