import type { Config } from '../../../generated/option-types.d.ts';
import { ConfigurationError } from '../../errors.ts';
import type { ListeningSockets } from '../../node/index.ts';
import type { CommandIo } from '../io.ts';

/** The first descriptor that a supervisor passes (sd_listen_fds(3)): those of the standard streams are before it. */
const FIRST_DESCRIPTOR = 3;

/**
 * Reads the listening sockets that a supervisor such as systemd has passed: `LISTEN_PID` is the process that they are for,
 * `LISTEN_FDS` their number, and `LISTEN_FDNAMES` their names, separated by colons. The socket named `admin` is for the admin
 * listener, one with another name for the gateway.
 *
 * @param pid of this process: variables for another one are ignored
 * @returns descriptors by listener; empty without socket activation
 * @throws {ConfigurationError} when the variables are for this process and name no socket for the gateway, or one of a listener that the
 *   configuration does not have: its clients would wait for ever
 */
export function readActivatedSockets(
  { admin }: Pick<Config, 'admin'>,
  env: CommandIo['env'],
  pid: number,
): ListeningSockets {
  const { LISTEN_FDNAMES = '', LISTEN_FDS = '', LISTEN_PID = '' } = env;
  if (LISTEN_PID !== String(pid)) return {};
  const count = /^\d{1,3}$/.test(LISTEN_FDS) ? Number(LISTEN_FDS) : 0;
  const names = LISTEN_FDNAMES.split(':');
  const found: { main?: number; admin?: number } = {};
  for (let at = 0; at < count; at++) {
    const name = names[at] === 'admin' ? 'admin' : 'main';
    if (found[name] !== undefined) {
      throw new ConfigurationError(
        `LISTEN_FDS: two sockets are for ${name === 'main' ? 'the gateway' : `"${name}"`}: LISTEN_FDNAMES names one "admin", and a single other one`,
      );
    }
    found[name] = FIRST_DESCRIPTOR + at;
  }
  if (admin.port === undefined && found.admin !== undefined)
    throw new ConfigurationError('LISTEN_FDNAMES: "admin" needs admin.port');
  if (found.main !== undefined) return found;
  throw new ConfigurationError(
    `LISTEN_FDS: "${LISTEN_FDS.slice(0, 20)}" sockets were passed, and none is for the gateway itself`,
  );
}
