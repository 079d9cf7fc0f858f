/** What an editor offers for a finding at the cursor: its suggested change, a comment that ignores it, and our commands. */
import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic,
  type PositionEncodingKind,
  TextDocumentEdit,
  type TextEdit,
} from 'vscode-languageserver'
import { type Edit, editsOf, type Finding } from '../domain/finding.ts'
import { commentSyntaxOf } from '../ledger/comment-syntax.ts'
import { ignoreCommentFor } from '../ledger/ignores.ts'
import { withEdits } from '../pipeline/validation/suggestion/check-suggestion.ts'
import { commands, dismissals } from './command.ts'
import type { OpenDocument } from './open-documents.ts'
import { Lines } from './positions.ts'

export type ActionPlace = {
  /** As it was reviewed. */
  document: OpenDocument
  encoding: PositionEncodingKind
  /** Whether the editor takes edits that name the version they are for. */
  isVersioned: boolean
  /** Whether code of the workspace may run, to show a finding by a test. */
  mayProve: boolean
}

/** A reason has to be given, and the protocol has no way to ask for one. */
const reasonToWrite = 'say why here'

export function actionsFor(finding: Finding, diagnostic: Diagnostic, place: ActionPlace): CodeAction[] {
  const { uri } = place.document
  const diagnostics = [diagnostic]
  const name = { uri, finding: finding.fingerprint }
  const command = (title: string, id: string, more: object = {}): CodeAction => ({
    title,
    kind: CodeActionKind.QuickFix,
    diagnostics,
    command: { title, command: id, arguments: [{ ...name, ...more }] },
  })
  const edits = suggestionEdits(finding, place)
  const ignored = ignoreEdits(finding, place)
  return [
    ...edit('Apply the suggested change', edits, true),
    command('Explain this finding', commands.explain),
    ...(place.mayProve ? [command('Prove this finding by a test', commands.prove)] : []),
    ...dismissals.map(({ as, words }) => command(`Dismiss: ${words}`, commands.dismiss, { as })),
    ...edit('Ignore in a comment', ignored, false),
  ]

  function edit(title: string, all: TextEdit[], isPreferred: boolean): CodeAction[] {
    if (all.length === 0) return []
    const { version } = place.document
    const changed = place.isVersioned
      ? { documentChanges: [TextDocumentEdit.create({ uri, version }, all)] }
      : { changes: { [uri]: all } }
    return [
      {
        title,
        kind: CodeActionKind.QuickFix,
        diagnostics,
        ...(isPreferred ? { isPreferred } : {}),
        edit: changed,
      },
    ]
  }
}

/** Validation has applied and parsed it. Empty where the text is not what was shown, such as a line whose secret was masked. */
function suggestionEdits(finding: Finding, { document: { text }, encoding }: ActionPlace): TextEdit[] {
  const { suggestion } = finding
  const lines = text.split('\n')
  if (!suggestion || !editsOf(suggestion).every((edit) => isAsShown(finding, edit, lines))) return []
  const { end: endOfText } = new Lines(text).rangeOf(lines.length, lines.length, encoding)
  return editsOf(suggestion).map((edit) => {
    const { startLine, endLine } = edit
    const after = withEdits(lines, [edit])
    const added = after.length - lines.length + endLine - startLine + 1
    const words = after.slice(startLine - 1, startLine - 1 + added)
    const isLast = endLine >= lines.length
    const end = isLast ? endOfText : { line: endLine, character: 0 }
    const newText = isLast ? words.join('\n') : words.map((line) => `${line}\n`).join('')
    return { range: { start: { line: startLine - 1, character: 0 }, end }, newText }
  })
}

function isAsShown({ excerpt }: Finding, edit: Edit, lines: readonly string[]): boolean {
  const shown = new Map(excerpt.map((line) => [line.new, line.text]))
  const replaced = edit.replaced?.split('\n')
  for (let line = edit.startLine; line <= edit.endLine; line++) {
    const words = replaced?.[line - edit.startLine] ?? shown.get(line)
    if (words?.replace(/\r$/, '') !== lines[line - 1]?.replace(/\r$/, '')) return false
  }
  return true
}

/** Empty where a comment could not be read back. */
function ignoreEdits(finding: Finding, { document: { text }, encoding }: ActionPlace): TextEdit[] {
  const { anchor, rule, startLine, endLine } = finding
  const lines = new Lines(text)
  const indent = /^[ \t]*/.exec(lines.at(startLine - 1))?.[0] ?? ''
  const { start } = lines.rangeOf(startLine, startLine, encoding)
  const at = { line: start.line, character: 0 }
  const comment = indent + commentSyntaxOf(anchor.path).writeIgnore(rule, reasonToWrite)
  const newText = `${comment}${text.includes('\r\n') ? '\r\n' : '\n'}`
  const offset = lines.offsetAt(at, encoding)
  const commented = text.slice(0, offset) + newText + text.slice(offset)
  const moved = { ...finding, startLine: startLine + 1, endLine: endLine + 1 }
  return ignoreCommentFor(moved, commented) ? [{ range: { start: at, end: at }, newText }] : []
}
