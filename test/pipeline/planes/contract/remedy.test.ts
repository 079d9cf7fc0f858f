/** The advice of the contract plane fits the language, and whether something was added, removed or reordered. */
import { expect, test } from 'vitest'
import { contractPlane } from '../../../../src/pipeline/planes/contract/plane.ts'
import type { Texts } from '../../../helpers/in-memory/change.ts'
import { reviewChange } from '../review-commit.ts'

const go = (list: string): Texts => ({
  'go.mod': 'module example.com/shop\n\ngo 1.21\n',
  'price.go': `package shop\n\nfunc Price(${list}) int {\n\treturn 1\n}\n`,
})
const goCall = (list: string): Texts => ({
  'use.go': `package shop\n\nfunc Total() int {\n\treturn Price(${list})\n}\n`,
})
const java = (list: string): Texts => ({
  'src/shop/Price.java': `package shop;\n\npublic class Price {\n  static int of(${list}) {\n    return 1;\n  }\n}\n`,
})
const javaCall = (list: string): Texts => ({
  'src/shop/Total.java': `package shop;\n\npublic class Total {\n  int total() {\n    return Price.of(${list});\n  }\n}\n`,
})
const python = (list: string): Texts => ({ 'price.py': `def price(${list}):\n    return 1\n` })
const pythonCall = (list: string): Texts => ({
  'total.py': `from price import price\n\n\ndef total():\n    return price(${list})\n`,
})
const typescript = (list: string): Texts => ({
  'src/price.ts': `export function price(${list}) {\n  return 1\n}\n`,
})
const typescriptCall = (list: string): Texts => ({
  'src/total.ts': `import { price } from './price'\nexport const total = price(${list})\n`,
})

test.each([
  [
    'Go, one more',
    { ...go('id int'), ...goCall('1') },
    go('id int, zone string'),
    'signature-arity',
    'Pass `zone` in these calls, or keep the old function beside the new one.',
  ],
  [
    'Go, one fewer',
    { ...go('id int, currency string'), ...goCall('1, "EUR"') },
    go('id int'),
    'signature-arity',
    'Remove the argument for `currency` from these calls, or keep the parameter.',
  ],
  [
    'Java, two more',
    { ...java('int id'), ...javaCall('1') },
    java('int id, int zone, int weight'),
    'signature-arity',
    'Pass `zone` and `weight` in these calls, or keep an overload with the old parameters.',
  ],
  [
    'TypeScript, one more',
    { ...typescript('id: number'), ...typescriptCall('1') },
    typescript('id: number, zone: string'),
    'signature-arity',
    'Pass `zone` in these calls, or make it optional.',
  ],
  [
    'TypeScript, no longer optional',
    { ...typescript('id: number, zone?: string'), ...typescriptCall('1') },
    typescript('id: number, zone: string'),
    'signature-arity',
    'Pass `zone` in these calls, or make it optional.',
  ],
  [
    'TypeScript, taken apart where it stands',
    { ...typescript('id: number'), ...typescriptCall('1') },
    typescript('id: number, { zone, weight }: Parcel'),
    'signature-arity',
    'Pass the parameter in these calls, or make it optional.',
  ],
  [
    'Python, a keyword that is gone',
    { ...python("id, currency='EUR'"), ...pythonCall("1, currency='USD'") },
    python('id'),
    'removed-parameter',
    'Remove the argument for `currency` from these calls, or keep the parameter.',
  ],
  [
    'Python, a new keyword that is required',
    { ...python('id'), ...pythonCall('1') },
    python('id, *, zone'),
    'required-parameter',
    'Pass `zone` by name in these calls, or give it a default value.',
  ],
  [
    'Python, a renamed one',
    { ...python('id, currency'), ...pythonCall("1, currency='USD'") },
    python('id, unit'),
    'removed-parameter',
    'Pass `unit` instead of `currency`, or keep the old name.',
  ],
  [
    'Python, one gone and one more',
    { ...python("id, currency='EUR', day=1"), ...pythonCall("1, currency='USD'") },
    python('id, zone'),
    'removed-parameter',
    'Update these calls: `currency` and `day` are gone, and `zone` must be passed now.',
  ],
  [
    'Python, another order',
    { ...python('id, zone'), ...pythonCall('1, zone=2') },
    python('zone, id'),
    'signature-arity',
    'Update these calls to the new order of the parameters.',
  ],
])('%s', async (_, base: Texts, head: Texts, rule, remedy) => {
  const { findings } = await reviewChange(contractPlane, base, head)
  expect(findings.map((finding) => [finding.rule, finding.remedy])).toEqual([[`contract/${rule}`, remedy]])
})
