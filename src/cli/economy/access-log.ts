import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ConfigurationError, messageOf } from '../../errors.ts';

/** A line of an access log in the combined format. */
export interface LogLine {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Whether the server knew who the client is (`%u`). */
  readonly isAuthenticated: boolean;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly status: number;
  /** Path of the page with the link or form; empty if the line has none. */
  readonly referrer: string;
}

/** Host, identity and user, after a virtual host if there is one; then the time, the request line, the status and the size. */
const LINE =
  /^(?:\S+ ){2,3}(\S+) \[(\d\d)\/(\w{3})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)\] "([A-Z]{1,20}) ([^ "]{1,8192})(?: HTTP\/[\d.]{1,5})?" (\d{3}) (?:\d+|-)(?: "((?:[^"\\]|\\.)*)")?/;

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** @returns `null` for a line in another format */
export function parseLogLine(line: string): LogLine | null {
  const match = LINE.exec(line);
  if (match === null) return null;
  const [, user, day, month = '', year, hour, minute, second, sign, zoneHours, zoneMinutes] = match;
  const [method = '', requested = '', status, referrer = ''] = match.slice(11);
  const zone = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -60_000 : 60_000);
  const at = MONTHS.indexOf(month);
  const utc = Date.UTC(Number(year), at, Number(day), Number(hour), Number(minute), Number(second));
  const target = requested.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
  if (at < 0 || Number.isNaN(utc) || !target.startsWith('/')) return null;
  return {
    ...{ time: utc - zone, isAuthenticated: user !== '-', method, target, status: Number(status) },
    referrer: /^https?:\/\/[^/?#]*(\/[^?#]*)/i.exec(referrer)?.[1] ?? '',
  };
}

/** Bytes of a line that are looked at. A longer one is in another format. */
const MAX_LINE = 64 * 1024;
const NEWLINE = 10;

/**
 * Reads the lines of a file, or of standard input, which may be compressed with gzip. The memory does not grow with the file.
 *
 * @throws {ConfigurationError} when it cannot be read
 */
export async function readLines(path: string, onLine: (line: string) => void): Promise<void> {
  try {
    let rest: Buffer = Buffer.alloc(0);
    let isTooLong = false;
    for await (const chunk of await decompress(path === '-' ? process.stdin : createReadStream(path))) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        const line = Buffer.concat([rest, chunk.subarray(start, end)]);
        onLine(isTooLong ? '' : line.toString('latin1'));
        rest = Buffer.alloc(0);
        isTooLong = false;
        start = end + 1;
      }
      isTooLong ||= rest.length + chunk.length - start > MAX_LINE;
      rest = isTooLong ? Buffer.alloc(0) : Buffer.concat([rest, chunk.subarray(start)]);
    }
    if (isTooLong || rest.length > 0) onLine(isTooLong ? '' : rest.toString('latin1'));
  } catch (error) {
    throw new ConfigurationError(`cannot read the log ${path}: ${messageOf(error)}`, { cause: error });
  }
}

/** By the first bytes: a rotated log may have any name. */
async function decompress(input: Readable): Promise<AsyncIterable<Buffer>> {
  await Promise.race([once(input, 'readable'), once(input, 'end')]);
  const head: Buffer | null = input.read();
  if (head === null) return input;
  input.unshift(head);
  if (head[0] !== 0x1f || head[1] !== 0x8b) return input;
  const output = createGunzip();
  input.on('error', (error) => output.destroy(error));
  return input.pipe(output);
}
