/** Added lines that make a tool run something by itself, or keep files out of people's sight. */
import type { AddedText } from '../added-lines.ts'
import { freshLines } from '../fresh-lines.ts'
import type { Sighting } from './sighting.ts'

type LineCheck = Omit<Sighting, 'lines' | 'confidence'> & { path: RegExp; line: RegExp }

const code = '(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|cc?|cpp|h|hpp|swift|scala|sh|sql)'

const checks: readonly LineCheck[] = [
  {
    rule: 'install-script',
    path: /(?:^|\/)package\.json$/,
    // Well-known tools that only prepare the work tree are left alone.
    line: /^\s*"(?:pre|post)?install"\s*:\s*"(?!(?:husky(?: install)?|lefthook install|simple-git-hooks|patch-package|nuxt prepare|wxt prepare|svelte-kit sync|prisma generate|electron-builder install-app-deps)")/,
    severity: 'medium',
    title: 'A script runs on every installation of the package',
    explanation:
      'Install scripts run with the rights of whoever installs, on their machine and in their build, before anything was looked at.',
    remedy: 'See that the script is needed, and what the program it starts does.',
  },
  {
    rule: 'folder-open-task',
    path: /(?:^|\/)\.vscode\/tasks\.json$/,
    line: /"runOn"\s*:\s*"folderOpen"/,
    severity: 'medium',
    title: 'A task runs as soon as the folder is opened',
    explanation: 'The editor runs the command of this task without being asked again.',
    remedy: null,
  },
  {
    rule: 'unasked-approval',
    path: /(?:^|\/)\.vscode\/settings\.json$|\.code-workspace$/,
    line: /"(?:task\.allowAutomaticTasks"\s*:\s*"on"|chat\.tools\.(?:global\.)?autoApprove"\s*:\s*true|security\.workspace\.trust\.enabled"\s*:\s*false)/,
    severity: 'medium',
    title: 'The editor is told to act without asking',
    explanation: 'With this setting, opening the folder is enough for tasks or agent tools to run.',
    remedy: null,
  },
  {
    rule: 'package-source',
    path: /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|pip\.conf|\.pypirc|bunfig\.toml)$/,
    line: /^\s*(?:(?:@[\w-]+:)?registry\s*=(?!\s*"?https:\/\/registry\.npmjs\.org)|npmRegistryServer\s*:(?!\s*"?https:\/\/registry\.(?:npmjs|yarnpkg)\.)|registry\s+"|(?:extra-)?index-url\s*=(?!\s*https:\/\/pypi\.org)|yarn-?[pP]ath:?\s|ignore-scripts\s*=\s*false|script-shell\s*=|strict-ssl\s*=\s*false)/,
    severity: 'low',
    title: 'Where packages come from, or how they are installed, changes',
    explanation: 'Everybody who installs gets what this address or program hands out.',
    remedy: null,
  },
  {
    rule: 'hidden-from-review',
    path: /(?:^|\/)\.gitattributes$/,
    line: new RegExp(
      `^\\s*(?:\\*\\*/)?(?:\\*\\.${code}|(?:src|lib|app|pkg|cmd|internal)/(?:\\*\\*/?)?(?:\\*(?:\\.${code})?)?|\\*{1,2})\\s(?:.*\\s)?(?:binary|-diff|linguist-generated(?:=true)?)(?:\\s|$)`,
    ),
    severity: 'medium',
    title: 'Source files are marked so that their changes are not shown',
    explanation:
      'Files that count as binary or generated are folded away, or left out, where people read changes.',
    remedy: null,
  },
]

export function sightLines({ file, lines }: AddedText): Sighting[] {
  return checks
    .filter(({ path }) => path.test(file.path))
    .flatMap(({ path: _, line: pattern, ...words }) => {
      const found = freshLines(file, lines, ({ text }) =>
        // A comma at the end is about the line that follows.
        pattern.test(text.slice(0, 1_000)) ? text.trim().replace(/,$/, '') : null,
      )
      return found.length > 0 ? [{ ...words, confidence: 'certain' as const, lines: found }] : []
    })
}
