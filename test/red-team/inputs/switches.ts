/** Changes that try to switch a look off, so that what it would have found is not reported. */
import type { HostileInput } from './contract.ts'

/** A rule compares each case with all before it. */
const junkOf = (cases: number) =>
  `switch (x) {\n${Array.from({ length: cases }, (_, at) => `case ${at}: break\n`).join('')}}\n`
const junkFiles = (cases: number) =>
  Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`junk${at}.ts`, junkOf(cases)]))

const dangerous = 'export const isMissing = (amount: number) => amount === NaN\n'

export const switches: readonly HostileInput[] = [
  {
    name: 'forty files on which rules are slow',
    base: { '.sightline.yaml': 'limits:\n  planeSeconds: 30\n', 'z.ts': 'export {}\n' },
    head: { ...junkFiles(1_800), 'z.ts': dangerous },
    codes: [1],
    says: /NaN/,
  },
  {
    name: 'forty files on which rules are slow, 8,000 cases in each',
    base: { 'z.ts': 'export {}\n' },
    head: { ...junkFiles(8_000), 'z.ts': dangerous },
    codes: [1],
    says: /NaN/,
  },
  {
    name: 'a zero byte in a comment',
    base: { 'z.ts': 'export {}\n' },
    head: { 'z.ts': `// \0\n${dangerous}` },
    codes: [1],
    says: /NaN[\s\S]*zero byte|zero byte[\s\S]*NaN/,
  },
  {
    name: 'source that is mostly zero bytes',
    base: { 'z.ts': 'export {}\n' },
    head: { 'z.ts': `${'\0'.repeat(500)}\n${dangerous}` },
    codes: [4],
    says: /content of a binary file/,
  },
]
