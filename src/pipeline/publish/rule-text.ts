/** What each check is about, for formats that list rules apart from findings: a title, and help that says what to do. */
import type { Finding } from '../../domain/finding.ts'

export type RuleText = { title: string; help: string }

const own: Readonly<Record<string, RuleText>> = {
  'contract/signature-arity': {
    title: 'A call does not fit the changed parameters',
    help: 'The number or order of parameters changed, and calls elsewhere still use the old parameters. Update the calls, or keep the old parameters working.',
  },
  'contract/removed-parameter': {
    title: 'A call names a parameter that was removed',
    help: 'A named parameter was removed, but calls elsewhere still pass it. Remove the argument, or keep the parameter.',
  },
  'contract/required-parameter': {
    title: 'A call does not pass a new required parameter',
    help: 'A parameter must be passed now, and calls elsewhere do not pass it. Pass it, or give it a default value.',
  },
  'contract/argument-order': {
    title: 'A call passes arguments in the old order',
    help: 'Parameters were reordered, or one was added between others, and calls by position were not changed. Values reach other parameters than before.',
  },
  'contract/argument-type': {
    title: 'A call passes a value of the old type',
    help: 'The type of a parameter changed, and calls elsewhere still pass a literal of the old type.',
  },
  'contract/visibility-reduced': {
    title: 'A name that is used elsewhere can no longer be seen there',
    help: 'The visibility of a symbol was reduced, but it is still used where it is no longer visible.',
  },
  'contract/implementer-not-updated': {
    title: 'A type does not implement a new required member',
    help: 'An interface or base type requires a member that some of its implementers lack.',
  },
  'contract/override-not-updated': {
    title: 'A method overrides nothing any more',
    help: 'The member that it overrode was removed, renamed or changed.',
  },
  'contract/override-parameters': {
    title: 'A method does not match the changed one that it overrides',
    help: 'The parameters of the base changed, and no call fits both. Give the override the new parameters.',
  },
  'contract/missing-module': {
    title: 'An import names a file that was removed or moved',
    help: 'Point the import at the new path, remove it, or keep the file.',
  },
  'contract/import-not-exported': {
    title: 'An import names something that is no longer exported',
    help: 'Export it again, or import it from its new location.',
  },
  'contract/removed-import': {
    title: 'A file uses a name that it no longer imports',
    help: 'Import the name again, or remove its uses.',
  },
  'contract/removed-symbol': {
    title: 'Code uses a symbol that was removed',
    help: 'Remove or replace the uses, or keep the symbol.',
  },
  'contract/renamed-symbol': {
    title: 'Code uses the old name of a renamed symbol',
    help: 'Use the new name, or keep the old one as an alias.',
  },
  'contract/moved-symbol': {
    title: 'Code uses a symbol at its old place',
    help: 'Import it from its new place, or re-export it from the old one.',
  },
  'new-code/unknown-export': {
    title: 'New code uses a name that a module does not have',
    help: 'The module neither defines nor re-exports the name. Correct the name, import it from where it is defined, or add it.',
  },
  'new-code/open-conflict': {
    title: 'A merge conflict is committed unresolved',
    help: "The file has both sides of a conflict and git's marks. Keep one side, or merge the two, and remove the marks.",
  },
  'new-code/path-case': {
    title: 'A new import spells the path of a file in another case',
    help: 'The import fails where file names do not ignore case. Spell the path as the file is.',
  },
  'new-code/unbound-name': {
    title: 'New code uses a name that its file neither imports nor defines',
    help: 'Import the name, or define it.',
  },
  'new-code/argument-count': {
    title: 'A new call passes too many or too few arguments',
    help: 'No definition that the call may run takes that number of arguments. Change the call to fit the definition.',
  },
  'new-code/unknown-argument': {
    title: 'A new call names an argument that does not exist',
    help: 'The called definition has no parameter of that name. Correct the name, or remove the argument.',
  },
  'new-code/missing-argument': {
    title: 'A new call lacks a required argument',
    help: 'The called definition requires a parameter that the call does not pass. Pass it.',
  },
  'new-code/override-parameters': {
    title: 'A new or changed method does not match the one that it overrides',
    help: 'No call fits both definitions, so code that knows the base only fails. Give the method the parameters of the base.',
  },
  'new-code/override-name': {
    title: 'A new method nearly has the name of one that its base requires',
    help: 'The required method is missing, and the new one overrides nothing. Correct the name.',
  },
  'new-code/unknown-environment-variable': {
    title: 'New code reads an environment variable that nothing declares',
    help: 'The example file of the repository declares one with nearly the same name. Correct the name, or declare the variable.',
  },
  'new-code/unknown-translation-key': {
    title: 'New code uses a translation key that does not exist',
    help: 'The files of the first language do not have the key, so users see the key. Correct it, or add the text.',
  },
  'new-code/unknown-route': {
    title: 'New code names a route that does not exist',
    help: 'A route with nearly the same name is declared. Correct the name, or declare the route.',
  },
  'hidden-text/bidi': {
    title: 'Invisible characters change the direction of text',
    help: 'Bidirectional controls show a line in another order than it runs. Remove them, or write them as escapes.',
  },
  'hidden-text/tag': {
    title: 'Text in invisible tag characters',
    help: 'Programs read such characters and people do not see them. Remove them.',
  },
  'hidden-text/selector': {
    title: 'A run of variation selectors',
    help: 'Runs of variation selectors can carry hidden data. Remove them.',
  },
  'hidden-text/zero-width': {
    title: 'Characters without width',
    help: 'Two names that look alike can differ by them. Remove them, or write them as escapes.',
  },
  'hidden-text/control': {
    title: 'Control characters in text',
    help: 'Terminals act on some of them. Remove them, or write them as escapes.',
  },
  'hidden-text/zero-byte': {
    title: 'A zero byte makes a file binary to git and code hosts',
    help: 'People see no diff of such a file, and most compilers still read it. Remove the byte, or write it as an escape.',
  },
  'hidden-text/look-alike': {
    title: 'A name mixes letters of two scripts that look alike',
    help: 'It looks like another name and is not the same one. Type it again in one script.',
  },
  'hidden-text/file-name': {
    title: 'A file name with invisible or look-alike characters',
    help: 'It can be mistaken for the name of another file. Rename the file.',
  },
  'instructions/own-configuration': {
    title: 'The configuration of this reviewer changes',
    help: 'Read the change word by word. It takes effect after it is merged, never on its own review.',
  },
  'instructions/agent-file': {
    title: 'Instructions for coding agents change',
    help: 'Such a file steers what agents do later. Read the change word by word.',
  },
  'instructions/agent-tools': {
    title: 'The tools or rights of a coding agent change',
    help: 'Such a file sets which programs an agent starts and what it may do without asking.',
  },
  'instructions/code-owners': {
    title: 'The owners who must approve changes are changed',
    help: 'See that the people who must agree are still the right ones.',
  },
  'instructions/submodules': {
    title: 'The submodules of the repository change',
    help: 'Other repositories are fetched along with this one. See where they come from.',
  },
  'instructions/privileged-checkout': {
    title: 'A privileged workflow checks out the code of a pull request',
    help: 'Anyone may open a pull request, and its code runs with the secrets of the repository. Use `pull_request` instead.',
  },
  'instructions/script-injection': {
    title: 'Text from an event is pasted into a script of a workflow',
    help: 'A title or branch name becomes a command. Pass the value in `env:` and use it as a quoted shell variable.',
  },
  'instructions/write-all': {
    title: 'A workflow token may write everything',
    help: 'Name the permissions that the job needs.',
  },
  'instructions/unpinned-action': {
    title: 'An action is no longer pinned to a commit',
    help: 'A tag can be moved to other code. Name the full commit id.',
  },
  'instructions/install-script': {
    title: 'A script runs on every installation of the package',
    help: 'It runs with the rights of whoever installs. See that it is needed, and what it starts.',
  },
  'instructions/folder-open-task': {
    title: 'A task runs as soon as the folder is opened',
    help: 'The editor runs its command without asking again.',
  },
  'instructions/unasked-approval': {
    title: 'The editor is set to act without asking',
    help: 'Opening the folder is enough for tasks or agent tools to run.',
  },
  'instructions/package-source': {
    title: 'The source of packages changes',
    help: 'Everyone who installs gets what this address or program hands out.',
  },
  'instructions/dependency-unencrypted': {
    title: 'A dependency is fetched without encryption',
    help: 'Use an `https` address, or the version from the registry: what is fetched in the clear can be replaced on its way.',
  },
  'instructions/dependency-malicious': {
    title: 'A dependency is known to be malicious',
    help: 'Check the spelling of the name, and use a version that no advisory names.',
  },
  'instructions/lock-out-of-step': {
    title: 'The lock file did not follow the manifest',
    help: 'Let the package manager write the lock file again and commit it; an installation from the lock file fails without that.',
  },
  'instructions/license-change': {
    title: 'The license of the package changes',
    help: 'See that the change is meant: whoever uses the package may have to agree to it again.',
  },
  'instructions/hidden-from-review': {
    title: 'Source files are marked so that their changes are not shown',
    help: 'Files marked as binary or generated are folded away where people read changes.',
  },
  'instructions/reviewer-text': {
    title: 'Text that addresses an automated reviewer or a language model',
    help: 'See who wrote it and what for. It had no effect on this review.',
  },
  'tests/assertion-removed': {
    title: 'A test lost an assertion',
    help: 'Put the assertion back, or say in the test why it no longer holds.',
  },
  'tests/skipped': {
    title: 'A test that ran before is skipped',
    help: 'A skipped test counts as passed. Fix the test, or delete it with what it tests.',
  },
  'tests/deleted': {
    title: 'A test was deleted while what it tests still exists',
    help: 'Keep the test, or replace it with one that checks the same.',
  },
  'tests/unchecked-line': {
    title: 'Tests pass whatever a changed line does',
    help: 'The tests were run with other code in its place, and all of them passed. Add an assertion that depends on what the line does.',
  },
  'duplicate/repeated-function': {
    title: 'A new function repeats an existing one',
    help: 'Call the existing function, or move the shared code to one place.',
  },
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
  const known = own[rule]
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
