import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWordPress, type WordPress } from '../../../scripts/wordpress/start.mjs';
import type { RequestHead } from '../../../src/base/http/exchange.ts';
import { runSteps } from '../../../src/base/steps.ts';
import { createRouteTargetBuilder } from '../../../src/gateway/router/request-target.ts';
import {
  createTargetResolver,
  type ResolvedTarget,
  Subsites,
  toOriginForm,
} from '../../../src/gateway/router/target.ts';
import type { SiteAddress } from '../../../src/generator/discovery/site.ts';
import { OperationMatcher } from '../../../src/generator/openapi/matcher.ts';
import { type RunningGateway, startNodeGateway } from '../../support/gateway.ts';
import { sendToSite } from './echo-site.ts';
import { createServedApi, type RouteRow } from './served-api.ts';
import { describeTarget, describeWhole, TARGET_CASES } from './target-cases.ts';

/** A site, and the parts of the gateway that are compared with it. */
interface TestSetup {
  readonly wordpress: WordPress;
  readonly port: number;
  /** With `passthrough`, and without. */
  readonly resolve: (head: RequestHead) => ResolvedTarget;
  readonly resolveAlone: (head: RequestHead) => ResolvedTarget;
  readonly matcher: OperationMatcher;
  readonly build: ReturnType<typeof createRouteTargetBuilder>;
}

interface TestSetupOptions {
  readonly permalinks: 'pretty' | 'plain';
  readonly webServer?: 'nginx' | 'apache';
  readonly subfolder?: string;
  /** Folder of a subsite, below which all requests are sent. */
  readonly subsite?: string;
  readonly mount: string;
}

const muPlugins = fileURLToPath(new URL('mu-plugins', import.meta.url));

async function startSetup({
  permalinks,
  subfolder,
  subsite,
  mount: mountPath,
  webServer = 'nginx',
}: TestSetupOptions): Promise<TestSetup> {
  const wordpress = await startWordPress({
    permalinks,
    webServer,
    muPlugins,
    ...(subfolder === undefined ? {} : { subfolder }),
    ...(subsite === undefined ? {} : { subsites: [subsite] }),
  });
  const base = wordpress.url;
  const root = permalinks === 'pretty' ? `${base}wp-json/` : `${base}index.php?rest_route=/`;
  const site: SiteAddress = { base, root, spelling: permalinks, prefix: 'wp-json' };
  const index: { namespaces: string[]; routes: Record<string, { namespace: string; methods: string[] }> } =
    await (await fetch(root)).json();
  const rows = Object.entries(index.routes).map(
    ([key, route]): RouteRow => [key, route.namespace, route.methods],
  );
  const subsites = new Subsites(base, '/');
  if (subsite !== undefined) {
    const { headers, status } = await fetch(`${base}${subsite}/`);
    const page = { path: `/${subsite}/`, route: null, subsite: '/' };
    subsites.learn('GET', page, { status, reason: '', headers: [...headers].flat() });
  }
  const matcher = runSteps(OperationMatcher.create(createServedApi(rows, index.namespaces)));
  return {
    wordpress,
    port: Number(new URL(base).port),
    resolve: createTargetResolver(
      { mountPath, site, forwardsPages: true, isDiscovered: true },
      subsites.find,
    ),
    resolveAlone: createTargetResolver({ mountPath, site, forwardsPages: false, isDiscovered: true }),
    matcher,
    build: createRouteTargetBuilder(site),
  };
}

const setups = new Map<string, Promise<TestSetup>>();
afterAll(async () => {
  for (const setup of setups.values()) await (await setup).wordpress.stop();
});

/** Provides the site with these options to the tests of a `describe`. Each is started once. */
function useSetup(options: TestSetupOptions): () => TestSetup {
  let setup: TestSetup | undefined;
  beforeAll(async () => {
    const key = JSON.stringify(options);
    const started = setups.get(key) ?? startSetup(options);
    setups.set(key, started);
    setup = await started;
  });
  return () => {
    if (setup === undefined) throw new Error('the site is available within tests only');
    return setup;
  };
}

/** The same request below a prefix; `http://host` has no path yet. */
const below = (prefix: string, head: RequestHead): RequestHead => ({
  ...head,
  target: head.target
    .replace(/^(http:\/\/[^/?]+)(?!\/|[^?])/i, '$1/')
    .replace(/^(http:\/\/[^/?]+)?(?=\/)/i, `$1${prefix}`),
});

const sitePathOf = ({ subfolder, subsite }: Pick<TestSetupOptions, 'subfolder' | 'subsite'>): string =>
  [subfolder, subsite].map((name) => (name === undefined ? '' : `/${name}`)).join('');

const CONNECTION = { peerAddress: '192.0.2.1', protocol: 'http', httpVersion: '1.1' } as const;

/** Sends a request to the site as its client has sent it, and a route as it is built too, and checks that the site reads both alike. */
async function checkMeaning(
  { build, matcher, port, resolve, resolveAlone }: TestSetup,
  options: TestSetupOptions,
  head: RequestHead,
  body: string,
  isRandom = false,
): Promise<ResolvedTarget> {
  const { mount, permalinks, subsite } = options;
  const received = toOriginForm({
    ...below(subsite === undefined ? mount : `/${subsite}`, head),
    ...CONNECTION,
  });
  const [whole, alone] = [resolve(received), resolveAlone(received)];
  // The gateway refuses a form that names a route (`page-forms.test.ts`).
  if (/rest[._]route/.test(body) && 'hasFormBody' in whole && whole.hasFormBody) return whole;
  const check = async (target: ResolvedTarget, sent: string): Promise<void> => {
    if (target.kind !== 'route' && target.kind !== 'page') return;
    const [meaning] = await sendToSite(port, { ...head, target: sent }, body);
    if (target.kind === 'page') return expect(meaning.kind).toBe('other');
    // The web server refuses what is no path to it (`%` to nginx, `%2F` to Apache); the rows say where.
    if (isRandom && meaning.kind === 'other' && meaning.front === null && meaning.status >= 400) return;
    const match = matcher.match(target.method, target.route);
    const matched = match.kind === 'found' ? match.route.pattern : null;
    expect(meaning).toEqual({ kind: 'route', route: target.route, method: target.method, matched });
  };
  const atSite = toOriginForm({ ...below(sitePathOf(options), head), ...CONNECTION });
  // Without permalinks the site has no paths for routes.
  const isPath = whole.kind === 'route' && !whole.isInQuery;
  if (permalinks === 'pretty' || !isPath) await check(whole, atSite.target);
  if (alone.kind === 'route' && subsite === undefined) await check(alone, build(alone));
  return whole;
}

describe.each<TestSetupOptions>([
  { permalinks: 'pretty', mount: '' },
  { permalinks: 'pretty', webServer: 'apache', mount: '' },
  { permalinks: 'pretty', subfolder: 'blog', mount: '/content' },
  { permalinks: 'plain', mount: '' },
  { permalinks: 'pretty', subsite: 'de', mount: '' },
])(
  'a real site: $permalinks, $webServer, in $subfolder, at the subsite $subsite, mounted at "$mount"',
  (options) => {
    const setup = useSetup(options);
    const sitePath = sitePathOf(options);

    // The rows about names in the query have the same code at each site.
    const isFirst = options.permalinks === 'pretty' && sitePath === '' && options.webServer === undefined;
    const cases = TARGET_CASES.filter((row, at) => isFirst || row.differsAtApache || at % 3 === 0);

    it.each(cases.map((row) => [row.why, row.head.method, row.head.target.slice(0, 80), row] as const))(
      '%s: %s %j',
      async (_why, _method, _target, row) => {
        const { body, differs, differsAtApache, head } = row;
        if (differsAtApache && options.webServer === 'apache') return;
        const target = await checkMeaning(setup(), options, head, body);
        expect(describeTarget(target)).toBe(describeWhole(row));
        if (differs === undefined || differs === 'gateway') return;
        const [directly] = await sendToSite(setup().port, below(sitePath, head), body);
        if (differs === 'server') expect(directly).toMatchObject({ kind: 'other', front: null });
        else if (differs === 'unrouted') expect(directly).toMatchObject({ kind: 'other' });
        else expect(directly).not.toMatchObject({ kind: 'route', route: '/echo/v1/one/x' });
      },
    );

    it('interprets random requests like the gateway', async () => {
      const piece = fc.constantFrom(
        ...'wp-json index.php echo v1 any one x about wp v2 posts 1 rest_route _method'.split(' '),
        ...'/ / / / // ? ? & & = = ; %2F %5C %2e . .. %00 %0A %25 %'.split(' '),
        ...`+ %20 [ ] [] %5B %5F ' " \\ \xe9 %C3%A9 : @ * | %3F %26 %3D`.split(' '),
        ...'/wp-json/ /index.php/ ?rest_route= &rest_route=/echo/v1/one/x &_method=DELETE'.split(' '),
        ...['/echo/v1/any/', '/echo/v1/one/'],
      );
      const target = fc
        .tuple(
          fc.constantFrom(
            ...'/ /wp-json/ /wp-json/echo/v1/any/ /echo/v1/ /?rest_route=/echo/v1/any/ /x?'.split(' '),
          ),
          fc.array(piece, { maxLength: 8 }),
        )
        .map(([start, pieces]) => start + pieces.join(''));
      const body = fc.constantFrom('', '', 'a=1', 'rest_route=/echo/v1/one/y', 'rest.route=/echo/v1/one/y');
      const kinds = new Map<string, number>();
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(target, body), { minLength: 6, maxLength: 6 }),
          async (requests) => {
            await Promise.all(
              requests.map(async ([requestTarget, form]) => {
                const headers = form === '' ? [] : ['Content-Type', 'application/x-www-form-urlencoded'];
                const head = { method: form === '' ? 'GET' : 'POST', target: requestTarget, headers };
                const { kind } = await checkMeaning(setup(), options, head, form, true);
                kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
              }),
            );
          },
        ),
        { numRuns: isFirst ? 40 : 10 },
      );
      // Guards against samples of one kind only.
      if (isFirst) expect([...kinds.keys()]).toEqual(expect.arrayContaining(['route', 'page', 'refused']));
    });
  },
);

describe.each(['nginx', 'apache'] as const)(
  'a plugin at %s that authenticates by the address',
  (webServer) => {
    const setup = useSetup({ permalinks: 'pretty', webServer, mount: '' });
    let running: RunningGateway;
    beforeAll(async () => {
      running = await startNodeGateway({
        sites: [{ url: setup().wordpress.url, passthrough: true, cache: {} }],
      });
    });
    afterAll(() => running?.stop());

    const urlencoded = { method: 'POST', body: new URLSearchParams({ title: 'A' }) };
    const multipart = new FormData();
    multipart.append('title', 'A');
    const LESSON = '/members/v1/lessons';

    it.each<[string, RequestInit]>([
      [`/wp-json${LESSON}/1`, urlencoded],
      [`/wp-json${LESSON}/1?b=1`, { method: 'POST', body: multipart }],
      [
        `/wp-json${LESSON}/1`,
        { method: 'POST', body: '{"title":"A"}', headers: { 'Content-Type': 'application/json' } },
      ],
      [`/index.php/wp-json${LESSON}/1`, urlencoded],
      [`/?rest_route=${LESSON}/1`, urlencoded],
      [`/wp-json${LESSON}/a;b`, urlencoded],
      [`/wp-json${LESSON}/a%20b`, {}],
      [`/wp-json${LESSON}/a//b`, {}],
      [`/wp-json${LESSON}/it's`, {}],
      // The check of the plugin passes, and the response must not be stored for the first.
      [`/?rest_route=${LESSON}/2`, {}],
      [`/wp-json${LESSON}/2`, {}],
      [`/index.php?rest_route=${LESSON}/2`, {}],
    ])('%s: the same response as directly, with a token and without', async (path, init) => {
      const send = async (origin: string, token: string | null): Promise<unknown> => {
        const headers = new Headers(init.headers);
        if (token !== null) headers.set('Authorization', token);
        const response = await fetch(origin + path, { ...init, headers });
        return [response.status, await response.json()];
      };
      const site = new URL(setup().wordpress.url).origin;
      const [without, withToken] = [await send(site, null), await send(site, 'Bearer token')];
      for (const token of [null, 'Bearer token', null])
        expect(await send(running.origin, token)).toEqual(token === null ? without : withToken);
    });
  },
);
