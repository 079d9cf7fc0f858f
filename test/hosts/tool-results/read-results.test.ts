/** Results of other tools, as these write them. */
import { expect, test } from 'vitest'
import { changedPathOf, type ToolResult } from '../../../src/domain/tool-result.ts'
import { readToolResults } from '../../../src/hosts/tool-results/read-results.ts'

const read = (content: string | object) =>
  readToolResults(typeof content === 'string' ? content : JSON.stringify(content), 'results')

const result = (found: Partial<ToolResult>): ToolResult => ({
  tool: 'Tool',
  rule: '',
  level: 'warning',
  message: 'wrong',
  help: '',
  path: 'src/a.ts',
  startLine: 3,
  endLine: 3,
  ...found,
})

const at = (uri: string, region: object = { startLine: 3 }) => [
  { physicalLocation: { artifactLocation: { uri }, region } },
]
const sarif = (driver: object, results: object[], more: object = {}) => ({
  version: '2.1.0',
  runs: [{ tool: { driver, ...more }, results }],
})

test('SARIF: rules by number and by name, levels, scores, placeholders and places', () => {
  const rules = [
    { id: 'eqeqeq', defaultConfiguration: { level: 'error' }, fullDescription: { text: 'Compare exactly.' } },
    {
      id: 'xss',
      properties: { 'security-severity': '8.8' },
      messageStrings: { flow: { text: '{0} reaches {1}' } },
    },
    { id: 'weak', properties: { 'security-severity': '4.0' } },
  ]
  const text = { text: 'wrong' }
  const found = read(
    sarif({ name: 'Tool', rules }, [
      { ruleIndex: 0, message: text, locations: at('src/a.ts') },
      { ruleId: 'xss', message: { id: 'flow', arguments: ['input', 'html'] }, locations: at('src/a.ts') },
      { ruleId: 'weak', level: 'note', message: text, locations: at('file:///work/my%20shop/src/a.ts') },
      { ruleId: 'unknown', message: text, locations: at('.\\src\\a.ts', { startLine: 3, endLine: 5 }) },
    ]),
  )
  expect(found).toEqual([
    result({ rule: 'eqeqeq', level: 'error', help: 'Compare exactly.' }),
    result({ rule: 'xss', level: 'security', message: 'input reaches html' }),
    result({ rule: 'weak', level: 'note', path: '/work/my shop/src/a.ts' }),
    result({ rule: 'unknown', endLine: 5 }),
  ])
})

test('SARIF: what was suppressed, passed or has no place is no result', () => {
  const message = { text: 'wrong' }
  const locations = at('src/a.ts')
  const found = read(
    sarif({ name: 'Tool' }, [
      { message, locations, suppressions: [{ kind: 'inSource' }] },
      { message, locations, kind: 'pass' },
      { message, locations, level: 'none' },
      { message },
      { message, locations: at('src/a.ts', {}) },
      { message: { text: ' ' }, locations },
      { message, locations, suppressions: [{ status: 'rejected' }] },
    ]),
  )
  expect(found).toEqual([result({})])
  expect(read({ runs: [{ tool: { driver: { name: 'Tool' } }, results: null }] })).toEqual([])
})

test('SARIF: rules of extensions, and files by their number', () => {
  const found = read({
    runs: [
      {
        tool: { driver: { name: 'Tool' }, extensions: [{ name: 'pack', rules: [{ id: 'js/eval' }] }] },
        artifacts: [{ location: { uri: 'src/a.ts' } }],
        results: [
          {
            rule: { index: 0, toolComponent: { index: 0 } },
            message: { text: 'wrong' },
            locations: [{ physicalLocation: { artifactLocation: { index: 0 }, region: { startLine: 3 } } }],
          },
        ],
      },
    ],
  })
  expect(found).toEqual([result({ rule: 'js/eval' })])
})

test('rdjson as one text and by lines', () => {
  const location = { path: 'src/a.ts', range: { start: { line: 3, column: 1 } } }
  const diagnostic = { message: 'wrong', location, severity: 'ERROR', code: { value: 'E1' } }
  const expected = result({ tool: 'ruff', rule: 'E1', level: 'error' })
  expect(read({ source: { name: 'ruff' }, diagnostics: [diagnostic] })).toEqual([expected])
  const lines = [
    { ...diagnostic, source: { name: 'ruff' } },
    { ...diagnostic, source: { name: 'ruff' }, severity: 3 },
  ]
  expect(read(lines.map((line) => JSON.stringify(line)).join('\n'))).toEqual([
    expected,
    { ...expected, level: 'note' },
  ])
})

test('Checkstyle: tools by their sources, entities of XML alone', () => {
  const found = read(`<?xml version="1.0"?>
<checkstyle version="8.0"><file name="src/a.ts">
<error line="3" column="1" severity="error" message="a &lt; b &#38; c" source="eslint.rules.no-eval"/>
<error line="3" severity="info" message="wrong" source="com.puppycrawl.tools.checkstyle.checks.naming.MethodNameCheck"/>
<error line="3" severity="ignore" message="wrong"/>
</file></checkstyle>`)
  expect(found).toEqual([
    result({ tool: 'ESLint', rule: 'no-eval', level: 'error', message: 'a < b & c' }),
    result({ tool: 'Checkstyle', rule: 'MethodName', level: 'note' }),
  ])
  const bomb =
    '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><checkstyle><file name="&b;"/></checkstyle>'
  expect(() => read(bomb)).toThrow(/not valid Checkstyle: .*undefined entity/)
})

test('an empty file has no results; another format and damage are refused in words', () => {
  expect(read('\ufeff \n')).toEqual([])
  expect(() => read('hello')).toThrow(/format of results is not supported; use SARIF, rdjson, Checkstyle/)
  expect(() => read('{"runs": [')).toThrow(/results is not valid SARIF: /)
  expect(() => read({ runs: [{ tool: {} }] })).toThrow(/not valid SARIF: runs\.0\.tool\.driver/)
})

test('an absolute path is the longest path of the change that it ends with', () => {
  const paths = ['a.ts', 'src/a.ts', 'lib/src/b.ts']
  expect(changedPathOf('src/a.ts', paths)).toBe('src/a.ts')
  expect(changedPathOf('/home/ci/work/src/a.ts', paths)).toBe('src/a.ts')
  expect(changedPathOf('C:/work/lib/src/b.ts', paths)).toBe('lib/src/b.ts')
  expect(changedPathOf('other/a.ts', paths)).toBeNull()
})
