/** Why a file may offer a name that its facts do not show: names made at run time, or written in a form that is not read. */

import { remembered } from '../../base/remembered.ts'
import type { FileFacts } from '../contract.ts'
import { isScript } from '../language-of.ts'

/** Null when nothing in the text suggests that the file offers the name. */
export function hiddenExport(facts: FileFacts, text: string, name: string): string | null {
  if (facts.errorLines.length > 0) return 'it could not be parsed in full'
  if (facts.language === 'python' && /^__\w+__$/.test(name)) return 'every module has it'
  if (decidesAtRunTime(facts, text)) return 'it decides at run time what it exports'
  return mayWrite(facts.language, text, name) ? 'its text may define the name' : null
}

/** Every name that is looked up in the file asks for the same. `text`: of these facts. */
export function decidesAtRunTime(facts: FileFacts, text: string): boolean {
  return remembered(atRunTime, facts, () => readsAtRunTime(facts, text))
}

const atRunTime = new WeakMap<FileFacts, boolean>()

function readsAtRunTime({ language, symbols }: FileFacts, text: string): boolean {
  if (language === 'python')
    return (
      symbols.some(({ name, scope }) => name === '__getattr__' && scope === '') ||
      /\bsys\.modules\[__name__\]|\b(?:globals|vars|locals)\(\)(?:\[|\.update\b)|\bexec\(|\bsetattr\((?:sys\.modules|module|mod)\b|\b__path__\b/.test(
        text,
      )
    )
  return isScript(language) && fillsAtRunTime(text)
}

/** A module of JavaScript that is filled by statements, rather than by what it declares to export. */
export function fillsAtRunTime(text: string): boolean {
  return (
    // Whatever gets the module itself may fill it.
    /\bmodule\.exports\b|\bexports\s{0,4}[.[]|=\s{0,4}exports\b|\bexport\s*=|\(\s{0,4}(?:module|exports)\s{0,4}[,)]/.test(
      text,
    ) || fillsDefault(text)
  )
}

/** What compilers to CommonJS pass on by name: members that the default export is given. */
function fillsDefault(text: string): boolean {
  const [, name] = /\bexport default (?:function |class )?([A-Za-z_$][\w$]*)/.exec(text) ?? []
  return name !== undefined && text.includes(`Object.assign(${name},`)
}

/** Forms that bind a name, however the grammar read them: too many rather than too few. */
function mayWrite(language: string, text: string, name: string): boolean {
  const word = `(?<![\\w$.])${name.replace(/[^\w]/g, '\\$&')}(?![\\w$])`
  if (language === 'python')
    return new RegExp(
      `(?:\\b(?:as|for|global|import)[ \\t]+|,[ \\t]*)${word}|^${word}[ \\t]*(?:,|:|=(?!=))|^[ \\t]+${word}[ \\t]*(?::[^=\\n]{1,100})?=(?!=)[ \\t]|${word}[ \\t]*:=`,
      'm',
    ).test(text)
  // Types of JavaScript are written in comments.
  if (language === 'javascript' && new RegExp(`@(?:typedef|callback|enum)\\b[^@]{0,4000}?${word}`).test(text))
    return true
  return new RegExp(
    `\\bexport\\b[^\\n]{0,300}${word}|\\bexport\\b[^{;\\n]{0,60}\\{[^}]{0,4000}?${word}`,
  ).test(text)
}
