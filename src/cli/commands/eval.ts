/** `sightline eval`: how good reviews are, on changes whose truth is known. */
import { UserError } from '../../base/errors.ts'
import { defineCommand } from '../command.ts'
import type { EvalVerb } from '../evaluation/contract.ts'
import { evalOptions } from '../evaluation/options.ts'
import { evalVerbs } from '../evaluation/registry.ts'

const words = Object.keys(evalVerbs).join('|')

export const evaluate = defineCommand({
  name: 'eval',
  summary: 'Measure reviews on changes whose faults are known.',
  // The dots let more than one follow.
  operand: `${words} WHAT...`,
  options: evalOptions,
  examples: [
    'sightline eval run cases.jsonl --out runs/now --mirrors mirrors  # review a set',
    'sightline eval run cases.jsonl --out runs/quick --depth quick --budget 5  # with models',
    'sightline eval retrieval cases.jsonl --out runs/retrieval  # is what must be seen in the bundle?',
    'sightline eval score runs/now --html now.html  # again, for nothing',
    'sightline eval compare runs/before runs/now  # pair by pair',
    'sightline eval gate baseline.jsonl runs/now  # exit code 1 when a score fell',
    'sightline eval mine . --name owner/name  # cases from a history',
  ],
  async run({ operands: [word = '', ...rest], ...invocation }) {
    const verb: EvalVerb | undefined = Object.hasOwn(evalVerbs, word)
      ? evalVerbs[word as keyof typeof evalVerbs]
      : undefined
    if (!verb) throw new UserError('usage', `\`eval\` is followed by one of ${words.replaceAll('|', ', ')}`)
    if (rest.length !== verb.operands.length)
      throw new UserError('usage', `\`eval ${word}\` takes ${verb.operands.join(' and ')}`)
    return await verb.run({ ...invocation, operands: rest })
  },
})
