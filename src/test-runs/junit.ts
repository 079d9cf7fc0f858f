/** JUnit's XML, which most test frameworks write: a `testcase` that failed holds a `failure` or an `error`. */
import { SaxesParser } from 'saxes'
import type { TestCase } from './contract.ts'

/** Throws when the text is not XML, or has no `testsuite`. */
export function readJunit(text: string): TestCase[] {
  const cases: TestCase[] = []
  let isReport = false
  let current: TestCase | null = null
  let isFailure = false
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'testsuite' || name === 'testsuites') isReport = true
    if (name === 'testcase')
      current = { name: attributes.name ?? '', status: 'passed', message: '', details: '' }
    if (!current) return
    if (name === 'skipped') current.status = 'skipped'
    if (name === 'failure' || name === 'error') {
      isFailure = true
      current.status = 'failed'
      current.message = attributes.message ?? ''
    }
  })
  const take = (words: string): void => {
    if (current && isFailure) current.details += words
  }
  parser.on('text', take)
  parser.on('cdata', take)
  parser.on('closetag', ({ name }) => {
    if (name === 'failure' || name === 'error') isFailure = false
    if (name !== 'testcase' || !current) return
    cases.push(current)
    current = null
  })
  parser.write(text).close()
  if (!isReport) throw new Error('the report has no test suite')
  return cases
}
