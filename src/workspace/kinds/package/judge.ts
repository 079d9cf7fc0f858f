/** Whether a use of a package is among what a change breaks. */
import { matchArguments } from '../../../code-index/resolve/fit-call.ts'
import type { Confidence } from '../../../domain/severity.ts'
import type { SourceFile } from '../../contract.ts'
import type { BrokenExport, BrokenShape, Ecosystem, PackageUse } from './contract.ts'
import { moduleOf } from './names.ts'

export function judgeUse(
  ecosystem: Ecosystem,
  { shape: broken }: BrokenExport,
  use: PackageUse,
  file: SourceFile,
): Confidence | null {
  if (broken.ecosystem !== use.shape.ecosystem || use.shape.isGuarded) return null
  if (broken.of === 'package' || broken.of === 'module') return judgeImport(ecosystem, broken, use, file)
  if (!broken.targets.includes(use.shape.target)) return null
  if (broken.how === 'call') return judgeCall(broken, use)
  if (broken.how === 'awaited') return judgeAwait(broken, use, file)
  return broken.of === 'export' ? judgeName(ecosystem, use, file) : judgeMember(use)
}

/** A renamed package stays in its registry, so that only its next version is missing. */
function judgeImport(
  ecosystem: Ecosystem,
  broken: BrokenShape,
  use: PackageUse,
  file: SourceFile,
): Confidence | null {
  const { target, role, by } = use.shape
  if (broken.isHidden && by === 'name' && broken.targets.includes(target)) return null
  const module = moduleOf(broken.ecosystem, target)
  if (role !== 'import' || !broken.targets.some((one) => one === target || one === module)) return null
  return broken.of === 'module' && ecosystem.refusesMissing(file, use) ? 'certain' : 'likely'
}

/** A name that is imported by itself is refused where it is imported; all that follows has the same cause. */
function judgeName(ecosystem: Ecosystem, use: PackageUse, file: SourceFile): Confidence | null {
  const { role, by } = use.shape
  if (role !== 'import' && by === 'name') return null
  return ecosystem.refusesMissing(file, use) ? 'certain' : 'likely'
}

function judgeMember({ shape: { role } }: PackageUse): Confidence | null {
  return role === 'import' ? null : 'likely'
}

function judgeCall(
  { before, after, movedFrom }: BrokenShape,
  { shape: { call } }: PackageUse,
): Confidence | null {
  if (!call || call.spread) return null
  const [fitted, fits] = [matchArguments(before, call), matchArguments(after, call)]
  if (fitted.fits !== true) return null
  if (fits.fits === false) return 'likely'
  return movedFrom !== null && call.positional > movedFrom ? 'possible' : null
}

function judgeAwait({ isWeak }: BrokenShape, use: PackageUse, { text }: SourceFile): Confidence | null {
  if (use.shape.role !== 'call') return null
  const lines = text
    .split('\n')
    .slice(use.line - 1, use.endLine)
    .join('\n')
  if (/\bawait\b|\.then\(|\basyncio\.|\breturn\b/.test(lines)) return null
  return isWeak ? 'possible' : 'likely'
}
