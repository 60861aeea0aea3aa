import { readdir } from 'node:fs/promises';
import type { StatusSources } from '../gateway/process-status.ts';
import { readDescriptorLimit } from './connections.ts';

/** Milliseconds between two looks at the delay of the event loop. */
const DELAY_INTERVAL = 50;
/** Milliseconds after which the open descriptors are counted again: the system lists each of them. */
const DESCRIPTORS_AGE = 10_000;

/**
 * Reports what this process uses, by the names that Prometheus's clients have, and measures the delay of its event loop.
 *
 * @returns ends the reports
 */
export function reportProcess({
  measured,
  reporters,
}: Pick<StatusSources, 'measured' | 'reporters'>): () => void {
  let openDescriptors: number | undefined;
  let maxDescriptors: number | undefined;
  let countedAt = Number.NEGATIVE_INFINITY;
  const countDescriptors = async (): Promise<void> => {
    countedAt = performance.now();
    // Other systems than Linux have no such folder.
    openDescriptors = (await readdir('/proc/self/fd').catch(() => null))?.length;
    const limit = readDescriptorLimit();
    maxDescriptors = Number.isFinite(limit) ? limit : undefined;
  };
  const report = (): readonly (readonly [series: string, value: number])[] => {
    if (performance.now() - countedAt > DESCRIPTORS_AGE) void countDescriptors();
    const { system, user } = process.cpuUsage();
    const { heapUsed, rss } = process.memoryUsage();
    return [
      ['process_cpu_seconds_total', (system + user) / 1e6],
      ['process_resident_memory_bytes', rss],
      ['process_heap_bytes', heapUsed],
      ...(openDescriptors === undefined ? [] : [['process_open_fds', openDescriptors] as const]),
      ...(maxDescriptors === undefined ? [] : [['process_max_fds', maxDescriptors] as const]),
    ];
  };
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    measured.measure('nodejs_eventloop_delay_seconds', Math.max(0, now - last - DELAY_INTERVAL));
    last = now;
  }, DELAY_INTERVAL).unref();
  void countDescriptors();
  reporters.add(report);
  return () => {
    clearInterval(timer);
    reporters.delete(report);
  };
}
