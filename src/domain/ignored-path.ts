/** Whether git ignores a path, by the rules of a tree. */
import { matchGlobs } from '../base/globs.ts'
import type { RepoSnapshot } from './snapshot.ts'

/** `.gitignore line 3 (dist/)`, of the rule that decides, or null when git would not ignore the path. */
export async function ignoringRule(tree: Pick<RepoSnapshot, 'read'>, path: string): Promise<string | null> {
  const folders = path.split('/').slice(0, -1)
  const files = ['', ...folders.map((_, at) => `${folders.slice(0, at + 1).join('/')}/`)]
  let decision: string | null = null
  for (const folder of files) {
    const text = (await tree.read(`${folder}.gitignore`))?.text ?? ''
    for (const [at, line] of text.split('\n').entries()) {
      const rule = line.trim()
      if (rule === '' || rule.startsWith('#')) continue
      const isNegated = rule.startsWith('!')
      if (!matchGlobs(globsOf(isNegated ? rule.slice(1) : rule, folder))(path)) continue
      decision = isNegated ? null : `${folder}.gitignore line ${at + 1} (${rule})`
    }
  }
  return decision
}

/** A rule with a slash before its end is for its own folder, any other for every folder below; both for all inside. */
function globsOf(rule: string, folder: string): string[] {
  const plain = rule.replace(/\/$/, '')
  const place = plain.includes('/') ? `${folder}${plain.replace(/^\//, '')}` : `${folder}**/${plain}`
  return [place, `${place}/**`]
}
