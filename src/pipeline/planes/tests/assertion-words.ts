/** How assertions are written, per language. Looks at one line at a time; comments are no assertions. */

const javascript =
  /(?:^|[^\w.$])(?:expect|assert|expectTypeOf|assertType)(?:\.\w+)*\s*[(<]|\.should\.|(?:^|[^\w.$])t\.(?:is|not|equal|same|deepEqual|strictEqual|ok|notOk|true|false|truthy|throws|match|error)\(/

const patterns: Readonly<Record<string, RegExp>> = {
  typescript: javascript,
  tsx: javascript,
  javascript,
  python: /^\s*assert\b|\bself\.assert\w+\(|\bpytest\.(?:raises|warns)\(/,
  go: /\b(?:assert|require)\.[A-Z]\w*\(|\bt\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(/,
  rust: /\b(?:debug_)?assert(?:_\w+)?!\s*[({[]/,
  java: /\bassert\w*\s*\(|\bverify\s*\(|^\s*assert\b/,
}

export function isAssertion(line: string, language: string): boolean {
  return !isComment(line, language) && (patterns[language]?.test(line) ?? false)
}

/** An assertion behind a comment sign: taken out without being removed. */
export function isSilencedAssertion(line: string, language: string): boolean {
  if (!isComment(line, language)) return false
  return patterns[language]?.test(line.replace(/^\s*(?:\/\/|#|\/\*)\s*/, '')) ?? false
}

/** A line of nothing but a comment, or of nothing at all. */
export function isComment(line: string, language: string): boolean {
  return language === 'python' ? /^\s*(?:#|$)/.test(line) : /^\s*(?:\/\/|\/\*|\*(?!\w)|$)/.test(line)
}
