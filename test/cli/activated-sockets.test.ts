import { describe, expect, test } from 'vitest';
import { readActivatedSockets } from '../../src/cli/serve/activated-sockets.ts';

const ONE = { LISTEN_PID: '7', LISTEN_FDS: '1' };
const TLS = { cert: 'cert.pem', key: 'key.pem' };
const EACH = { admin: { host: '127.0.0.1', port: 8081 }, tls: { ...TLS, redirectFrom: 80 } };

describe('the sockets of a supervisor (sd_listen_fds(3))', () => {
  test.each([
    ['none', {}, {}],
    ['for another process', { LISTEN_PID: '8', LISTEN_FDS: '1' }, {}],
    ['one', ONE, { main: 3 }],
    ['one with any name', { ...ONE, LISTEN_FDNAMES: 'waygate.socket' }, { main: 3 }],
    [
      'three by name',
      { ...ONE, LISTEN_FDS: '3', LISTEN_FDNAMES: 'admin:https:redirect' },
      { admin: 3, main: 4, redirect: 5 },
    ],
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

  test.each([
    ['admin', { ...EACH, admin: { host: '127.0.0.1' } }, /"admin" needs admin\.port/],
    ['redirect', { ...EACH, tls: TLS }, /"redirect" needs tls\.redirectFrom/],
    ['redirect', { ...EACH, tls: undefined }, /"redirect" needs tls\.redirectFrom/],
  ])('one for %s is refused without such a listener', (name, config, message) => {
    const env = { ...ONE, LISTEN_FDS: '2', LISTEN_FDNAMES: `http:${name}` };
    expect(() => readActivatedSockets(config, env, 7)).toThrow(message);
  });
});
