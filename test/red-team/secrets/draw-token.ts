/** Draws a token of an issuer's form: the pattern is walked, and each class of characters gives one at random. */
import { type AST, RegExpParser } from '@eslint-community/regexpp'
import type { IssuedForm } from '../../../src/base/secrets/issuers/issued-form.ts'
import type { Random } from '../../helpers/random.ts'

const parser = new RegExpParser()
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_.~%@!-'
/** Beyond the least length of a repetition. */
const mostMore = 6

export function drawToken({ hint, pattern, isMixed }: IssuedForm, random: Random): string {
  const tree = parser.parsePattern(pattern.source)
  for (;;) {
    const token = random
      .pick(tree.alternatives)
      .elements.map((node) => draw(node, random))
      .join('')
    pattern.lastIndex = 0
    const isDull = isMixed && !(/\d/.test(token) && /[a-z]/i.test(token))
    // That would be taken for what people type into manuals.
    if (
      pattern.test(token) &&
      !isDull &&
      !/(.)\1{4}|1234567|abcdef|xxxx|example/i.test(token.replaceAll(hint, ''))
    )
      return token
  }
}

function draw(node: AST.Element, random: Random): string {
  switch (node.type) {
    case 'Character':
      return String.fromCodePoint(node.value)
    case 'CharacterSet':
    case 'CharacterClass':
      return random.pick([...letters].filter((one) => new RegExp(`^${node.raw}$`).test(one)))
    case 'Quantifier':
      return Array.from({ length: random.between(node.min, Math.min(node.max, node.min + mostMore)) }, () =>
        draw(node.element, random),
      ).join('')
    case 'Group':
    case 'CapturingGroup':
      return random
        .pick(node.alternatives)
        .elements.map((inner) => draw(inner, random))
        .join('')
    default:
      return ''
  }
}
