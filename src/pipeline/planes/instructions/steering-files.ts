/** Files that control tools, agents or reviews, and added lines in them that make something run by itself. */
import { count } from '../../../base/count.ts'
import { isTestMaterialPath } from '../../../base/file-paths.ts'
import type { FileChange } from '../../../domain/change-set.ts'
import { steeringFiles } from '../../../domain/steering-files.ts'
import { type AddedText, freshLines } from '../changed-lines.ts'
import type { Observation } from './observation.ts'

/**
 * A change to what starts programs, or to what this reviewer looks for, is worth a person's attention, whatever it says: once
 * for all files that steer the same. The summary states the others.
 */
export function checkFiles(
  files: readonly FileChange[],
): { files: readonly FileChange[]; observation: Observation }[] {
  return [...steeringFiles(files)].flatMap(([kind, [first, ...others]]) => {
    if (!kind.isFinding || !first) return []
    const title =
      others.length === 0
        ? `${whatHappens(first)} \`${first.path}\`, which ${kind.does}`
        : `Touches ${count(others.length + 1, 'file')} that ${kind.do}, \`${first.path}\` among them`
    const which = others.length === 0 ? 'Such a file steers' : 'Such files steer'
    const observation = {
      rule: kind.rule,
      severity: 'medium' as const,
      confidence: 'likely' as const,
      title,
      explanation: `${which} what others do later, so a person should read the change to ${others.length === 0 ? 'it' : 'them'} word by word. This review was not steered by ${others.length === 0 ? 'it' : 'them'}: configuration, rules and instructions are taken from the commit before the change.`,
      remedy: null,
      lines: [],
    }
    return [{ files: [first, ...others], observation }]
  })
}

function whatHappens({ status, oldPath }: FileChange): string {
  if (status === 'renamed' || status === 'copied')
    return `${status === 'renamed' ? 'Renames' : 'Copies'} \`${oldPath}\` to`
  return { added: 'Adds', deleted: 'Deletes', modified: 'Changes', 'type-changed': 'Replaces' }[status]
}

type LineCheck = Omit<Observation, 'lines' | 'confidence'> & {
  /** It is never intended. What the other checks report is true, but may be intended. */
  isFault?: true
  path: RegExp
  line: RegExp
  /** Lines that say something else. */
  unless?: RegExp
  /** The part of the line by which it is new; without it, all of it. */
  part?: RegExp
}

const code = '(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|cc?|cpp|h|hpp|swift|scala|sh|sql)'

/** A command that runs none of the interpreters, shells and fetchers that each machine has, nor a file by its path. */
const ofPackage =
  '(?!(?:node|deno|bun|python|ruby|perl|php|sh|bash|zsh|cmd|pwsh|powershell|curl|wget|npx|pnpx|bunx|npm|yarn|pnpm|make|eval|exec|env|sudo|rm|mv|cp|touch|git|docker)\\d*(?![\\w-]))[a-z][\\w-]*(?: [\\w:@.=-]+){0,10}'

/** The packages of a folder of the repository, which have scripts of their own. */
const ofFolder = 'npm (?:i|ci|install) --prefix [\\w-]+'

const checks: readonly LineCheck[] = [
  {
    rule: 'install-script',
    path: /(?:^|\/)package\.json$/,
    line: /^\s*"(?:pre|post)?install"\s*:\s*"/,
    // Programs of packages that are dependencies anyway, by their names: to build a part in C, to set hooks.
    unless: new RegExp(
      `^\\s*"\\w+"\\s*:\\s*"(?:npx (?:-y )?only-allow \\w+|${ofPackage}(?: && ${ofPackage})*|${ofFolder}(?: && ${ofFolder})*)",?\\s*$`,
    ),
    severity: 'medium',
    title: 'A script runs on every installation of the package',
    explanation:
      'Install scripts run with the rights of whoever installs, on their machine and in their build, before anyone has reviewed the code.',
    remedy: 'Check that the script is needed and what it runs.',
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
    title: 'The editor is configured to act without asking',
    explanation: 'With this setting, opening the folder is enough for tasks or agent tools to run.',
    remedy: null,
  },
  {
    rule: 'package-source',
    path: /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|pip\.conf|\.pypirc|bunfig\.toml)$/,
    line: /^\s*(?:(?:@[\w-]+:)?registry\s*=(?!\s*"?https:\/\/registry\.npmjs\.org)|npmRegistryServer\s*:(?!\s*"?https:\/\/registry\.(?:npmjs|yarnpkg)\.)|registry\s+"|(?:extra-)?index-url\s*=(?!\s*https:\/\/pypi\.org)|yarn-?[pP]ath:?\s|ignore-scripts\s*=\s*false|script-shell\s*=|strict-ssl\s*=\s*false)/,
    // A program that is committed is reviewed as a file.
    unless: /^\s*yarn-?[pP]ath:?\s+["']?\.yarn\/releases\//,
    severity: 'low',
    title: 'Where packages come from, or how they are installed, changes',
    explanation: 'Everybody who installs gets what this address or program hands out.',
    remedy: null,
  },
  {
    rule: 'dependency-unencrypted',
    path: /(?:^|\/)(?:package\.json|requirements[\w.-]*\.txt|pyproject\.toml|Cargo\.toml|Gemfile|setup\.(?:py|cfg))$/,
    line: /(?:^|["'@\s=])(?:git\+http|git|http):\/\/[^\s"']+(?:\.git\b|\.tgz\b|\.tar\.gz\b|\.whl\b|\.zip\b)|git\+http:\/\//,
    part: /(?:git|http):\/\/[^\s"']+/,
    // The address of the project itself is not fetched.
    unless: /^\s*"(?:url|repository|homepage|bugs)"\s*:/,
    isFault: true,
    severity: 'medium',
    title: 'A dependency is fetched without encryption',
    explanation:
      'Anybody between the machine that installs and the server can hand out other code. No lock file notices this for a source in git.',
    remedy: 'Use an `https` address, or the version from the registry.',
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

/** Lines that make a tool run something by itself, or hide files from review. */
export function checkLines({ file, lines }: AddedText): Observation[] {
  if (isTestMaterialPath(file.path)) return []
  return checks
    .filter(({ path }) => path.test(file.path))
    .flatMap(({ path: _, line: pattern, isFault, unless, part, ...words }) => {
      const found = freshLines(file, lines, ({ text }) =>
        // A trailing comma belongs to the next line, and what a formatter moves says nothing new.
        pattern.test(text.slice(0, 1_000)) && !unless?.test(text.slice(0, 1_000))
          ? (part?.exec(text)?.[0] ?? text)
              .trim()
              .replace(/,$/, '')
              .replace(/\s+/g, ' ')
              .replace(/ ?([:=]) ?/, '$1')
          : null,
      )
      const confidence = isFault ? 'certain' : 'likely'
      return found.length > 0 ? [{ ...words, confidence, lines: found } as const] : []
    })
}
