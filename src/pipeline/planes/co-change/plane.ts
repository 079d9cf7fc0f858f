/** The co-change plane: files that nearly always change with the changed ones, and did not now. */
import { isTestPath } from '../../../base/file-paths.ts'
import { countBeyond, type FileChange } from '../../../domain/change-set.ts'
import type { Plane, PlaneInput, PlaneReport } from '../contract.ts'
import { describePartner } from './describe.ts'
import { type ChangedFile, findPartners, type Partner } from './partners.ts'
import { isQuiet } from './quiet-paths.ts'
import { strictThresholds } from './thresholds.ts'

/** More than this nobody reads. */
const mostFindings = 3

const silentRoles: ReadonlySet<string> = new Set(['test', 'lock', 'generated', 'vendored', 'minified'])

export const coChangePlane: Plane = {
  name: 'co-change',
  description: 'files that nearly always change together with these, and did not',
  look,
}

async function look({ context, head, history, keep }: PlaneInput): Promise<PlaneReport> {
  const { files } = context.change
  const changed = files.filter(speaks).map(namesOf)
  const nothing = { candidates: [], limits: [] }
  if (changed.length === 0 || files.length + countBeyond(context.change) > strictThresholds.filesOfChange)
    return nothing
  const { commits } = await history.recent(strictThresholds.commits)
  const inChange = new Set(files.flatMap((file) => namesOf(file).names))
  const tied = findPartners(changed, commits, strictThresholds).filter(
    ({ partner }) => !inChange.has(partner) && !isQuiet(partner) && !isTestPath(partner),
  )
  const standing: Partner[] = []
  for (const one of tied) {
    if (standing.length === mostFindings) break
    if (!(await head.entry(one.partner))) continue
    standing.push(one)
    keep?.({ candidates: standing.map(describePartner), limits: [] })
  }
  return { candidates: standing.map(describePartner), limits: [] }
}

/** A new file has no history, a deleted one no future, and a test changes alone for good reasons. */
function speaks({ path, status, role }: FileChange): boolean {
  return (status === 'modified' || status === 'renamed') && !silentRoles.has(role) && !isQuiet(path)
}

function namesOf({ path, oldPath }: FileChange): ChangedFile {
  return { path, names: oldPath === null ? [path] : [path, oldPath] }
}
