/** What the title of a change announces is wanted, and known to whoever reads it: no finding repeats it. */
import type { CandidateDraft } from '../../domain/finding.ts'

const silenced = '\\b(?:skip|disabl|ignor|quarantin|flak[ey]|xfail|comment(?:s|ed|ing)? out\\b)'

/** By the beginning of a rule's name. Not for what runs by itself, and not for what hides something: a title is easily written. */
const announcements: readonly (readonly [rule: string, words: RegExp])[] = [
  [
    'duplicate/',
    /\b(?:cop(?:y|ies|ied)|fork(?:s|ed)?|duplicat(?:e|es|ed)|vendor(?:s|ed)?|backport(?:s|ed)?|experiment(?:s|al)?|prototypes?|multi[- ]?versions?|locales?|translations?)\b/i,
  ],
  ['tests/skipped', new RegExp(`${silenced}|\\b(?:nightly|daily|weekly)\\b`, 'i')],
  [
    'tests/assertion-removed',
    new RegExp(`${silenced}|\\b(?:remov|drop|delet|relax|loosen)\\w{0,4} .{0,60}\\bassert`, 'i'),
  ],
  ['tests/deleted', /\b(?:remov|delet|drop)(?:e|es|ed|ing|s|ped|ping)?\b.{0,60}\btests?\b/i],
  ['instructions/unpinned-action', /\bunpin/i],
]

/** The drafts that say more than the title of the change does. */
export function withoutAnnounced(drafts: readonly CandidateDraft[], title: string): CandidateDraft[] {
  const told = announcements.filter(([, words]) => words.test(title)).map(([rule]) => rule)
  return drafts.filter(({ rule }) => !told.some((one) => rule.startsWith(one)))
}
