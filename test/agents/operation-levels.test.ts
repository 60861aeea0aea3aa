import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { getLevel } from '../../src/generator/openapi/operation-levels.ts';
import { listOperations } from '../../src/generator/openapi/operations.ts';
import { readSeed } from '../support/documents.ts';
import { readRecorded, wholeShopDocument } from '../support/recorded-indexes.ts';
import { generateFrom } from '../support/site.ts';

const convert = (index: JsonObject): JsonObject => generateFrom(index).document;

const DOCUMENTS: Readonly<Record<string, () => JsonObject>> = {
  'WordPress 7.1': () => convert(readRecorded('wordpress-7.1-index-help.json')),
  'WordPress 6.9 with WooCommerce and BuddyPress': wholeShopDocument,
  'Fluent Boards': () => readSeed('boards'),
  'a log of changes': () => convert(readRecorded('simple-history-index.json')),
  'a site with an assistant and a file manager': () => readSeed('content'),
};

/** All writes of the two lower levels, reviewed, without the method and the version of a namespace. */
const DRAFT = `
  wp posts pages media blocks posts/{} pages/{} blocks/{} posts/{}/autosaves pages/{}/autosaves blocks/{}/autosaves
  wp product product/{} product/{}/autosaves buddypress buddypress/{}
  wc products products/{}
`;
const PUBLISH = `
  wp media/{} media/{}/edit media/{}/post-process comments comments/{} categories categories/{} tags tags/{}
  wp menus menus/{} menu-items menu-items/{} menu-items/{}/autosaves navigation navigation/{} navigation/{}/autosaves
  wp wp_pattern_category wp_pattern_category/{} product_cat product_cat/{} product_tag product_tag/{} product_brand product_brand/{}
  wc products/{}/duplicate products/{}/variations products/{}/variations/{}
  wc products/attributes products/attributes/{} products/attributes/{}/terms products/attributes/{}/terms/{}
  wc products/brands products/brands/{} products/categories products/categories/{} products/tags products/tags/{}
  wc products/shipping_classes products/shipping_classes/{} products/reviews products/reviews/{}
  wc coupons coupons/{} orders orders/{} orders/{}/notes
  wc/store cart/add-item cart/apply-coupon cart/coupons cart/items cart/items/{} cart/select-shipping-rate cart/update-item
  buddypress activity activity/{} activity/{}/favorite
  boards projects projects/{} projects/{}/labels projects/{}/labels/{} projects/{}/labels/task projects/{}/stage-create
  boards projects/{}/update-stage/{} projects/{}/re-position-stages projects/{}/drag-stage projects/{}/stage/{}/sort-task
  boards projects/{}/tasks projects/{}/tasks/{} projects/{}/tasks/{}/clone-task projects/{}/tasks/{}/comments
  boards projects/{}/tasks/{}/dates projects/{}/tasks/{}/move-task projects/{}/tasks/{}/move-to-next-stage
  boards projects/{}/tasks/{}/pin projects/{}/tasks/{}/time-tracks projects/{}/tasks/{}/time-tracks/estimated-time
  boards projects/{}/tasks/{}/time-tracks/commit/{} projects/{}/tasks/status-update/{}
  boards projects/{}/tasks/comments/{} projects/{}/tasks/reply/{}
  boards roadmaps/{}/ideas roadmaps/{}/ideas/{}/comments roadmaps/{}/idea/{}/change-stage roadmaps/vote-idea/{}
  boards roadmaps/idea/comments/{}/replies
`;
const toPaths = (lines: string): ReadonlySet<string> =>
  new Set(
    lines
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [namespace, ...paths] = line.trim().split(' ');
        return paths.map((path) => `/${namespace}/${path}`);
      }),
  );
const REVIEWED: Readonly<Record<string, ReadonlySet<string>>> = {
  draft: toPaths(DRAFT),
  publish: toPaths(PUBLISH),
};

test.each(Object.keys(DOCUMENTS))('of %s, drafts and what visitors see are what was reviewed', (name) => {
  for (const { method, path, shared } of listOperations(DOCUMENTS[name]?.() ?? {})) {
    const level = getLevel(shared, method);
    const short = path
      .replace(/\{[^}]*\}/g, '{}')
      .replace(/^\/core\/v2/, '/wp')
      .replace(/\/v\d(?=\/)/, '');
    if (method === 'GET') expect(['manage', 'read']).toContain(level);
    else if (method === 'DELETE' || /[/-](?:delete|remove|reset)\b/.test(path))
      expect({ path, level }).toEqual({ path, level: 'delete' });
    else if (level !== 'manage' && level !== 'delete') expect(REVIEWED[level]).toContain(short);
  }
});

test('reads that fetch an address, create something, test the site or show secrets are more than reads', () => {
  const reads = listOperations(wholeShopDocument()).flatMap(({ method, path, shared }) =>
    getLevel(shared, method) === 'read' ? [path] : [],
  );
  const risky =
    /proxy|url-details|site-health|navigation-fallback|checkout|tracker|application-passwords|webhooks|payment_gateways|system_status|block-renderer|magic-link|abilities\/.*run/;
  expect(reads.filter((path) => risky.test(path))).toEqual([]);
  expect(reads).toEqual(
    expect.arrayContaining(['/wp/v2/posts', '/wc/v3/orders', '/wc/v3/products/{id}', '/oembed/1.0/embed']),
  );
});

const STATUS = { enum: ['publish', 'future', 'draft', 'pending', 'private'] };
const POST = { title: {}, date_gmt: {}, slug: {}, password: {}, status: STATUS };

/** Routes of a company's site with Yoast SEO, FluentSMTP and Kadence Blocks, as its index had them, and of a type that it registered. */
test.each([
  ['GET', '/fluent-smtp/outlook_callback', {}, 'manage'],
  ['GET', '/yoast/v1/file_size', { url: {} }, 'manage'],
  ['GET', '/tools/v1/images', { from: { format: 'uri' } }, 'manage'],
  ['GET', '/tools/v1/images', { url_length: {} }, 'read'],
  ['GET', '/tools/v1/orders/resend', {}, 'manage'],
  ['POST', '/tools/v1/cache/wipe', {}, 'delete'],
  ['POST', '/wp/v2/woo_email/(?P<id>[\\d]+)', POST, 'manage'],
  ['GET', '/yoast/v1/configuration/check_capability', { user_id: {} }, 'read'],
  ['POST', '/yoast/v1/alerts/dismiss', { key: {} }, 'manage'],
  ['POST', '/wp/v2/wp_job_board', { title: {}, content: {} }, 'manage'],
  ['POST', '/wp/v2/job', POST, 'draft'],
  ['POST', '/wp/v2/job', { ...POST, status: { enum: ['publish', 'draft'] } }, 'manage'],
  ['POST', '/jobs/v1/job', POST, 'manage'],
  ['POST', '/wp/v2/skill', { name: {}, slug: {}, description: {} }, 'publish'],
  ['POST', '/wp/v2/skill', { name: {}, slug: {}, description: {}, roles: {} }, 'manage'],
  ['POST', '/batch/v1', { requests: {} }, 'manage'],
] as const)('the level of %s %s with %j is %s', (method, path, args, expected) => {
  const namespace = path === '/batch/v1' ? '' : path.split('/').slice(1, 3).join('/');
  const route = {
    namespace,
    methods: [method],
    endpoints: [{ methods: [method], args: structuredClone(args) }],
  };
  const document = convert(JSON.parse(JSON.stringify({ namespaces: ['wp/v2'], routes: { [path]: route } })));
  expect(listOperations(document).map(({ shared }) => getLevel(shared, method))).toEqual([expected]);
});

test('an operation that can run several routes has the level of the one that can do most', () => {
  const route = (args: JsonObject): JsonObject => ({
    ...{ namespace: 'demo/v1', methods: ['GET'] },
    endpoints: [{ methods: ['GET'], args }],
  });
  const routes = {
    '/demo/v1/things/(?P<id>[\\d]+)': route({}),
    '/demo/v1/things/(?P<id>[a-z]+)': route({ feed: { type: 'string' } }),
  };
  const found = listOperations(convert({ name: 'A site', namespaces: ['demo/v1'], routes }));
  expect(found.map(({ path, shared }) => [path, getLevel(shared, 'GET')])).toEqual([
    ['/demo/v1/things/{id}', 'manage'],
  ]);
});

test('without a level, as in a document of another program, nothing is known of an operation', () => {
  expect([getLevel({}, 'GET'), getLevel({}, 'DELETE')]).toEqual(['manage', 'delete']);
});
