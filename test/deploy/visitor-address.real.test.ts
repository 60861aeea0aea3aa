import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** `REMOTE_ADDR` and `X-Forwarded-For` of a request, and the visitor's address that WordPress gets from the lines for wp-config.php. */
const ROWS: readonly (readonly [peer: string, forwarded: string | null, visitor: string])[] = [
  ['127.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['::1', '2001:db8::7', '2001:db8::7'],
  // nginx in front of the gateway, and what the visitor claims.
  ['127.0.0.1', '203.0.113.9, 198.51.100.7, 127.0.0.1', '198.51.100.7'],
  ['127.0.0.1', '198.51.100.7,127.0.0.1', '198.51.100.7'],
  // Nobody but the gateway is believed.
  ['198.51.100.8', '198.51.100.7', '198.51.100.8'],
  ['198.51.100.8', '127.0.0.1', '198.51.100.8'],
  ['127.0.0.1', null, '127.0.0.1'],
  ['127.0.0.1', '', '127.0.0.1'],
  ['127.0.0.1', 'unknown', '127.0.0.1'],
  ['127.0.0.1', "198.51.100.7, <script>'", '127.0.0.1'],
];

test('the lines for wp-config.php find the visitor behind the gateway', () => {
  const program =
    'foreach (json_decode($argv[1], true) as [$peer, $forwarded]) { $_SERVER = ["REMOTE_ADDR" => $peer] + ($forwarded === null ? [] : ["HTTP_X_FORWARDED_FOR" => $forwarded]); include "deploy/site/wp-config-lines.php"; echo $_SERVER["REMOTE_ADDR"], "\\n"; }';
  const printed = execFileSync(
    'php',
    ['-d', 'error_reporting=-1', '-r', program, '--', JSON.stringify(ROWS)],
    { encoding: 'utf8' },
  );
  expect(printed.trim().split('\n')).toEqual(ROWS.map(([, , visitor]) => visitor));
});
