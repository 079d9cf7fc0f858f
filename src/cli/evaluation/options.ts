/** The options of `sightline eval`; each word uses some of them. */
import { depthNames } from '../input/choices.ts'
import { choice, dollars, flag, integer, list, text } from '../input/options.ts'

/** What `eval ablate` leaves out one of at a time. */
const partKinds = ['planes', 'sections', 'checks'] as const
export type PartKind = (typeof partKinds)[number]

export const evalOptions = {
  out: text(
    'FOLDER',
    'run, retrieval, ablate: where the evaluation is kept, and gone on with. score: write the sheet there.',
  ),
  mirrors: text('FOLDER', 'run, retrieval, ablate: holds OWNER+NAME/repo for cases that need not be cloned.'),
  depth: choice(depthNames, 'run, ablate: how deep to look; offline when not given.'),
  model: list(
    'ROLE=PROVIDER/MODEL',
    'run, judge: who plays a role, such as reviewer=anthropic/claude-sonnet-5-5.',
  ),
  budget: dollars('run, judge: spend no more than this on all cases together.'),
  jobs: integer(1, 64, 'run, retrieval, ablate: so many cases at a time; 2 when not given.'),
  history: integer(
    0,
    1_000_000,
    'run, retrieval, ablate: commits of history for each case, 0 for all; 200 when not given.',
  ),
  only: list('NAME', 'run: only this plane.'),
  skip: list('NAME', 'run: without this plane.'),
  part: choice(partKinds, 'ablate: only parts of this kind; all when not given.'),
  fresh: flag('run: ask models anew, also what an earlier evaluation has the answer to.'),
  tolerance: integer(
    0,
    1000,
    'score, compare, gate: lines between finding and fault that still count; 3 when not given.',
  ),
  clean: flag('mine: changes that stood, instead of such that brought a fault.'),
  commits: integer(1, 1_000_000, 'mine: so many commits back; 2000 when not given.'),
  limit: integer(1, 10_000, 'mine: at most so many cases; 50 when not given.'),
  name: text('OWNER/NAME', 'mine: what the repository is called in the cases.'),
  html: text('FILE', 'score: also write a page to look at.'),
  json: flag('score, compare, gate: print it as JSON.'),
  quiet: flag('Say nothing but the result.', '-q'),
}
