/** Variables of one file in which the name of an image may be: of Makefiles, scripts, `env:` and `variables:` of pipelines, and ARG. */

/** `IMAGE := a/b`, `export IMAGE=a/b`, `IMAGE: a/b`, `ARG IMAGE=a/b`, one on a line; the first value counts. */
const assigned =
  /^[ \t]*(?:(?:export|ARG|readonly|local)[ \t]+)?([A-Za-z_]\w{0,60})[ \t]*(?:[:?]?=|:)[ \t]*["']?([\w./:@-]{1,200})["']?[ \t]*$/gm

/** `$(NAME)`, `${NAME}`, `${NAME:-…}`, `$NAME` and `${{ env.NAME }}`. */
const used =
  /\$\{\{ {0,3}(?:env|vars)\.([A-Za-z_]\w{0,60}) {0,3}\}\}|\$\(([A-Za-z_]\w{0,60})\)|\$\{([A-Za-z_]\w{0,60})(?::?-[^}]{0,200})?\}|\$([A-Za-z_]\w{0,60})/g

/** With the values that the text itself gives; what it does not say stays, as `${NAME}`. */
export function filledIn(text: string): (written: string) => string {
  const values = new Map<string, string>()
  for (const [, name = '', value = ''] of text.matchAll(assigned))
    if (!values.has(name)) values.set(name, value)
  return (written) =>
    written.replace(used, (_, ...names: (string | undefined)[]) => {
      const name = names.slice(0, 4).find((one) => one !== undefined) ?? ''
      return values.get(name) ?? `\${${name}}`
    })
}
