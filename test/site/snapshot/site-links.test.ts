import { describe, expect, test } from 'vitest';
import type { SiteAddress } from '../../../src/discovery/site.ts';
import { createGateway } from '../../../src/gateway/index.ts';
import { describeForeignLinks } from '../../../src/site/snapshot/site-links.ts';
import { signIn } from '../../console/support/console-client.ts';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { readSmallIndex, startStubSite } from '../../support/stub-site.ts';

interface Settings {
  readonly passthrough?: boolean;
  readonly rewriteBodies?: boolean;
  readonly publicUrl?: string;
  readonly hosts?: readonly string[];
}
const toAddress = (base: string, ...aliases: readonly string[]) => ({
  base,
  root: `${base}wp-json/`,
  spelling: 'pretty' as const,
  prefix: 'wp-json',
  ...(aliases.length === 0 ? {} : { aliases }),
});
const describeLinks = (address: SiteAddress, { passthrough = true, ...settings }: Settings) => {
  const { hosts = [], publicUrl, ...options } = settings;
  return describeForeignLinks(
    address,
    { ...options, passthrough },
    'http://127.0.0.1:8081',
    publicUrl,
    hosts,
  );
};
const OWN = 'http://127.0.0.1:8081/';
const PUBLIC = 'https://www.example.com/';

describe('pages link past the gateway', () => {
  test.each<[string, string, readonly string[], Settings]>([
    ['to the address that the gateway connects to', OWN, [], {}],
    ['to another port of the public name', OWN, ['https://www.example.com:8443/'], { publicUrl: PUBLIC }],
    ['to a host that is not served', OWN, [PUBLIC], { hosts: ['blog.example.com'] }],
    ['to the address behind a public URL', OWN, [], { publicUrl: PUBLIC }],
    ['in the administration only', OWN, [PUBLIC, 'http://127.0.0.1:8081/wp/'], { publicUrl: PUBLIC }],
  ])('%s', (_, base, aliases, settings) => {
    const text = describeLinks(toAddress(base, ...aliases), settings);
    for (const name of ['`publicUrl`', '`upstream.host`', '`rewriteBodies: true`', '`WP_HOME`']) {
      expect(text).toContain(name);
    }
  });
});

describe('pages do not link past the gateway', () => {
  test.each<[string, string, readonly string[], Settings]>([
    ['if only routes are served', OWN, [], { passthrough: false }],
    ['if their links are rewritten', OWN, [], { rewriteBodies: true }],
    ['if they link to the public URL', PUBLIC, [], { publicUrl: PUBLIC }],
    ['if they link to a served host', PUBLIC, [], { hosts: ['*.example.com'] }],
    ['as far as is known, if the gateway may be where they link to', PUBLIC, [], {}],
  ])('%s', (_, base, aliases, settings) => {
    expect(describeLinks(toAddress(base, ...aliases), settings)).toBeNull();
  });
});

describe('pages redirect to themselves, because WordPress adds the port of home to the host that it is told', () => {
  test.each<[string, string, readonly string[], Settings]>([
    ['the public name and the port of the site (O10)', PUBLIC, [OWN], { rewriteBodies: true }],
    ['the host of the site and no port', OWN, [PUBLIC], { publicUrl: PUBLIC }],
    ['another port (WordPress/wordpress-develop#6342)', PUBLIC, ['https://www.example.com:8443/'], {}],
  ])('%s', (_, base, aliases, settings) => {
    const text = describeLinks(toAddress(base, ...aliases), settings);
    expect(text).toContain('redirects each page to itself');
    expect(text).toContain(`Set \`upstream.host\` to ${new URL(aliases[0] ?? '').host}, or \`WP_HOME\``);
  });
});

test('the log says so once, and the console', async () => {
  let version = 0;
  const site = await startStubSite({
    index: () => ({ ...readSmallIndex(), home: site.origin, url: site.origin, description: `${version}` }),
  });
  const warnings: string[] = [];
  const gateway = createGateway({
    sites: [{ url: site.url, passthrough: true }],
    admin: { token: 'admin' },
    log: { info() {}, error() {}, warn: (_, text) => warnings.push(text) },
  });
  closeAfterTest(site.close, gateway.stop);
  for (version = 0; version < 2; version += 1) await gateway.rediscover();
  expect(warnings).toEqual([expect.stringContaining(`link to ${site.origin}, past the gateway`)]);
  const client = await signIn(async (path, init) => gateway.request(path, init), 'admin');
  expect(await (await client.get('/-/console/')).text()).toContain(
    `link to ${site.origin}, past the gateway`,
  );
});
