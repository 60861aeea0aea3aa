// Loaded before a program with `--import`: the last line of its output has its CPU time in seconds and its peak memory in megabytes.
process.on('exit', () => {
  const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage();
  console.log(`\n${JSON.stringify({ cpu: (systemCPUTime + userCPUTime) / 1e6, memory: maxRSS / 1024 })}`);
});
