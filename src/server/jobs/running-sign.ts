/** What the check of a change request says while its review runs: the stage, the files, and for how long already. */
import { count, usdWords } from '../../base/count.ts'
import type { Sign } from '../access/show-check.ts'
import type { ReviewJob } from './contract.ts'
import type { JobProgress, ProgressMeter } from './progress.ts'

export type ShowSign = (job: ReviewJob, sign: Sign) => Promise<string | null>

export type RunningSign = {
  /** Writes when there is something new to say. Never rejects, and waits for nothing. */
  tick(): void
  /** Says why it waits again. */
  pause(title: string, summary: string): Promise<void>
  /** Nothing more is written; resolves when nothing is under way. */
  stop(): Promise<void>
}

const everyMs = 20_000

export function openRunningSign(
  show: ShowSign,
  job: ReviewJob,
  meter: Pick<ProgressMeter, 'current'>,
  { onFailure, now = () => performance.now() }: { onFailure: (error: unknown) => void; now?: () => number },
): RunningSign {
  const { head } = job
  const startedAt = now()
  let [isStopped, shown, shownAt] = [job.decision.kind !== 'review' || head === null, '', startedAt]
  let under: Promise<unknown> = Promise.resolve()
  let isBusy = false
  const write = (sign: Omit<Sign, 'head' | 'ifOpen'>) => {
    isBusy = true
    under = show(job, { ...sign, head: head ?? '', ifOpen: true })
      .catch(onFailure)
      .finally(() => {
        isBusy = false
      })
  }
  return {
    tick() {
      const words = runningWords(meter.current)
      if (isStopped || isBusy || words === shown || (shown !== '' && now() - shownAt < everyMs)) return
      const minutes = Math.floor((now() - startedAt) / 60_000)
      const isUpdate = shown !== ''
      ;[shown, shownAt] = [words, now()]
      const title = minutes === 0 ? words : `${words}, for ${minutes} min`
      write({ conclusion: 'running', title, summary: `${summaryOf(meter.current, words)}\n`, isUpdate })
    },
    async pause(title, summary) {
      await under
      if (head !== null && job.decision.kind === 'review') write({ conclusion: 'queued', title, summary })
      await under
    },
    async stop() {
      isStopped = true
      await under
    },
  }
}

function runningWords({ stage, files }: JobProgress): string {
  const share = files === null ? '' : `, ${files.done} of ${count(files.total, 'file')}`
  return `Reviewing: ${stage}${share}`
}

function summaryOf({ calls, usd, waits }: JobProgress, words: string): string {
  const cost = calls === 0 ? [] : [`${count(calls, 'call')} of models so far, ${usdWords(usd)}.`]
  return [
    `${words}.`,
    ...cost,
    ...(waits === null ? [] : [`It waits: ${waits.replace(/[\\`*_{}[\]<>#|~@]/g, '\\$&')}.`]),
  ].join(' ')
}
