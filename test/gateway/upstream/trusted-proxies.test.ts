import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNetworkCheck, parseIpAddress, parseNetwork } from '../../../src/gateway/upstream/networks.ts';
import { networks } from '../../support/gateway.ts';

describe('a peer', () => {
  it.each([
    ['is trusted by its address', ['192.0.2.1'], '192.0.2.1', true],
    ['is not trusted by its neighbour', ['192.0.2.1'], '192.0.2.2', false],
    ['is trusted by its network', ['127.0.0.1/8'], '127.9.9.9', true],
    ['is not trusted beyond its network', ['10.0.0.0/8'], '11.0.0.1', false],
    ['is trusted within a network of 12 bits', ['172.16.0.0/12'], '172.31.255.255', true],
    ['is not trusted beyond a network of 12 bits', ['172.16.0.0/12'], '172.32.0.0', false],
    ['is trusted by a network of all addresses', ['0.0.0.0/0'], '203.0.113.9', true],
    ['is trusted in IPv4-mapped form', ['127.0.0.0/8'], '::ffff:127.0.0.1', true],
    ['is trusted by an IPv4-mapped network', ['::ffff:10.0.0.0/104'], '10.1.2.3', true],
    ['is trusted by an IPv6 network', ['fd00::/8'], 'fd12:3456::1', true],
    ['is trusted with a zone', ['fe80::/10'], 'fe80::1%eth0', true],
    ['with IPv6 is not in an IPv4 network', ['0.0.0.0/0'], '2001:db8::1', false],
    ['with IPv4 is not in an IPv6 network', ['::/0'], '192.0.2.1', false],
    ['is trusted by the second entry', ['10.0.0.0/8', '::1'], '0:0:0:0:0:0:0:1', true],
    ['is not trusted without configuration', [], '127.0.0.1', false],
    ['is not trusted without an address', ['0.0.0.0/0'], '', false],
    ['is not trusted by a host name', ['0.0.0.0/0'], 'localhost', false],
  ])('%s', (_, trusted, address, want) => {
    expect(createNetworkCheck(networks(...trusted))(address)).toBe(want);
  });

  it.each([
    ...['', 'localhost', '10.0.0.0/33', '10.0.0/8', '256.1.1.1', '::1/129', ':::', '1::2::3', '1:2:3'],
    ...['10.0.0.0/', '10.0.0.0/-1', '::ffff:10.0.0.0/95', '010.0.0.0/8'],
  ])('%j is refused as a network', (network) => {
    expect(parseNetwork(network)).toBe(undefined);
  });
});

describe('parseIpAddress', () => {
  const dotted = fc
    .array(fc.constantFrom('0', '1', '010', '00', '255', '256'), { minLength: 3, maxLength: 5 })
    .map((parts) => parts.join('.'));

  it('accepts what isIP of node:net accepts', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV4Extended(), fc.ipV6(), fc.string(), dotted), (text) => {
        if (!text.includes('%')) expect(parseIpAddress(text) !== undefined).toBe(isIP(text) !== 0);
      }),
      { numRuns: 300 },
    );
  });
});
