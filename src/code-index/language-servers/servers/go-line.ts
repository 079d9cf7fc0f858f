/** Which Go a module asks for, brought down to the one that is here. */

/**
 * The text of a `go.mod` or `go.work` with its `go` line lowered to `runtime` (`1.19.8`) and without a `toolchain` line;
 * null when nothing has to change.
 */
export function lowerGoLine(text: string, runtime: string | null): string | null {
  const here = parts(runtime ?? '')
  if (!here) return null
  const lowered = text
    .replace(/^toolchain[ \t]+\S+[ \t]*$/m, '')
    .replace(/^go[ \t]+(\d+\.\d+\S*)/m, (line, asked: string) => {
      const wanted = parts(asked)
      const isNewer =
        wanted !== null && (wanted[0] > here[0] || (wanted[0] === here[0] && wanted[1] > here[1]))
      return isNewer ? `go ${here[0]}.${here[1]}` : line
    })
  return lowered === text ? null : lowered
}

function parts(version: string): [number, number] | null {
  const found = /^(\d{1,6})\.(\d{1,6})/.exec(version)
  return found ? [Number(found[1]), Number(found[2])] : null
}
