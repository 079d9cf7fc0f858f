/**
 * What is printed in a job of a CI service is read by its runner, which takes some lines for commands: GitHub's those that
 * begin with `::error::` and the like, and with `##[error]` anywhere in them; Azure's `##vso[…]`. Foreign words may hold such.
 */

/** The same with a space in each, so that people can still read it. JSON is escaped where it is written and stays as it is. */
export function withoutRunnerCommands(text: string): string {
  return text.replace(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, '$1: ').replace(/##(?=\w*\[)/g, '# #')
}
