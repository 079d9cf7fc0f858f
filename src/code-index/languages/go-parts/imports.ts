/** Go's imports: a package is called by its alias, or by the last word of its path that is no version. */
import type { ImportFact } from '../../contract.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'

export function importSpec(syntax: Syntax, node: number): ImportFact[] {
  const source = syntax.text(syntax.child(node, 'path')).slice(1, -1)
  const alias = syntax.child(node, 'name')
  const word = syntax.text(alias)
  const local = alias === none ? packageOf(source) : word === '.' || word === '_' ? null : word
  return [{ line: syntax.startLine(node), source, imported: '*', local, reexport: false, typeOnly: false }]
}

/** `github.com/x/go-yaml/v3` → `go-yaml`, `gopkg.in/yaml.v3` → `yaml`. The package clause may say otherwise. */
function packageOf(source: string): string {
  const parts = source.split('/')
  const last = parts.at(-1) ?? ''
  const word = /^v\d+$/.test(last) ? (parts.at(-2) ?? last) : last
  return word.replace(/\.v\d+$/, '')
}
