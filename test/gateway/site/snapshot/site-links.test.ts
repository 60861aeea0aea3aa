import { expect, test } from 'vitest';
import { readMountedSiteSettings } from '../../../../src/gateway/site/settings.ts';
import {
  describeDocumentAddress,
  describeForeignLinks,
} from '../../../../src/gateway/site/snapshot/discover-snapshot.ts';
import type { SiteAddress } from '../../../../src/generator/discovery/site.ts';
import { signIn } from '../../../pages/console/support/console-client.ts';
import { startGateway, TOKEN } from '../../../support/gateway.ts';
import { runStubSite } from '../../../support/run.ts';
import { readSmallIndex, type StubSite } from '../../../support/stub-site.ts';

interface Settings {
  readonly passthrough?: boolean;
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
  const { hosts, publicUrl, ...options } = settings;
  const gateway = { sites: [], hosts, publicUrl };
  return describeForeignLinks(
    address,
    readMountedSiteSettings({ ...options, passthrough, url: 'http://127.0.0.1:8081' }, gateway),
  );
};
const OWN = 'http://127.0.0.1:8081/';
const PUBLIC = 'https://www.example.com/';

/** What a description says: that pages link past the gateway, that they redirect to themselves, or nothing. */
const ADVICE = {
  past: ['`publicUrl`', '`upstream.host`', 'hosts file', '`WP_HOME`'],
  loop: ['redirects each page to itself', 'Set `upstream.host` to ', 'or `WP_HOME`'],
  nothing: [],
};

test.each<[keyof typeof ADVICE, string, string, readonly string[], Settings]>([
  ['past', 'to the address that the gateway connects to', OWN, [], {}],
  [
    'past',
    'to another port of the public name',
    OWN,
    [`${PUBLIC.slice(0, -1)}:8443/`],
    { publicUrl: PUBLIC },
  ],
  ['past', 'to a host that is not served', OWN, [PUBLIC], { hosts: ['blog.example.com'] }],
  ['past', 'to the address behind a public URL', OWN, [], { publicUrl: PUBLIC }],
  ['past', 'in the administration only', OWN, [PUBLIC, 'http://127.0.0.1:8081/wp/'], { publicUrl: PUBLIC }],
  ['nothing', 'if only routes are served', OWN, [], { passthrough: false }],
  ['nothing', 'if they link to the public URL', PUBLIC, [], { publicUrl: PUBLIC }],
  ['nothing', 'if they link to a served host', PUBLIC, [], { hosts: ['*.example.com'] }],
  ['nothing', 'as far as is known, if the gateway may be where they link to', PUBLIC, [], {}],
  // WordPress adds the port of home to the host that it is told.
  ['loop', 'the host of the site and no port', OWN, [PUBLIC], { publicUrl: PUBLIC }],
  ['loop', 'another port (WordPress/wordpress-develop#6342)', PUBLIC, ['https://www.example.com:8443/'], {}],
])('pages link past the gateway, or redirect to themselves: %s %s', (kind, _, base, aliases, settings) => {
  const text = describeLinks(toAddress(base, ...aliases), settings);
  expect(text === null).toBe(kind === 'nothing');
  for (const part of ADVICE[kind]) expect(text).toContain(part);
  if (kind === 'loop') expect(text).toContain(new URL(aliases[0] ?? '').host);
});

test('the log says so once, and the console', async () => {
  let version = 0;
  const site: StubSite = await runStubSite({
    index: () => ({ ...readSmallIndex(), home: site.origin, url: site.origin, description: `${version}` }),
  });
  const options = { document: undefined, cache: {}, url: site.url, inMemory: true };
  const { gateway, request, warnings } = await startGateway(options);
  version += 1;
  await gateway.rediscover();
  expect(warnings).toEqual([expect.stringContaining(`link to ${site.origin}, so visitors leave`)]);
  const client = await signIn(request, TOKEN);
  expect(await (await client.get('/-/console/sites/default/traffic')).text()).toContain(
    `link to ${site.origin}, so visitors leave`,
  );
});

test.each([
  ['another host', { url: 'http://127.0.0.1:8081/' }, true],
  ['its host', { url: 'http://127.0.0.1:8081/', upstream: { host: 'www.example.com' } }, false],
  ['its host without TLS', { url: 'http://www.example.com/' }, false],
])('a document of a site that is asked at %s', (_, site, isMisplaced) => {
  const settings = readMountedSiteSettings(site, { sites: [] });
  const description = describeDocumentAddress(toAddress(PUBLIC), settings);
  expect(description?.includes('`upstream.host`') ?? false).toBe(isMisplaced);
});
