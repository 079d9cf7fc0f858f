/** Finds pointers to tickets in what the author wrote and in the name of the branch. The surest come first. */
import { isRepositoryName, repositoryPattern } from '../../domain/repository-name.ts'
import type { TicketReference } from './contract.ts'

export type AuthorWords = {
  title: string
  body: string
  branch: string | null
  /** Whole messages of the commits, in which work items and keys are looked for. */
  messages?: readonly string[] | undefined
  /** Issues that the host ties to the change: `12`, `owner/repo#12`. */
  linked?: readonly string[] | undefined
  /** What a number without a repository is. */
  numbers?: 'number' | 'work-item'
}

const mostReferences = 5
const number = '[1-9]\\d{0,8}'
const pathPart = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}'
const closing = new RegExp(
  `\\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?|implement(?:s|ed)?|refs?|see|part of|for)\\b:?\\s+(?:(${repositoryPattern})?#|gh-)(${number})\\b`,
  'gi',
)
const address = new RegExp(`https?://github\\.com/(${repositoryPattern})/issues/(${number})\\b`, 'gi')
/** GitLab's: groups may lie in groups. */
const nestedAddress = new RegExp(
  `https?://[\\w.:-]+/(${pathPart}(?:/${pathPart}){1,19})/-/(?:issues|work_items)/(${number})\\b`,
  'gi',
)
const bare = new RegExp(`(?<![\\w/#&])(${repositoryPattern})?#(${number})\\b`, 'g')
const key = /(?<![A-Za-z0-9-])[A-Z][A-Z0-9]{1,9}-[1-9]\d{0,6}(?!\d)/g
const workItem = /(?<!\w)AB#([1-9]\d{0,8})\b/gi
const branchNumber =
  /(?:^|[/_-])(?:issues?|gh|fix(?:es)?|bug|ticket)[/_-]?([1-9]\d{0,8})(?![\d.])|(?:^|\/)([1-9]\d{0,8})[-_][a-z]/i

/** At most five, each once. Words that look like keys and are none (`UTF-8`, `SHA-256`) are left out. */
export function findReferences(words: AuthorWords): TicketReference[] {
  const { title, body, branch, messages = [], linked = [], numbers = 'number' } = words
  const found = new Map<string, TicketReference>()
  const add = (reference: TicketReference): void => {
    if (reference.repository !== null && !isProject(reference.repository)) return
    const isPlain = reference.kind === 'number' && reference.repository === null
    const meant = isPlain ? { ...reference, kind: numbers } : reference
    const name = `${meant.kind} ${meant.repository ?? ''} ${meant.name}`.toLowerCase()
    if (!found.has(name) && found.size < mostReferences) found.set(name, meant)
  }
  const texts = [
    [body.slice(0, 50_000), 'the description'],
    [title.slice(0, 1_000), 'the title'],
  ] as const
  const said = messages.join('\n').slice(0, 50_000)
  for (const [text, where] of [...texts, [said, 'a commit'] as const])
    for (const [whole, name = ''] of text.matchAll(workItem))
      add({ kind: 'work-item', repository: null, name, linkedBy: `${whole} in ${where}` })
  for (const one of linked) {
    const [, repo, name] = /^(?:(.+)#)?([1-9]\d{0,8})$/.exec(one) ?? []
    if (name !== undefined) add(issue(repo, name, 'linked to the change on its host'))
  }
  for (const [text, where] of texts)
    for (const [whole, , repo, name = ''] of text.matchAll(closing))
      add(issue(repo, name, `${whole} in ${where}`))
  for (const [text, where] of texts)
    for (const [, repo, name = ''] of [...text.matchAll(address), ...text.matchAll(nestedAddress)])
      add(issue(repo, name, `a link in ${where}`))
  for (const [text, where] of texts)
    for (const [whole, repo, name = ''] of text.matchAll(bare)) add(issue(repo, name, `${whole} in ${where}`))
  const inBranch = branch === null ? null : branchNumber.exec(branch)
  if (inBranch) add(issue(undefined, inBranch[1] ?? inBranch[2] ?? '', `the branch ${branch}`))
  const addKeys = (text: string, where: string, isGuess: boolean) => {
    for (const [name] of text.matchAll(key))
      if (!notKeys.test(name))
        add({
          kind: 'key',
          repository: null,
          name,
          linkedBy: `${name} in ${where}`,
          ...(isGuess && { isGuess }),
        })
  }
  for (const [text, where] of texts) addKeys(text, where, false)
  addKeys(branch ?? '', 'the branch', false)
  addKeys(said, 'a commit', true)
  return [...found.values()]
}

/** For people: `#12`, `owner/repo#12`, `AB#12`, `PAY-12`. */
export function referenceName({ kind, repository, name }: TicketReference): string {
  return `${repository ?? ''}${{ number: '#', 'work-item': 'AB#', key: '' }[kind]}${name}`
}

const notKeys = /^(?:UTF|SHA|ISO|RFC|CVE|CWE|MD|AES|RSA|HTTP|TLS|SSL|ES|ECMA|IPV|BASE|X|GPT|UTC|PEP|GH)-/

function issue(repo: string | undefined, name: string, linkedBy: string): TicketReference {
  return { kind: 'number', repository: repo ?? null, name, linkedBy: linkedBy.slice(0, 120) }
}

/** `owner/repo`, or a project below several groups; none of its parts is a way out of its place. */
function isProject(name: string): boolean {
  return isRepositoryName(name) || (name.split('/').length > 2 && !/(?:^|\/)\.{1,2}(?:\/|$)/.test(name))
}

/**
 * Whether a key such as `PAY-12` belongs to one of these projects or teams. Trackers do not tell capitals and small letters
 * apart.
 */
export function isKeyOf(key: string, projects: readonly string[]): boolean {
  const project = /^([A-Z][A-Z0-9_]*)-\d+$/i.exec(key)?.[1]?.toUpperCase()
  return project !== undefined && projects.some((one) => one.toUpperCase() === project)
}
