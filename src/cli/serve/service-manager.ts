import { execFile } from 'node:child_process';
import type { Log } from '../../base/ports.ts';
import type { CommandIo } from '../io.ts';

/** Milliseconds after which a start is complete, although a site hangs: others are served. */
const MAX_START = 30_000;

export interface ServiceManager {
  reloading(): Promise<void>;
  ready(): Promise<void>;
  stopping(): void;
}

/**
 * Speaks sd_notify(3) by `systemd-notify`, because Node has no datagram sockets in the Unix domain; so the
 * unit has `NotifyAccess=all`. @param discovered resolves when the sites have been read
 */
export function notifyServiceManager(
  env: CommandIo['env'],
  log: Pick<Log, 'warn'>,
  discovered: Promise<unknown>,
): ServiceManager | null {
  const { NOTIFY_SOCKET = '', WATCHDOG_PID = String(process.pid), WATCHDOG_USEC } = env;
  if (NOTIFY_SOCKET === '') return null;
  const send = (...states: readonly string[]): Promise<void> =>
    new Promise((resolve) => {
      execFile('systemd-notify', states, { env }, (error) => {
        if (error !== null) log.warn({ err: error, states }, 'the service manager cannot be notified');
        resolve();
      });
    });
  const interval = Number(WATCHDOG_USEC) / 1000 / 2;
  if (interval > 0 && WATCHDOG_PID === String(process.pid)) {
    setInterval(() => void send('WATCHDOG=1'), interval).unref();
  }
  const maxStart = new Promise((resolve) => setTimeout(resolve, MAX_START).unref());
  void Promise.race([discovered, maxStart]).then(() => send('READY=1'));
  return {
    // CLOCK_MONOTONIC in microseconds.
    reloading: () => send('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1_000n}`),
    ready: () => send('READY=1'),
    stopping: () => void send('STOPPING=1'),
  };
}
