/** Each claim as a sentence of our own, with the names and places it holds between backticks. */
import { count } from '../../base/count.ts'
import type { Claim } from '../../domain/claim.ts'

export function claimWords(claim: Claim): string {
  switch (claim.kind) {
    case 'caller-not-updated':
      return `${at(claim)} still uses ${code(claim.symbol)}, defined in ${code(claim.definedIn)}, as it was before the change`
    case 'undefined':
      return `${code(claim.name)}, used at ${at(claim)}, is defined nowhere`
    case 'not-exported':
      return `${at(claim)} imports ${code(claim.name)} from ${code(claim.from)}, which does not export it`
    case 'missing-path':
      return `${at(claim)} refers to ${code(claim.target)}, which does not exist`
    case 'duplicate-of':
      return `lines ${claim.line} to ${claim.endLine} of ${code(claim.path)} repeat lines ${claim.otherLine} to ${claim.otherEndLine} of ${code(claim.otherPath)}`
    case 'no-test-calls':
      return `no test calls ${code(claim.symbol)}, defined at ${at(claim)}`
    case 'unused':
      return `${code(claim.name)}, defined at ${at(claim)}, is used nowhere else`
    case 'type-mismatch':
      return `the types do not fit at ${at(claim)}, says ${code(claim.checker)}`
    case 'line-contains':
      return `${at(claim)}${claim.side === 'old' ? ', before the change,' : ''} holds ${code(claim.text)}`
    case 'rule-matches':
      return `the rule ${code(claim.rule)} matches at ${at(claim)}`
    case 'changes-together':
      return `${code(claim.partner)} changed in ${claim.together} of the ${count(claim.total, 'commit')} that changed ${code(claim.path)}, and did not now`
  }
}

function at({ path, line }: { path: string; line: number }): string {
  return code(`${path}:${line}`)
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'").slice(0, 200)}\``
}
