/** unittest of Python's library, for projects that do not ask for pytest. */
import type { TestFramework } from '../contract.ts'
import { readJunit } from '../junit.ts'
import { pythonOf } from './python.ts'

/** unittest writes no report that a program can read, so this does: JUnit's XML to the path that is its second argument. */
const reporter = `
import os, sys, unittest
from xml.sax.saxutils import quoteattr

test, report = sys.argv[1:3]
sys.path[0:0] = [os.getcwd(), os.path.dirname(test)]
cases = []

class Result(unittest.TestResult):
    def add(self, test, kind, error=None):
        words = '' if error is None else self._exc_info_to_string(error, test)
        said = '' if error is None else ('%s: %s' % (error[0].__name__, error[1]))
        tag = '' if kind is None else '<%s message=%s>%s</%s>' % (kind, quoteattr(said), escaped(words), kind)
        cases.append('<testcase name=%s>%s</testcase>' % (quoteattr(test.id()), tag))
    def addSuccess(self, test):
        self.add(test, None)
    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.add(test, 'failure', error)
    def addError(self, test, error):
        super().addError(test, error)
        self.add(test, 'error', error)
    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            self.add(subtest, 'failure', error)
    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.add(test, 'skipped')

def escaped(text):
    kept = ''.join(one for one in text if one >= ' ' or one in '\\n\\t')
    return kept.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')

name = os.path.relpath(test)[:-3].replace(os.sep, '.')
try:
    suite = unittest.defaultTestLoader.loadTestsFromName(name)
except Exception:
    suite = unittest.defaultTestLoader.discover(os.path.dirname(test), os.path.basename(test))
result = Result()
suite.run(result)
with open(report, 'w', encoding='utf-8', errors='replace') as file:
    file.write('<testsuite>%s</testsuite>' % ''.join(cases))
sys.exit(0 if result.wasSuccessful() else 1)
`

export const unittest: TestFramework = {
  name: 'unittest',
  ecosystem: 'python',
  guide: 'Write one `unittest.TestCase` with one method `test_…`. Import the code as the other tests do.',
  isUsedBy: ({ dependencies }) => !dependencies.has('pytest'),
  nameFor: (stem) => `test_${stem.replaceAll('-', '_')}.py`,
  command: ({ root, test, report }, { installed }) => ({
    words: [pythonOf(root, installed), '-B', '-c', reporter, test, report],
    typed: ['python3', '-m', 'unittest', test],
  }),
  read: readJunit,
}
