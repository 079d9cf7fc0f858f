/** Reads the memory of one tree. A review reads it from the base of the change, so that no change brings its own. */
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { visibleLine } from '../base/visible-text.ts'
import { readYaml } from '../config/read-yaml.ts'
import { emptyMemory, type MemoryView, memoryFolder } from '../domain/memory.ts'
import { entriesBelow, type RepoSnapshot } from '../domain/snapshot.ts'
import { readNote } from './note-file.ts'

const mostNotes = 200

/** Never rejects for a bad file, nor for a tree that cannot be listed: those are faults. */
export async function readMemory(tree: RepoSnapshot, now: Date): Promise<MemoryView> {
  try {
    const inFolder = `${memoryFolder}/`
    const files = (await entriesBelow(tree, memoryFolder)).filter(
      ({ path }) => path.startsWith(inFolder) && path.endsWith('.md'),
    )
    if (files.length === 0) return emptyMemory
    const texts = await tree.readMany(files.slice(0, mostNotes).map(({ path }) => path))
    const read = files.slice(0, mostNotes).map(({ path, mode }) => {
      const place = visibleLine(path)
      const fault = (why: string) => ({ note: null, fault: `${place}, line 1: ${why}` })
      if (!mode.startsWith('100')) return fault('It is a link or a submodule, not a file.')
      const file = texts.get(path)
      if (!file || file.lossy) return fault('It cannot be read as UTF-8 text.')
      return readNote(place, file.text, dayOf(now))
    })
    const left = files.length - read.length
    return {
      notes: read.flatMap(({ note }) => note ?? []),
      faults: [
        ...read.flatMap(({ fault }) => fault ?? []),
        ...(left > 0
          ? [`${memoryFolder}: only the first ${mostNotes} files are read, ${left} are left out.`]
          : []),
      ],
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { notes: [], faults: [`${memoryFolder} cannot be read: ${error.message}`] }
  }
}

export const peopleFile = `${memoryFolder}/people.yaml`

const PeopleFile = z.strictObject({ leaveOut: z.array(z.string().min(1).max(300)).max(10_000) })

/** People about whom nothing is to be read; `fault` when nobody can tell, and then it is everybody. */
export async function readLeftOut(tree: RepoSnapshot): Promise<{ people: string[]; fault: string | null }> {
  const file = await tree.read(peopleFile)
  if (!file) return { people: [], fault: null }
  const yaml = readYaml(file.text)
  const read = PeopleFile.safeParse(yaml.value)
  const [problem] = yaml.problems
  if (!problem && read.success) return { people: read.data.leaveOut, fault: null }
  const line = problem?.line ?? yaml.positionOf((read.error?.issues[0]?.path ?? []).map(String), 'value').line
  const why = problem?.message ?? read.error?.issues[0]?.message ?? 'It is not valid.'
  return { people: [], fault: `${peopleFile}, line ${line}: ${why} Earlier changes of authors are not used.` }
}

/** `2026-11-23`, in UTC. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}
