import { execFile } from 'node:child_process';
import type { Log } from '../../ports.ts';
import type { CommandIo } from '../io.ts';

/** Milliseconds after which a start is complete, although a site has not been read: it may hang, and the others are served. */
const MAX_START = 30_000;

/**
 * Tells a service manager such as systemd that this process is ready, lives and stops (sd_notify(3)), if `NOTIFY_SOCKET` is set.
 *
 * Node has no datagram sockets in the Unix domain. `systemd-notify` sends the messages: it is wherever systemd is, and a native
 * package would be needed on each platform. It is a process of its own, so the unit has `NotifyAccess=all`.
 *
 * @param discovered resolves when the sites have been read
 * @returns tells that the process stops
 */
export function notifyServiceManager(
  env: CommandIo['env'],
  log: Pick<Log, 'warn'>,
  discovered: Promise<unknown>,
): () => void {
  const { NOTIFY_SOCKET = '', WATCHDOG_PID = String(process.pid), WATCHDOG_USEC } = env;
  if (NOTIFY_SOCKET === '') return () => {};
  const send = (state: string): void => {
    execFile('systemd-notify', [state], { env }, (error) => {
      if (error !== null) log.warn({ err: error, state }, 'the service manager cannot be told');
    });
  };
  const interval = Number(WATCHDOG_USEC) / 1000 / 2;
  if (interval > 0 && WATCHDOG_PID === String(process.pid)) {
    setInterval(() => send('WATCHDOG=1'), interval).unref();
  }
  const maxStart = new Promise((resolve) => setTimeout(resolve, MAX_START).unref());
  void Promise.race([discovered, maxStart]).then(() => send('READY=1'));
  return () => send('STOPPING=1');
}
