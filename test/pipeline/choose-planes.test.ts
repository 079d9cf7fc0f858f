/** Which planes look: by depth, by configuration, and by what the command line says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/base/package-root.ts'
import type { Depth } from '../../src/domain/review.ts'
import {
  choosePlanes,
  defaultPanel,
  everyPlane,
  listPlaneNames,
  type PlaneChoice,
  withoutUnfinished,
} from '../../src/pipeline/choose-planes.ts'
import { planeNames } from '../../src/pipeline/planes/registry.ts'
import { listModelPlanes } from '../../src/pipeline/reviewer/panel/model-planes.ts'

const choose = (depth: Depth, choice: Partial<PlaneChoice> = {}) => {
  const { planes, panel, off, hidden, idle } = choosePlanes({ ...everyPlane, ...choice }, depth)
  return {
    code: planes.map(({ name }) => name),
    asked: panel?.planes.map(({ name }) => name) ?? null,
    off: off.map(({ plane, reason, byModel }) => `${plane}${byModel ? ' (model)' : ''} ${reason}`),
    hidden: Object.fromEntries(hidden),
    idle,
  }
}
const deep = ['correctness', 'contract', 'security', 'performance', 'tests', 'intent']

test('each depth has its panel, and code looks at every one', () => {
  expect(choose('offline')).toEqual({ code: planeNames, asked: null, off: [], hidden: {}, idle: [] })
  expect(choose('quick').asked).toEqual(['reviewer'])
  expect(choose('standard').asked).toEqual(['reviewer'])
  expect(choose('deep')).toEqual({ code: planeNames, asked: deep, off: [], hidden: {}, idle: [] })
  expect([defaultPanel('auto')?.depth, defaultPanel('offline')]).toEqual(['quick', null])
})

test('what an earlier attempt did not finish is not repeated, and is reported as failed', () => {
  const stopped = { stage: 'planes', reason: 'it took longer than 1 minute', finished: ['rules', 'secrets'] }
  const { planes, panel, off } = withoutUnfinished(choosePlanes(everyPlane, 'quick'), stopped)
  expect(planes.map(({ name }) => name).sort()).toEqual(['rules', 'secrets'])
  expect(panel).toBeNull()
  expect(off.every(({ state }) => state === 'failed')).toBe(true)
  expect([...off.map(({ plane }) => plane), 'rules', 'secrets'].sort()).toEqual(
    [...planeNames, 'reviewer'].sort(),
  )
})

test('a name means code and model alike', () => {
  expect(choose('deep', { exactly: ['contract'] })).toMatchObject({ code: ['contract'], asked: ['contract'] })
  const without = choose('deep', { disable: ['tests', 'secrets'] })
  expect(without.code).toEqual(planeNames.filter((name) => name !== 'tests' && name !== 'secrets'))
  expect([without.asked, without.off]).toEqual([
    deep.filter((name) => name !== 'tests'),
    ['tests switched off', 'secrets switched off', 'tests (model) switched off'].sort(
      (a, b) => without.off.indexOf(a) - without.off.indexOf(b),
    ),
  ])
})

test('exactly wins over all, enable adds what looks on request', () => {
  expect(choose('deep', { enable: ['maintainability'] }).asked).toEqual([
    ...deep.slice(0, -1),
    'maintainability',
    'intent',
  ])
  expect(choose('deep', { enable: ['maintainability'], disable: ['maintainability'] }).asked).toEqual(deep)
  expect(choose('deep', { exactly: ['maintainability', 'intent'], disable: ['intent'] }).asked).toEqual([
    'maintainability',
    'intent',
  ])
})

test('a filter leaves code looking and hides what it finds; models it does not ask, and that is missing', () => {
  const only = choose('deep', { only: ['security', 'secrets'] })
  expect([only.code, only.asked]).toEqual([planeNames, ['security']])
  expect(Object.keys(only.hidden)).toEqual(planeNames.filter((name) => name !== 'secrets'))
  expect(only.hidden.rules).toBe('--only security,secrets')
  expect(only.off).toContain('intent (model) left out by --only security,secrets')
  const skip = choose('deep', { skip: ['tests'] })
  expect(skip).toMatchObject({ code: planeNames, hidden: { tests: '--skip tests' } })
  expect(skip.off).toEqual(['tests (model) left out by --skip tests'])
  expect(choose('offline', { exactly: ['tests'] }).off).toContain('secrets left out by --planes')
})

test('a plane that does not look at this depth is told, and when none does, it is refused', () => {
  expect(choose('quick', { exactly: ['security', 'reviewer'] })).toMatchObject({
    asked: ['reviewer'],
    idle: ['security'],
  })
  expect(choose('quick', { exactly: ['rules'] }).asked).toBeNull()
  expect(() => choose('quick', { exactly: ['security'] })).toThrow('none of security looks at depth quick')
  expect(() => choose('deep', { only: ['reviewer'] })).toThrow('looks at quick and standard')
})

test('an unknown name is refused with all that there are, each once', () => {
  for (const key of ['disable', 'enable', 'only', 'skip', 'exactly'] as const)
    expect(() => choose('offline', { [key]: ['securty'] })).toThrow(
      `there is no plane \`securty\`; there are ${listPlaneNames().join(', ')}`,
    )
  expect(new Set(listPlaneNames()).size).toBe(listPlaneNames().length)
  expect(listPlaneNames()).toEqual(
    expect.arrayContaining([...planeNames, 'reviewer', ...deep, 'maintainability']),
  )
})

test('the page on depths lists the planes of models as their files describe them', () => {
  const page = readFileSync(join(packageRoot, 'docs/depths.md'), 'utf8')
  const listed = [...page.matchAll(/^\| `([a-z-]+)` \| (.+) \|$/gm)].map(
    ([, name, words]) => `${name}: ${words}`,
  )
  const real = listModelPlanes().map(({ name, description }) => `${name}: ${description}`)
  expect(listed.filter((line) => real.includes(line))).toEqual(real)
  for (const name of planeNames) expect(page).toContain(`\`${name}\``)
})

test('settings may go on turning off a plane that is no more, and may not turn it on', () => {
  expect(choose('offline', { disable: ['co-change'], skip: ['co-change'] }).code).toEqual(planeNames)
  expect(() => choose('offline', { enable: ['co-change'] })).toThrow('there is no plane `co-change`')
})
