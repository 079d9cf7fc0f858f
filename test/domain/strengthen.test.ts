import { expect, test } from 'vitest'
import { strengthen } from '../../src/domain/strengthen.ts'
import { sampleFinding } from '../helpers/sample-review.ts'

const code = sampleFinding({ id: 'C1', severity: 'medium', explanation: 'A caller is left.', remedy: null })
const model = sampleFinding({
  id: 'C9',
  byModel: true,
  enriches: 'C1',
  severity: 'high',
  title: 'Every export fails',
  explanation: 'The export calls it with one argument.',
  remedy: 'Pass the second argument.',
  places: [{ path: 'src/b.ts', side: 'new', startLine: 4, endLine: 4, quote: 'parse(x)' }],
})

test('what a model adds is added: severity, what fails, the remedy, places; the title stays that of code', () => {
  const joined = strengthen(code, model)
  expect(joined).toMatchObject({ id: 'C1', title: code.title, severity: 'high', places: model.places })
  expect(joined.explanation).toBe(
    'A caller is left.\n\nThe reviewer model adds: The export calls it with one argument.',
  )
  expect(joined.remedy).toBe('Pass the second argument.')
  expect(joined.byModel).toBe(code.byModel)
})

test('a milder word of a model weakens nothing, and one without room is left out', () => {
  const severe = { ...code, severity: 'critical' as const, explanation: 'x'.repeat(3_990) }
  const joined = strengthen(severe, { ...model, severity: 'low' })
  expect(joined.severity).toBe('critical')
  expect(joined.explanation).toBe(severe.explanation)
})
