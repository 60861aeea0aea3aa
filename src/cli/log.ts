import { type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';
import type { Io } from './io.ts';

/** Bytes that wait to be written; what comes when there are as many is lost. */
const WAITING = 1024 * 1024;

/**
 * A line a request is a system call a request, so lines are collected: they go out when 12 KiB are together,
 * after a second, and at the end, however that comes.
 *
 * A log that cannot be written, on a full disk above all, ends no gateway: it is tried again with the next lines.
 *
 * @param file the log's own path. @default standard output
 */
export function createLog(level: Config['logLevel'], { err }: Pick<Io, 'err'>, file?: string): Logger {
  const destination = pino.destination({
    ...(file === undefined ? {} : { dest: file }),
    minLength: 12_288,
    maxLength: WAITING,
    periodicFlush: 1_000,
    sync: false,
  });
  const flushSync = destination.flushSync.bind(destination);
  let failing = false;
  destination.on('error', (fault: Error) => {
    if (!failing) err(`waygate: the log cannot be written: ${fault.message}\n`);
    failing = true;
    // At the end of the process it is tried for ever.
    destination.flushSync = () => {};
  });
  destination.on('write', () => {
    failing = false;
    destination.flushSync = flushSync;
  });
  return pino({ level, base: null }, destination);
}
