/**
 * Reviews one commit from a program and decides by a rule of one's own: contract findings stop, the rest is only told.
 *
 *   node examples/gate-a-commit.ts [FOLDER] [COMMIT]
 *
 * Exits with 1 if a caller was not updated, else with 0.
 */
import { formats, reviewChange } from '../src/index.ts'

const [folder = '.', commit = 'HEAD'] = process.argv.slice(2)

const { review } = await reviewChange({ folder, selector: { kind: 'commit', commit }, cacheFolder: null })

process.stdout.write(formats.terminal(review, { color: false, width: 100, explain: false, maxInline: 3 }))

const brokenUses = review.findings.filter((finding) => finding.plane === 'contract')
process.exitCode = brokenUses.length > 0 ? 1 : 0
