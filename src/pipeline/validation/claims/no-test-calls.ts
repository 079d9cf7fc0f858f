/** `no-test-calls`: no test file at the head mentions the symbol. */
import { confirmed, type Refuter, refuted } from './contract.ts'
import { lastName } from './names.ts'

export const checkNoTestCalls: Refuter<'no-test-calls'> = async ({ symbol }, { sources, isTest }) => {
  const name = lastName(symbol)
  const test = (await sources.headFilesWith(name)).find(isTest)
  return test === undefined
    ? confirmed('a search of every file for the name')
    : refuted(`\`${test}\` mentions \`${name}\``)
}
