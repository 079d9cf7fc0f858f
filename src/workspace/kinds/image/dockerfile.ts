/** A Dockerfile: its instructions, and what its last stage exposes and runs. */

export type Instruction = { word: string; rest: string; line: number; endLine: number }

const dockerfile = /(?:^|\/)(?:[^/]{1,200}\.)?(?:Dockerfile|Containerfile)(?:\.[\w.-]{1,200})?$/i

export const isDockerfile = (path: string): boolean => dockerfile.test(path) && !/\.dockerignore$/.test(path)

/** Instructions that are continued are one; comments are left out. */
export function instructionsOf(text: string): Instruction[] {
  const found: Instruction[] = []
  let open: Instruction | null = null
  for (const [at, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const part = line.replace(/\\$/, '').trim()
    if (open) {
      open.rest += ` ${part}`
      open.endLine = at + 1
    } else {
      const [, word = '', rest = ''] = /^([A-Za-z]{1,30})\s(.*)$/.exec(part) ?? []
      open = { word: word.toUpperCase(), rest: rest.trim(), line: at + 1, endLine: at + 1 }
    }
    if (line.endsWith('\\')) continue
    if (open.word !== '') found.push(open)
    open = null
  }
  return found
}

export type Stage = { name: string | null; from: string; line: number; instructions: Instruction[] }

export function stagesOf(text: string): Stage[] {
  const stages: Stage[] = []
  for (const one of instructionsOf(text)) {
    if (one.word !== 'FROM') {
      stages.at(-1)?.instructions.push(one)
      continue
    }
    const [, from = '', name = null] = /^(?:--\S+\s+)*(\S+)(?:\s+as\s+(\S+))?/i.exec(one.rest) ?? []
    stages.push({ name, from, line: one.line, instructions: [] })
  }
  return stages
}

export type Offered = { value: string; line: number; endLine: number }

/** Of the last stage, with the stages that it is built on. `ports`: as numbers, `8080` and `8080/udp`. */
export function offeredBy(text: string): { ports: Offered[]; entrypoint: Offered | null } {
  const stages = stagesOf(text)
  const ports: Offered[] = []
  let entrypoint: Offered | null = null
  const seen = new Set<Stage>()
  for (
    let stage = stages.at(-1);
    stage && !seen.has(stage);
    stage = stages.find(({ name }) => name === stage?.from)
  ) {
    seen.add(stage)
    for (const { word, rest, line, endLine } of stage.instructions) {
      if (word === 'EXPOSE')
        for (const port of rest.split(/\s+/))
          if (/^\d+(?:\/\w+)?$/.test(port)) ports.push({ value: port.replace(/\/tcp$/, ''), line, endLine })
      if (word === 'ENTRYPOINT') entrypoint ??= { value: rest, line, endLine }
    }
  }
  return { ports, entrypoint }
}
