/**
 * How much of a long matrix is played. By default a small part, drawn by a fixed seed, so that a commit passes or fails for
 * everybody alike; `npm run test:matrices` plays all of it.
 */
export const isWhole = process.env.SIGHTLINE_MATRIX === 'whole'

/** `SIGHTLINE_SEED=7` draws another part. */
export const seed = Number(process.env.SIGHTLINE_SEED ?? 20_261_122)

/** All of a whole matrix; else the one that the seed chooses. `shift` keeps rows that are drawn side by side from drawing alike. */
export function drawn<T>(all: readonly T[], shift = 0): readonly T[] {
  const at = (seed + shift) % all.length
  return isWhole ? all : all.slice(at, at + 1)
}
