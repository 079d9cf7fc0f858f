/** `no-test-calls`: no test file at the head uses the symbol. A name in a comment or a string is a mention, and no call. */
import { confirmed, type Refuter, refuted } from './contract.ts'
import { lastName } from './names.ts'

export const checkNoTestCalls: Refuter<'no-test-calls'> = async ({ symbol }, { sources, isTest }) => {
  const name = lastName(symbol)
  const tests = (await sources.headFilesWith(name)).filter(isTest)
  for (const test of tests) {
    const facts = await sources.facts('new', test)
    // Where the parser found nothing to say, the name may be a call all the same.
    if (!facts || facts.errorLines.length > 0) return refuted(`\`${test}\` mentions \`${name}\``)
    const use =
      facts.references.find((one) => one.name === name) ?? facts.imports.find((one) => one.imported === name)
    if (use) return refuted(`\`${test}:${use.line}\` uses \`${name}\``)
  }
  const [first] = tests
  return confirmed(
    first === undefined
      ? 'a search of every file for the name'
      : `a search of every file for the name: \`${first}\` only mentions it, in a comment or a string`,
  )
}
