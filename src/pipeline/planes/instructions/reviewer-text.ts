/** Text in added lines that addresses an automated reviewer or a language model instead of people. */
import type { DiffLine, FileChange } from '../../../domain/change-set.ts'
import { isAgentFile } from '../../../domain/steering-files.ts'
import { type AddedText, freshLines } from '../changed-lines.ts'
import type { Observation } from './observation.ts'

/** Every pattern is bounded, so that a long line cannot make it slow. */
const patterns: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\s{1,3}(?:all\s{1,3}|any\s{1,3}|the\s{1,3}|your\s{1,3}|of\s{1,3}){0,3}(?:previous|prior|preceding|earlier|above|foregoing|system)\s{1,3}(?:instructions?|prompts?|directions?|guidelines|commands)\b/i,
  /\b(?:AI|LLM|automated|automatic|bot)[ -]{1,2}(?:code[ -])?(?:review(?:er)?s?|agents?|assistants?|models?)\b[^.\n]{0,20}[:,-]\s{0,3}(?:please\s|you\s(?:must|should)\s){0,2}(?:approve|ignore|skip|do not|don't|never|pass|accept|rate|mark|report no)\b/i,
  /^\W{0,12}(?:dear|attention|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)) (?:the |all |any )?(?:AI|LLM|automated|language model)s?(?: code)?(?: review(?:er)?s?| agents?| assistants?| bots?)?\s{0,3}[:,!]/i,
  /\b(?:claude|copilot|chatgpt|gpt-?\d|gemini|coderabbit|bugbot|sightline)\b[^.\n]{0,15}[:,]\s{0,3}(?:please\s)?(?:approve|ignore (?:this|these|the|all)|skip (?:this|these|the)|do not (?:report|flag|mention|review)|don't (?:report|flag|mention|review))\b/i,
  /\b(?:do not|don't|never) (?:report|flag|mention|comment on) (?:this|these|any|the) (?:\w{1,20} ){0,2}(?:finding|vulnerabilit(?:y|ies)|backdoor|security (?:issue|problem|hole)s?|in (?:the|your) review)\b/i,
  /\b(?:approve|merge) this (?:PR|pull request|merge request|change) (?:without|immediately|unconditionally|no matter)\b/i,
]

/** What agents are told that no person would: to wave changes through, to run code from elsewhere, to keep quiet. */
const agentOrders: readonly RegExp[] = [
  /\bapprove\b[^.\n]{0,60}\bwithout\s{1,3}(?:reading|reviewing|asking|checking|any)\b/i,
  /\b(?:curl|wget)\b[^|\n]{0,200}\|\s{0,3}(?:sudo\s{1,3})?(?:ba|z)?sh\b/,
  /\b(?:do not|don't|never)\s{1,3}(?:tell|inform|mention|show|report)\b[^.\n]{0,40}\b(?:users?|reviewers?|humans?|developers?|anyone)\b/i,
]

/** Marks that only mean something to a model. Code that calls models has them in strings, so only prose counts. */
const roleMarks = /<\|(?:im_start|im_end|system|user|assistant)\|>|\[\/?INST\]|<<\/?SYS>>/

/** A comment, invisible on the rendered page, that gives orders. */
const hiddenOrder =
  /<!--[^<>]{0,400}\b(?:AI|LLM|assistant|agent|reviewer|language model)s?\b[^<>]{0,200}\b(?:must|should|approve|ignore|do not|execute|run the|always|never)\b/i

/** Paths where such text is expected: code about prompts, and files meant for agents. */
const aboutPrompts =
  /prompt|inject|jailbreak|red-?team|guardrail|adversarial|eval(?:s|uations?)?\/|(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|BUGBOT)\.md$/i

export function checkReviewerText(added: AddedText): Observation[] {
  const isForAgents = isAgentFile(added.file)
  if (!isForAgents && !isProseForPeople(added.file)) return []
  const observed = isForAgents ? checkAgentText(added) : checkProse(added)
  return observed.lines.length > 0 ? [observed] : []
}

function checkProse({ file, lines }: AddedText): Observation {
  return {
    rule: 'reviewer-text',
    severity: 'low',
    confidence: 'possible',
    title: 'Text that addresses an automated reviewer or a language model',
    explanation:
      'Such words are meant to steer a program that reads the change. They had no effect here, since this review is made by fixed checks; other tools may follow them.',
    remedy: 'See who wrote it and what for.',
    lines: freshLines(file, lines, (line) => addressOf(file, line)),
  }
}

function checkAgentText({ file, lines }: AddedText): Observation {
  const orders = [...patterns, ...agentOrders]
  const found = freshLines(file, lines, ({ text }) => {
    const words = orders.flatMap((pattern) => pattern.exec(text.slice(0, 2_000))?.[0] ?? [])
    return words.length > 0 ? words.join('\n') : null
  })
  return {
    rule: 'agent-file',
    severity: 'medium',
    confidence: 'likely',
    title: 'Instructions make agents skip a check, hide something or run code from elsewhere',
    explanation:
      'Coding agents follow this file as instructions. This review was not steered by it: instructions are taken from the commit before the change.',
    remedy: 'See who wrote it and what for.',
    lines: found,
  }
}

function isProseForPeople({ path, role }: FileChange): boolean {
  return (
    role !== 'test' && role !== 'lock' && role !== 'generated' && role !== 'data' && !aboutPrompts.test(path)
  )
}

/** The words that address a reviewer, or null. */
function addressOf(file: FileChange, { text }: DiffLine): string | null {
  const line = text.slice(0, 2_000)
  const isProse = file.role === 'docs' || /^\s*(?:\/\/|#|\*|\/\*|--|;|<!--|"""|''')/.test(line)
  const asked = isProse ? [...patterns, roleMarks, hiddenOrder] : patterns
  const found = asked.flatMap((pattern) => pattern.exec(line)?.[0] ?? [])
  return found.length > 0 ? found.join('\n') : null
}
