import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWordPress, type WordPress } from '../../scripts/wordpress/start.mjs';
import type { SiteAddress } from '../../src/discovery/site.ts';
import type { RequestHead } from '../../src/http/request-head.ts';
import { createOperationMatcher, type OperationMatcher } from '../../src/router/matcher.ts';
import { createTargetResolver, type ResolvedTarget } from '../../src/router/target.ts';
import { createUpstreamAddressing, type UpstreamAddressing } from '../../src/upstream/addressing.ts';
import { ask, type Meaning } from './echo-site.ts';
import { type RouteRow, served } from './served-api.ts';
import { inWords, TABLE } from './target-cases.ts';

/** A site, and the three steps of the gateway that are tried against it. */
interface Trial {
  readonly wordpress: WordPress;
  readonly port: number;
  readonly resolve: (head: RequestHead) => ResolvedTarget;
  readonly matcher: OperationMatcher;
  readonly addressing: UpstreamAddressing;
}

interface TrialOptions {
  readonly permalinks: 'pretty' | 'plain';
  readonly subfolder?: string;
  readonly mount: string;
}

const muPlugins = fileURLToPath(new URL('mu-plugins', import.meta.url));

async function startTrial({ permalinks, subfolder, mount }: TrialOptions): Promise<Trial> {
  const wordpress = await startWordPress({
    permalinks,
    muPlugins,
    ...(subfolder === undefined ? {} : { subfolder }),
  });
  const base = wordpress.url;
  const root = permalinks === 'pretty' ? `${base}wp-json/` : `${base}index.php?rest_route=/`;
  const site: SiteAddress = { base, root, spelling: permalinks, prefix: 'wp-json' };
  const index: { namespaces: string[]; routes: Record<string, { namespace: string; methods: string[] }> } =
    await (await fetch(root)).json();
  const rows = Object.entries(index.routes).map(
    ([key, route]): RouteRow => [key, route.namespace, route.methods],
  );
  const matcher = createOperationMatcher(served(rows, index.namespaces));
  return {
    wordpress,
    port: Number(new URL(base).port),
    resolve: createTargetResolver({
      mount,
      site,
      passthrough: true,
      discovery: true,
      hasRoute: matcher.hasRoute,
    }),
    matcher,
    addressing: createUpstreamAddressing(site),
  };
}

/** Sends a request as the gateway would, and holds the site to what the gateway took it for. */
async function throughGateway(
  trial: Trial,
  head: RequestHead,
  body: string,
): Promise<[ResolvedTarget, Meaning | null]> {
  const target = trial.resolve(head);
  if (target.kind === 'route') {
    const address = trial.addressing.routeTarget(target.route, target);
    const meaning = await ask(trial.port, { ...head, target: address }, body);
    // A mismatch between the query and the form is WordPress's to refuse.
    if (target.hasFormBody && meaning.kind === 'other') {
      expect(meaning.status).toBe(400);
      return [target, meaning];
    }
    const match = trial.matcher.match(target.method, target.route);
    expect(meaning).toEqual({
      kind: 'route',
      route: target.route,
      method: target.method,
      matched: match.kind === 'found' ? match.route.pattern : null,
    });
    return [target, meaning];
  }
  if (target.kind === 'page') {
    const address = trial.addressing.pageTarget(target.path, target.query, target.hasFormBody);
    const meaning = await ask(trial.port, { ...head, target: address }, body);
    expect(meaning.kind).toBe('other');
    return [target, meaning];
  }
  return [target, null];
}

describe.each<TrialOptions>([
  { permalinks: 'pretty', mount: '' },
  { permalinks: 'pretty', subfolder: 'blog', mount: '/content' },
  { permalinks: 'plain', mount: '' },
])('a real site: $permalinks, in $subfolder, mounted at "$mount"', (options) => {
  let trial: Trial;
  beforeAll(async () => {
    trial = await startTrial(options);
  });
  afterAll(() => trial?.wordpress.stop());

  const sitePath = options.subfolder === undefined ? '' : `/${options.subfolder}`;
  /** The same request below a prefix; `http://host` has no path yet. */
  const below = (prefix: string, head: RequestHead): RequestHead => ({
    ...head,
    target: head.target
      .replace(/^(http:\/\/[^/?]+)(?!\/|[^?])/i, '$1/')
      .replace(/^(http:\/\/[^/?]+)?(?=\/)/i, `$1${prefix}`),
  });

  it.each(TABLE.map((row) => [row.why, row.head.method, row.head.target.slice(0, 80), row] as const))(
    '%s: %s %j',
    async (_why, _method, _target, { head, body, means, differs }) => {
      const [target, ours] = await throughGateway(trial, below(options.mount, head), body);
      expect(inWords(target)).toBe(means);
      // Addresses that a site without permalinks does not have are the gateway's.
      if (differs === 'gateway' || (options.permalinks === 'plain' && inWords(target).startsWith('route')))
        return;
      const directly = await ask(trial.port, below(sitePath, head), body);
      if (differs === 'server') {
        expect(directly).toMatchObject({ kind: 'other', front: null });
      } else if (differs === 'smuggled') {
        expect(directly).not.toMatchObject({ kind: 'route', route: '/echo/v1/one/x' });
        expect(ours).toMatchObject({ kind: 'other', status: 400 });
      } else if (ours !== null) {
        expect(ours).toEqual(directly);
      }
    },
  );

  it('never takes a request for something else than the site does, whatever it is made of', async () => {
    const piece = fc.constantFrom(
      ...[
        'wp-json',
        'index.php',
        'echo',
        'v1',
        'any',
        'one',
        'x',
        'about',
        'wp',
        'v2',
        'posts',
        '1',
        'rest_route',
        '_method',
      ],
      ...[
        '/',
        '/',
        '/',
        '/',
        '//',
        '?',
        '?',
        '&',
        '&',
        '=',
        '=',
        ';',
        '%2F',
        '%5C',
        '%2e',
        '.',
        '..',
        '%00',
        '%0A',
        '%25',
        '%',
      ],
      ...[
        '+',
        '%20',
        '[',
        ']',
        '[]',
        '%5B',
        '%5F',
        "'",
        '"',
        '\\',
        '\xe9',
        '%C3%A9',
        ':',
        '@',
        '*',
        '|',
        '%3F',
        '%26',
        '%3D',
      ],
      ...[
        '/wp-json/',
        '/index.php/',
        '?rest_route=',
        '&rest_route=/echo/v1/one/x',
        '&_method=DELETE',
        '/echo/v1/any/',
        '/echo/v1/one/',
      ],
    );
    const target = fc
      .tuple(
        fc.constantFrom(
          '/',
          '/wp-json/',
          '/wp-json/echo/v1/any/',
          '/echo/v1/',
          '/?rest_route=/echo/v1/any/',
          '/x?',
        ),
        fc.array(piece, { maxLength: 8 }),
      )
      .map(([start, pieces]) => options.mount + start + pieces.join(''));
    const body = fc.constantFrom('', '', 'a=1', 'rest_route=/echo/v1/one/y', 'rest.route=/echo/v1/one/y');
    const kinds = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(target, body), { minLength: 6, maxLength: 6 }), async (requests) => {
        await Promise.all(
          requests.map(async ([asked, form]) => {
            const headers = form === '' ? [] : ['Content-Type', 'application/x-www-form-urlencoded'];
            const head = { method: form === '' ? 'GET' : 'POST', target: asked, headers };
            const [{ kind }] = await throughGateway(trial, head, form);
            kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
          }),
        );
      }),
      { numRuns: 40 },
    );
    // It says nothing if all were of one kind.
    for (const kind of ['route', 'page', 'refused']) expect(kinds.get(kind) ?? 0).toBeGreaterThan(10);
  });
});

describe('forms of pages, which carry an empty rest_route so that no other can take effect', () => {
  let trial: Trial;
  beforeAll(async () => {
    trial = await startTrial({ permalinks: 'pretty', mount: '' });
  });
  afterAll(() => trial?.wordpress.stop());

  async function post(path: string, fields: Record<string, string>): Promise<Response> {
    const headers = ['Content-Type', 'application/x-www-form-urlencoded'];
    const target = trial.resolve({ method: 'POST', target: path, headers });
    if (target.kind !== 'page') throw new Error(`${path} was taken for ${inWords(target)}`);
    const address = trial.addressing.pageTarget(target.path, target.query, target.hasFormBody);
    expect(address).toContain('?rest_route=');
    return fetch(trial.addressing.origin + address, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
      headers: { Cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
    });
  }

  it('a log-in works', async () => {
    const { user, loginPassword } = trial.wordpress.users.editor;
    const answer = await post('/wp-login.php', { log: user, pwd: loginPassword, testcookie: '1' });
    expect(answer.status).toBe(302);
    expect(answer.headers.getSetCookie().join()).toContain('wordpress_logged_in_');
    expect(answer.headers.get('Location')).toBe(`${trial.wordpress.url}wp-admin/`);
  });

  it('a comment works', async () => {
    const posts: unknown = await (
      await fetch(`${trial.wordpress.url}wp-json/wp/v2/posts?per_page=1&_fields=id`)
    ).json();
    const [{ id }] = posts as [{ id: number }];
    const answer = await post('/wp-comments-post.php', {
      comment_post_ID: String(id),
      comment: 'Through the gateway.',
      author: 'A reader',
      email: 'reader@example.com',
    });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('Location')).toContain('#comment-');
  });

  it('a password for a post works', async () => {
    const answer = await post('/wp-login.php?action=postpass', {
      post_password: 'secret',
      _wp_http_referer: '/about/',
    });
    expect(answer.status).toBe(302);
    expect(answer.headers.getSetCookie().join()).toContain('wp-postpass_');
  });

  it('a route in the form is refused by WordPress', async () => {
    expect((await post('/about/', { rest_route: '/wp/v2/posts' })).status).toBe(400);
  });
});
