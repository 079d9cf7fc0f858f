/** Looks for signs of injection in what a model is about to read: a signal for people, and nothing is left out for it. */
import { findInjectionSigns } from '../../base/untrusted/injection-signs.ts'
import type { Evidence } from '../../domain/evidence.ts'
import type { ModelReport } from '../../domain/model-report.ts'
import type { FileBlock } from './render/file-block.ts'

const most = 50

type Suspicions = ModelReport['suspicions']

/** In lines that the change adds, by their number at the head; in the rest by the line of the evidence. */
export function findSuspicions(blocks: readonly FileBlock[], evidence: readonly Evidence[]): Suspicions {
  const inChange = blocks.flatMap(({ file }) => {
    const added = file.hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'added'))
    return findInjectionSigns(added.map(({ text }) => text).join('\n')).map((found) => ({
      origin: file.path,
      ...found,
      line: added[found.line - 1]?.new ?? found.line,
    }))
  })
  const inEvidence = evidence.flatMap((item) =>
    item.trust === 'own' || item.path === null
      ? []
      : findInjectionSigns(item.text).map((found) => ({
          origin: item.path ?? item.title,
          ...found,
          line: (item.startLine ?? 1) + found.line - 1,
        })),
  )
  const distinct = new Map([...inChange, ...inEvidence].map((one) => [`${one.origin}\0${one.line}`, one]))
  return [...distinct.values()].slice(0, most)
}
