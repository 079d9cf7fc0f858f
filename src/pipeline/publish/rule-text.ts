/** What each check is about, for formats that list rules apart from findings: a title, and help that says what to do. */
import type { Finding } from '../../domain/finding.ts'

export type RuleText = { title: string; help: string }

/** By check: its title, and below it what to do. */
const own: ReadonlyMap<string, RuleText> = textsIn(`
contract/signature-arity: A call does not fit the changed parameters
  The number or order of parameters changed, and calls elsewhere still use the old parameters. Update the calls, or keep the old parameters working.
contract/removed-parameter: A call names a parameter that was removed
  A named parameter was removed, but calls elsewhere still pass it. Remove the argument, or keep the parameter.
contract/required-parameter: A call does not pass a new required parameter
  A parameter must be passed now, and calls elsewhere do not pass it. Pass it, or give it a default value.
contract/argument-order: A call passes arguments in the old order
  Parameters were reordered, or one was added between others, and calls by position were not changed. Values reach other parameters than before.
contract/argument-type: A call passes a value of the old type
  The type of a parameter changed, and calls elsewhere still pass a literal of the old type.
contract/visibility-reduced: A name that is used elsewhere can no longer be seen there
  The visibility of a symbol was reduced, but it is still used where it is no longer visible.
contract/implementer-not-updated: A type does not implement a new required member
  An interface or base type requires a member that some of its implementers lack.
contract/override-not-updated: A method overrides nothing any more
  The member that it overrode was removed, renamed or changed.
contract/override-parameters: A method does not match the changed one that it overrides
  The parameters of the base changed, and no call fits both. Give the override the new parameters.
contract/missing-module: An import names a file that was removed or moved
  Point the import at the new path, remove it, or keep the file.
contract/import-not-exported: An import names something that is no longer exported
  Export it again, or import it from its new location.
contract/removed-import: A file uses a name that it no longer imports
  Import the name again, or remove its uses.
contract/removed-symbol: Code uses a symbol that was removed
  Remove or replace the uses, or keep the symbol.
contract/renamed-symbol: Code uses the old name of a renamed symbol
  Use the new name, or keep the old one as an alias.
contract/moved-symbol: Code uses a symbol at its old place
  Import it from its new place, or re-export it from the old one.
new-code/unknown-export: New code uses a name that a module does not have
  The module neither defines nor re-exports the name. Correct the name, import it from where it is defined, or add it.
new-code/open-conflict: A merge conflict is committed unresolved
  The file has both sides of a conflict and git's marks. Keep one side, or merge the two, and remove the marks.
new-code/lost-bracket: A bracket is opened and not closed, or closed and not opened
  The file could be parsed before the change. Put the other bracket back.
new-code/path-case: A new import spells the path of a file in another case
  The import fails where file names do not ignore case. Spell the path as the file is.
new-code/unbound-name: New code uses a name that its file neither imports nor defines
  Import the name, or define it.
new-code/argument-count: A new call passes too many or too few arguments
  No definition that the call may run takes that number of arguments. Change the call to fit the definition.
new-code/unknown-argument: A new call names an argument that does not exist
  The called definition has no parameter of that name. Correct the name, or remove the argument.
new-code/missing-argument: A new call lacks a required argument
  The called definition requires a parameter that the call does not pass. Pass it.
new-code/override-parameters: A new or changed method does not match the one that it overrides
  No call fits both definitions, so code that knows the base only fails. Give the method the parameters of the base.
new-code/override-name: A new method nearly has the name of one that its base requires
  The required method is missing, and the new one overrides nothing. Correct the name.
new-code/unknown-environment-variable: New code reads an environment variable that nothing declares
  The example file of the repository declares one with nearly the same name. Correct the name, or declare the variable.
new-code/unknown-translation-key: New code uses a translation key that does not exist
  The files of the first language do not have the key, so users see the key. Correct it, or add the text.
new-code/unknown-route: New code names a route that does not exist
  A route with nearly the same name is declared. Correct the name, or declare the route.
hidden-text/bidi: Invisible characters change the direction of text
  Bidirectional controls show a line in another order than it runs. Remove them, or write them as escapes.
hidden-text/tag: Text in invisible tag characters
  Programs read such characters and people do not see them. Remove them.
hidden-text/selector: A run of variation selectors
  Runs of variation selectors can carry hidden data. Remove them.
hidden-text/zero-width: Characters without width
  Two names that look alike can differ by them. Remove them, or write them as escapes.
hidden-text/control: Control characters in text
  Terminals act on some of them. Remove them, or write them as escapes.
hidden-text/zero-byte: A zero byte makes a file binary to git and code hosts
  People see no diff of such a file, and most compilers still read it. Remove the byte, or write it as an escape.
hidden-text/look-alike: A name mixes letters of two scripts that look alike
  It looks like another name and is not the same one. Type it again in one script.
hidden-text/file-name: A file name with invisible or look-alike characters
  It can be mistaken for the name of another file. Rename the file.
instructions/own-configuration: The configuration of this reviewer changes
  Read the change word by word. It takes effect after it is merged, never on its own review.
instructions/agent-file: Instructions for coding agents change
  Such a file steers what agents do later. Read the change word by word.
instructions/agent-tools: The tools or rights of a coding agent change
  Such a file sets which programs an agent starts and what it may do without asking.
instructions/code-owners: The owners who must approve changes are changed
  See that the people who must agree are still the right ones.
instructions/submodules: The submodules of the repository change
  Other repositories are fetched along with this one. See where they come from.
instructions/privileged-checkout: A privileged workflow checks out the code of a pull request
  Anyone may open a pull request, and its code runs with the secrets of the repository. Use \`pull_request\` instead.
instructions/script-injection: Text from an event is pasted into a script of a workflow
  A title or branch name becomes a command. Pass the value in \`env:\` and use it as a quoted shell variable.
instructions/write-all: A workflow token may write everything
  Name the permissions that the job needs.
instructions/unpinned-action: An action is no longer pinned to a commit
  A tag can be moved to other code. Name the full commit id.
instructions/install-script: A script runs on every installation of the package
  It runs with the rights of whoever installs. See that it is needed, and what it starts.
instructions/folder-open-task: A task runs as soon as the folder is opened
  The editor runs its command without asking again.
instructions/unasked-approval: The editor is set to act without asking
  Opening the folder is enough for tasks or agent tools to run.
instructions/package-source: The source of packages changes
  Everyone who installs gets what this address or program hands out.
instructions/dependency-unencrypted: A dependency is fetched without encryption
  Use an \`https\` address, or the version from the registry: what is fetched in the clear can be replaced on its way.
instructions/dependency-malicious: A dependency is known to be malicious
  Check the spelling of the name, and use a version that no advisory names.
instructions/lock-out-of-step: The lock file did not follow the manifest
  Let the package manager write the lock file again and commit it; an installation from the lock file fails without that.
instructions/hidden-from-review: Source files are marked so that their changes are not shown
  Files marked as binary or generated are folded away where people read changes.
instructions/reviewer-text: Text that addresses an automated reviewer or a language model
  See who wrote it and what for. It had no effect on this review.
tests/assertion-removed: A test lost an assertion
  Put the assertion back, or say in the test why it no longer holds.
tests/skipped: A test that ran before is skipped
  A skipped test counts as passed. Fix the test, or delete it with what it tests.
tests/deleted: A test was deleted while what it tests still exists
  Keep the test, or replace it with one that checks the same.
tests/unchecked-line: Tests pass whatever a changed line does
  The tests were run with other code in its place, and all of them passed. Add an assertion that depends on what the line does.
duplicate/repeated-function: A new function repeats an existing one
  Call the existing function, or move the shared code to one place.
`)

function textsIn(table: string): Map<string, RuleText> {
  const entries = table.matchAll(/^(\S+): (.+)\n {2}(.+)$/gm)
  return new Map([...entries].map(([, rule = '', title = '', help = '']) => [rule, { title, help }]))
}

const categories: Readonly<Record<Finding['category'], string>> = {
  correctness: 'A possible error of correctness',
  security: 'A possible security problem',
  performance: 'A possible performance problem',
  contract: 'A possible break of a contract',
  tests: 'A possible gap in the tests',
  documentation: 'Documentation that may not fit the code',
  maintainability: 'A possible problem of maintainability',
}

/** Never empty: a rule of the repository speaks for itself, a plane of a model by its category. */
export function ruleText({ rule, plane, category, about, byModel }: Finding): RuleText {
  const known = own.get(rule)
  if (known) return known
  if (about) return { title: about.title, help: about.help === '' ? about.title : about.help }
  if (plane === 'secrets')
    return {
      title: `A committed secret: ${rule.slice(rule.indexOf('/') + 1).replaceAll('-', ' ')}`,
      help: 'Revoke it where it was issued, then read the new one from the environment or a secret store.',
    }
  const title = categories[category]
  const source = byModel ? `reported by the reviewer model (${plane})` : `reported by the ${plane} plane`
  return { title, help: `${title}, ${source}. Each finding quotes its evidence.` }
}
