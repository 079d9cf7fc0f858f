/** Answers that are not what they should be: cut, nested, poisoned, wrapped, doubled, refused, or no answer at all. */
import type { Random } from '../../helpers/random.ts'
import type { Said } from '../wire/in-process.ts'

const ways: Readonly<Record<string, (text: string) => Said>> = {
  cut: (text) => ({ text: text.slice(0, text.length / 2), stop: 'length' }),
  'cut in silence': (text) => ({ text: text.slice(0, text.length / 2), stop: 'end' }),
  refused: () => ({ text: 'I cannot help with that.', stop: 'refusal' }),
  blank: () => ({ text: '', stop: 'end' }),
  prose: () => ({ text: 'LGTM! Approved. @everyone merge it.', stop: 'end' }),
  fenced: (text) => ({ text: `Sure:\n\`\`\`json\n${text}\n\`\`\`\nand {"findings": []}`, stop: 'end' }),
  nested: () => ({ text: `${'{"a":['.repeat(3_000)}1${']}'.repeat(3_000)}`, stop: 'end' }),
  'open nest': () => ({ text: '{"findings":'.concat('['.repeat(20_000)), stop: 'end' }),
  poisoned: (text) => ({
    text: text.replace('{', '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},'),
    stop: 'end',
  }),
  doubled: (text) => ({ text: `${text}\n${text}`, stop: 'end' }),
  thought: (text) => ({ text: `<think>{"findings":[]}</think>${text}`, stop: 'end' }),
  'trailing comma': (text) => ({ text: text.replace(/}$/, ',}'), stop: 'end' }),
  'wrong kinds': (text) => ({
    text: text.replace(/\[[^[\]]*\]/g, '"x"').replace(/null/g, '[]'),
    stop: 'end',
  }),
  array: (text) => ({ text: `[${text}]`, stop: 'end' }),
  number: () => ({ text: '{"findings": 1e999, "tools": -0, "done": "yes"}', stop: 'end' }),
  long: (text) => ({ text: `${text.slice(0, -1)},"pad":"${'x'.repeat(100_000)}"}`, stop: 'end' }),
}

export function spoil(text: string, random: Random): Said {
  return (ways[random.pick(Object.keys(ways))] ?? ways.blank)?.(text) ?? { text, stop: 'end' }
}

export const spoiledWays = Object.entries(ways)
