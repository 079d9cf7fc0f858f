/** Answers on a host: all of their words are foreign, and what has no room is left out whole. */
import { expect, test } from 'vitest'
import { answerToMarkdown, PostedAnswer } from '../../../src/pipeline/publish/markdown/answer.ts'

const statement = (text: string, isGuess = false) => ({
  text,
  isGuess,
  citations: isGuess ? [] : [{ evidence: 'E1', quote: 'a\n`b`' }],
})

function posted(turn: object): PostedAnswer {
  const empty = { question: 'why?', statements: [], cannot: '', disputed: null, failed: null }
  return PostedAnswer.parse({
    turn: { ...empty, ...turn },
    titles: { C1: 'A *title*' },
    places: { E1: 'src/a.ts:12' },
  })
}

const said = 'It is \\*so\\*.\n\n- `src/a.ts:12`: `` a `b` ``'
const guess = '**A guess, which the code does not show:**\n\nPerhaps.'
const missing = 'The evidence does not show: who `@octocat` is'
const turn = {
  statements: [statement('It is *so*.'), statement('Perhaps.', true)],
  cannot: 'who @octocat is',
}

test('statements stand with what they cite, guesses are called so, and then comes what is not known', () => {
  expect(answerToMarkdown(posted(turn), 10_000)).toBe([said, guess, missing].join('\n\n'))
  expect(answerToMarkdown(posted({ ...turn, cannot: '' }), 10_000)).toBe([said, guess].join('\n\n'))
})

test('lines stay lines, and what an independent check came to is told of the finding by its title', () => {
  expect(answerToMarkdown(posted({ statements: [statement('a\nb', true)] }), 10_000)).toContain('a\\\nb')
  const disputed = (finding: string, outcome = 'held') => {
    const check = { finding, outcome: 'upheld', reason: 'it *holds*', citations: [] }
    return answerToMarkdown(posted({ disputed: { finding, outcome, check } }), 10_000)
  }
  expect(disputed('C1', 'conceded')).toContain(': **withdrawn**. ')
  expect(disputed('C1', 'undecided')).toContain(': **kept**. ')
  expect(disputed('C1')).toBe('An independent check of “A \\*title\\*”: **upheld**. it \\*holds\\*')
  expect(disputed('C2')).toBe('An independent check of “C2”: **upheld**. it \\*holds\\*')
})

test('what has no room is left out whole', () => {
  const whole = [said, guess, missing].join('\n\n').length
  expect(answerToMarkdown(posted(turn), whole)).toBe([said, guess, missing].join('\n\n'))
  expect(answerToMarkdown(posted(turn), whole - 1)).toBe([said, guess].join('\n\n'))
  expect(answerToMarkdown(posted(turn), said.length)).toBe(said)
  expect(answerToMarkdown(posted(turn), said.length - 1)).toBe('There is nothing to say about it.')
  expect(answerToMarkdown(posted({}), 10_000)).toBe('There is nothing to say about it.')
})

test('a question that failed says why, as text', () => {
  const answer = answerToMarkdown(posted({ failed: 'no <b>model</b>' }), 10_000)
  expect(answer).toBe('The question could not be answered: no \\<b\\>model\\</b\\>')
  // Cut in its middle, the span would no longer hold what it holds.
  expect(answerToMarkdown(posted({ failed: 'ask @octocat' }), 45)).not.toContain('@octocat')
})
