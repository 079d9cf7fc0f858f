/** What C and C++ include. */
import type { ImportFact } from '../../contract.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'

/** `#include "x.h"` brings all of `./x.h`, `#include <x.h>` all of `x.h`; whoever includes this file gets it too. */
export function include(syntax: Syntax, node: number): ImportFact[] {
  const path = syntax.child(node, 'path')
  if (path === none || !syntax.is(path, 'string_literal', 'system_lib_string')) return []
  const inner = syntax.text(path).slice(1, -1)
  const source = syntax.is(path, 'string_literal') && !/^\.{0,2}\//.test(inner) ? `./${inner}` : inner
  return [
    { line: syntax.startLine(node), source, imported: '*', local: null, reexport: true, typeOnly: false },
  ]
}
