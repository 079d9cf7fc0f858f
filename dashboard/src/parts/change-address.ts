/** Where a change request has its page here. Its repository has slashes, so both are parameters. */

export function changeAddress({ repository, change }: { repository: string; change: number }): string {
  return `/change?${new URLSearchParams({ repository, change: String(change) })}`
}
