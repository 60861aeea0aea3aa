import { describe, expect, test } from 'vitest';
import { readActivatedSockets } from '../../src/cli/serve/activated-sockets.ts';

const ONE = { LISTEN_PID: '7', LISTEN_FDS: '1' };
const EACH = { admin: { host: '127.0.0.1', port: 8081 } };

describe('the sockets of a supervisor (sd_listen_fds(3))', () => {
  test.each([
    ['none', {}, {}],
    ['for another process', { LISTEN_PID: '8', LISTEN_FDS: '1' }, {}],
    ['one', ONE, { main: 3 }],
    ['one with any name', { ...ONE, LISTEN_FDNAMES: 'waygate.socket' }, { main: 3 }],
    ['two by name', { ...ONE, LISTEN_FDS: '2', LISTEN_FDNAMES: 'admin:https' }, { admin: 3, main: 4 }],
  ])('%s', (_, env, sockets) => {
    expect(readActivatedSockets(EACH, env, 7)).toEqual(sockets);
  });

  test.each([
    ['without a number', { LISTEN_PID: '7' }, /"" sockets were passed, and none is for the gateway/],
    ['with no number', { LISTEN_PID: '7', LISTEN_FDS: 'x' }, /"x" sockets were passed/],
    ['only for others', { ...ONE, LISTEN_FDNAMES: 'admin' }, /none is for the gateway/],
    ['twice', { LISTEN_PID: '7', LISTEN_FDS: '2' }, /two sockets are for the gateway/],
  ])('%s are refused', (_, env, message) => {
    expect(() => readActivatedSockets(EACH, env, 7)).toThrow(message);
  });

  test('one for the admin listener is refused without it', () => {
    const env = { ...ONE, LISTEN_FDS: '2', LISTEN_FDNAMES: 'http:admin' };
    const config = { admin: { host: '127.0.0.1' } };
    expect(() => readActivatedSockets(config, env, 7)).toThrow(/"admin" needs admin\.port/);
  });
});
