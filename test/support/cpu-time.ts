/**
 * Runs a function, and returns the milliseconds of processor time that this process has spent in it. Other processes do not
 * change it, so that limits hold on a loaded machine. The collector of garbage counts, so it may exceed the time on the clock.
 */
export function measureCpuTime(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { system, user } = process.cpuUsage(before);
  return (system + user) / 1e3;
}
