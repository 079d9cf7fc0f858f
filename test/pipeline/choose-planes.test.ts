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
import { panelFor } from '../../src/pipeline/reviewer/panel.ts'

const choose = (depth: Depth, choice: Partial<PlaneChoice> = {}) => {
  const { planes, panel, off, hidden, idle } = choosePlanes({ ...everyPlane, ...choice }, depth)
  return {
    code: planes.map(({ name }) => name),
    asked: panel?.readers.map(({ name }) => name) ?? null,
    off: off.map(({ plane, reason, byModel }) => `${plane}${byModel ? ' (model)' : ''} ${reason}`),
    hidden: Object.fromEntries(hidden),
    idle,
  }
}
const two = ['first', 'second']

test('each depth has its readers, and code looks at every one', () => {
  expect(choose('offline')).toEqual({ code: planeNames, asked: null, off: [], hidden: {}, idle: [] })
  expect(choose('quick').asked).toEqual([null])
  expect(choose('standard').asked).toEqual([null])
  expect(choose('deep')).toEqual({ code: planeNames, asked: two, off: [], hidden: {}, idle: [] })
  expect([defaultPanel('auto')?.depth, defaultPanel('offline')]).toEqual(['quick', null])
})

test('a long change has two readers at depth standard too', () => {
  const readersOf = (depth: Depth, files: number) => {
    const panel = defaultPanel(depth)
    return panel && panelFor(panel, files).readers.map(({ name }) => name)
  }
  expect([readersOf('standard', 20), readersOf('standard', 21)]).toEqual([[null], two])
  expect([readersOf('quick', 100), readersOf('deep', 1)]).toEqual([[null], two])
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

test('a switch takes a plane of code or both readers away, and exactly wins over it', () => {
  expect(choose('deep', { exactly: ['contract'] })).toMatchObject({ code: ['contract'], asked: null })
  expect(choose('deep', { disable: ['tests', 'secrets'] })).toMatchObject({
    code: planeNames.filter((name) => name !== 'tests' && name !== 'secrets'),
    asked: two,
    off: ['secrets switched off', 'tests switched off'],
  })
  expect(choose('deep', { disable: ['reviewer'] })).toMatchObject({
    asked: null,
    off: ['reviewer (model) switched off'],
  })
  expect(choose('deep', { exactly: ['reviewer'], disable: ['reviewer'] }).asked).toEqual(two)
})

test('a filter leaves code looking and hides what it finds; models it does not ask, and that is missing', () => {
  const only = choose('deep', { only: ['secrets'] })
  expect([only.code, only.asked]).toEqual([planeNames, null])
  expect(Object.keys(only.hidden)).toEqual(planeNames.filter((name) => name !== 'secrets'))
  expect(only.hidden.rules).toBe('--only secrets')
  expect(only.off).toEqual(['reviewer (model) left out by --only secrets'])
  expect(choose('deep', { skip: ['tests'] })).toMatchObject({
    ...{ code: planeNames, asked: two, off: [], hidden: { tests: '--skip tests' } },
  })
  expect(choose('offline', { exactly: ['tests'] }).off).toContain('secrets left out by --planes')
})

test('a plane that does not look at this depth is told, and when none does, it is refused', () => {
  expect(choose('offline', { exactly: ['rules', 'reviewer'] })).toMatchObject({ idle: ['reviewer'] })
  expect(choose('quick', { exactly: ['rules'] }).asked).toBeNull()
  expect(() => choose('offline', { exactly: ['reviewer'] })).toThrow(
    'none of reviewer looks at depth offline; `reviewer` looks at every depth but offline',
  )
})

test('an unknown name is refused with all that there are, each once', () => {
  for (const key of ['disable', 'only', 'skip', 'exactly'] as const)
    expect(() => choose('offline', { [key]: ['securty'] })).toThrow(
      `there is no plane \`securty\`; there are ${listPlaneNames().join(', ')}`,
    )
  expect(new Set(listPlaneNames()).size).toBe(listPlaneNames().length)
  expect(listPlaneNames()).toEqual([...planeNames, 'reviewer'])
})

test('a topic that models were once asked about by itself is refused with what to write instead', () => {
  for (const name of ['correctness', 'security', 'performance', 'maintainability', 'intent'])
    for (const key of ['disable', 'only', 'skip', 'exactly'] as const)
      expect(() => choose('deep', { [key]: [name] })).toThrow(
        `there is no plane \`${name}\` any more: at depth deep two readers look at every topic. Take the name out, or write \`reviewer\``,
      )
})

test('the page on depths names every plane', () => {
  const page = readFileSync(join(packageRoot, 'docs/depths.md'), 'utf8')
  for (const name of listPlaneNames()) expect(page).toContain(`\`${name}\``)
})

test('settings may go on turning off a plane that is no more, and nobody may ask for it', () => {
  expect(choose('offline', { disable: ['co-change'], skip: ['co-change'] }).code).toEqual(planeNames)
  expect(() => choose('offline', { exactly: ['co-change'] })).toThrow('there is no plane `co-change`')
})
