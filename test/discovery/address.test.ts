import { describe, expect, test } from 'vitest';
import { toSiteAddress } from '../../src/discovery/address.ts';

describe('the address of a site', () => {
  // A regular expression would take minutes.
  test.each([
    ['home', 'http://a.test/wp-json/', `http://a.test/${'/'.repeat(500_000)}x`],
    ['root', `http://a.test/${'a'.repeat(500_000)}/b//`, 'http://a.test/'],
  ])('is read in linear time with a long %s', (_, root, home) => {
    const address = toSiteAddress(new URL(root), { home, routes: {} });
    expect(address.root).toBe(root);
    expect(address.aliases).toEqual([`${home}${home.endsWith('/') ? '' : '/'}`]);
  });

  test.each([
    ['http://a.test/api/', 'api', 'http://a.test/'],
    ['http://a.test/blog/index.php/api/', 'api', 'http://a.test/blog/'],
    ['http://a.test/', '', 'http://a.test/'],
  ])('of the root %s has the last segment as its prefix', (root, prefix, base) => {
    expect(toSiteAddress(new URL(root), {})).toEqual({ base, root, spelling: 'pretty', prefix });
  });
});
