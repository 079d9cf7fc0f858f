/** The tests of Go, whose report is what `go test -json` prints: a line of JSON for each event. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { buildCache, type TestCase, type TestFramework } from '../contract.ts'

const Event = z.object({
  Action: z.string(),
  Test: z.string().optional(),
  Output: z.string().default(''),
})

const ended: Readonly<Record<string, TestCase['status']>> = {
  pass: 'passed',
  fail: 'failed',
  skip: 'skipped',
}
/** What `go test` says around the words of a test. */
const frame = /^\s*(?:===|---|FAIL\b|PASS\b|ok\b|exit status|panic: .*\[recovered\])/

export const goTest: TestFramework = {
  name: 'go test',
  ecosystem: 'go',
  guide:
    'Write one function `func TestShows…(t *testing.T)` in the package of the tested file, with `t.Errorf` or `t.Fatalf`.',
  isUsedBy: () => true,
  nameFor: (stem) => `${stem.replaceAll('-', '_')}_test.go`,
  // Only a test of the same folder is in the package.
  folderFor: (path) => (path.includes('/') ? dirname(path) : ''),
  command({ root, test, text }, { folder }) {
    const names = [...text.matchAll(/^func (Test\w+)\(/gm)].map(([, name]) => name)
    const place = dirname(test).slice(join(root, folder).length)
    // `go vet` says nothing of what the code does, and takes three times as long as all the rest.
    const words = ['go', 'test', '-json', '-count=1', '-vet=off', `-run=^(${names.join('|')})$`, `.${place}`]
    const modules = process.env.GOMODCACHE ?? join(process.env.GOPATH ?? join(homedir(), 'go'), 'pkg/mod')
    return {
      words,
      typed: ['go', 'test', '-run', 'TestShows', `.${place}`],
      reportIn: 'output',
      // The compiler needs more room than the folder for temporary files has.
      environment: {
        GOCACHE: `${buildCache}/go`,
        GOTMPDIR: root,
        GOMODCACHE: '/modules',
        GOFLAGS: '-buildvcs=false',
        ...{ GOPROXY: 'off', GOTOOLCHAIN: 'local', GOTELEMETRY: 'off' },
      },
      lent: existsSync(modules) ? [{ from: modules, to: '/modules' }] : [],
    }
  },
  read(report) {
    const cases = new Map<string, TestCase>()
    let isWhole = false
    for (const line of report.split('\n')) {
      const event = Event.safeParse(parseJson(line))
      if (!event.success) continue
      const { Action: action, Test: name = '', Output: output } = event.data
      const one = cases.get(name) ?? { name, status: 'skipped', message: '', details: '' }
      cases.set(name, one)
      one.details += output
      const status = ended[action]
      if (status) one.status = status
      if (status && name === '') isWhole = true
    }
    if (!isWhole) throw new Error('the package did not end')
    const all = [...cases.values()].filter(({ name }) => name !== '')
    // A test that panics takes the package with it, and its words may come under either.
    const whole = cases.get('')
    if (all.length === 0 && whole?.status === 'failed') all.push({ ...whole, name: 'the test file' })
    return all.map((one) => ({ ...one, message: one.status === 'failed' ? firstWords(one.details) : '' }))
  },
}

function firstWords(details: string): string {
  return (
    details
      .split('\n')
      .find((line) => line.trim() !== '' && !frame.test(line))
      ?.trim() ?? ''
  )
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
