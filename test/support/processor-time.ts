/**
 * Starts a clock of this process's time on processors; calling what it returns gives the time since,
 * ms. What else the machine does meanwhile does not count; this process's other threads do.
 */
export function startProcessorClock(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
}
