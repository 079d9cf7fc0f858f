/** What each plane says as a whole, counted from its findings that stand. What stood there before is not counted. */
import type { Finding } from '../../domain/finding.ts'
import type { PlaneSignal } from '../../domain/review.ts'
import { severities } from '../../domain/severity.ts'

const surest = ['certain', 'likely', 'possible'] as const

/** One for each plane, in the order given, however often it is named. */
export function signalsOf(planes: readonly string[], findings: readonly Finding[]): PlaneSignal[] {
  return [...new Set(planes)].map((plane) => {
    const own = findings.filter((finding) => finding.plane === plane && !finding.preExisting)
    const severity = severities.find((one) => own.some((finding) => finding.severity === one)) ?? null
    const worst = own.filter((finding) => finding.severity === severity)
    const confidence = surest.find((one) => worst.some((finding) => finding.confidence === one)) ?? null
    return { plane, severity, findings: own.length, confidence }
  })
}
