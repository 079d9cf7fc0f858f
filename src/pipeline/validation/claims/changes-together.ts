/** `changes-together`: the partner file exists, is not in the change, and the count from history holds. */
import { count as counted } from '../../../base/count.ts'
import { type ClaimCheck, confirmed, refuted, unverifiable } from '../contract.ts'

/** Earlier commits to count over. */
const depth = 2000

export const checkChangesTogether: ClaimCheck<'changes-together'> = async (claim, { sources, unread }) => {
  const { path, partner, together, total } = claim
  const { change, history } = sources
  const changed = change.files.find((file) => file.path === path || file.oldPath === path)
  if (!changed) return refuted(`\`${path}\` is not part of the change`)
  if (
    change.files.some((file) => file.path === partner || file.oldPath === partner) ||
    change.overflow.includes(partner)
  )
    return refuted(`\`${partner}\` is part of the change`)
  if (unread.has(partner) || !(await sources.headPaths()).has(partner))
    return refuted(`\`${partner}\` does not exist`)
  if (change.unlisted)
    return unverifiable(`${counted(change.unlisted.files, 'changed file')} are too many to be listed`)
  if (together > total) return refuted('It counts more common commits than commits')
  if (!history) return unverifiable('There is no history to count over')

  const { commits } = await history.recent(depth)
  const count = { together: 0, total: 0 }
  for (const commit of commits) {
    if (!commit.paths.includes(path) && !(changed.oldPath !== null && commit.paths.includes(changed.oldPath)))
      continue
    count.total++
    if (commit.paths.includes(partner)) count.together++
    // Whoever counted may have looked less far back than this.
    if (count.together === together && count.total === total)
      return confirmed('counting over the history again')
  }
  const recount = `${count.together} of ${counted(count.total, 'commit')}`
  if (count.together < together) return refuted(`Counted again it is ${recount}`)
  // Whoever counted may leave out sweeping commits; then the shares must agree, not the counts.
  return count.together / count.total >= (together / total) * 0.8
    ? confirmed(`counting over the history again: ${recount}`)
    : unverifiable(`Counted again it is ${recount}`)
}
