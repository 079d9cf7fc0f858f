/** Work done by this process so far, in milliseconds of CPU: what a busy machine does not change, unlike the clock. */
export function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
