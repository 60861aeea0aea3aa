import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { readIndex } from '../../src/generator/discovery/read-index.ts';
import { toOpenApi } from '../../src/generator/openapi/index.ts';
import {
  classifyOperation,
  findRiskyContent,
  isSecretName,
} from '../../src/generator/openapi/operation-classes.ts';
import { operationsOf } from '../../src/generator/openapi/operations.ts';
import { readSeed } from '../support/documents.ts';
import { readRecorded, wholeShopDocument } from '../support/recorded-indexes.ts';
import { PRETTY_ADDRESS } from '../support/site.ts';

const convert = (index: JsonObject): JsonObject =>
  toOpenApi({ address: PRETTY_ADDRESS, ...readIndex(index) }).document;

const DOCUMENTS: Readonly<Record<string, () => JsonObject>> = {
  'WordPress 7.1': () => convert(readRecorded('wordpress-7.1-index-help.json')),
  'WordPress 6.9 with WooCommerce and BuddyPress': wholeShopDocument,
  'Fluent Boards': () => readSeed('boards'),
  'a log of changes': () => convert(readRecorded('simple-history-index.json')),
  'a site with an assistant and a file manager': () => readSeed('content'),
};

/** All writes of content, reviewed, without the method and the version of a namespace. Everything else must be named. */
const CONTENT = `
  wp posts pages media blocks posts/{} pages/{} media/{} blocks/{} posts/{}/autosaves pages/{}/autosaves blocks/{}/autosaves
  wp media/{}/edit media/{}/post-process comments comments/{} categories categories/{} tags tags/{}
  wp wp_pattern_category wp_pattern_category/{}
  wc products products/{} products/{}/duplicate products/{}/variations products/{}/variations/{}
  wc products/attributes products/attributes/{} products/attributes/{}/terms products/attributes/{}/terms/{}
  wc products/brands products/brands/{} products/categories products/categories/{} products/tags products/tags/{}
  wc products/shipping_classes products/shipping_classes/{} products/reviews products/reviews/{}
  wc coupons coupons/{} orders/{}/notes
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
const REVIEWED = new Set(
  CONTENT.trim()
    .split('\n')
    .flatMap((line) => {
      const [namespace, ...paths] = line.trim().split(' ');
      return paths.map((path) => `/${namespace}/${path}`);
    }),
);

test.each(Object.keys(DOCUMENTS))('of %s, content is what was reviewed', (name) => {
  const document = DOCUMENTS[name]?.() ?? {};
  for (const operation of operationsOf(document)) {
    const { name: found } = classifyOperation(operation, document);
    const path = operation.path
      .replace(/\{[^}]*\}/g, '{}')
      .replace(/^\/core\/v2/, '/wp')
      .replace(/\/v\d(?=\/)/, '');
    if (found === 'content') expect(REVIEWED).toContain(path);
    const isReading = operation.method === 'GET';
    expect(isReading ? ['administration', 'read'] : ['administration', 'content', 'deletion']).toContain(
      found,
    );
    if (operation.method === 'DELETE' || /[/-](?:delete|remove|reset|batch|bulk)\b/.test(operation.path))
      expect({ path: operation.path, found: isReading ? 'deletion' : found }).toMatchObject({
        found: 'deletion',
      });
  }
});

test('reads that fetch an address, create something, test the site or show secrets are none until they are named', () => {
  const document = wholeShopDocument();
  const reads = [...operationsOf(document)].filter(
    (operation) => operation.method === 'GET' && classifyOperation(operation, document).name === 'read',
  );
  const risky =
    /proxy|url-details|site-health|navigation-fallback|checkout|tracker|application-passwords|webhooks|payment_gateways|system_status|block-renderer|magic-link|abilities\/.*run/;
  expect(reads.map(({ path }) => path).filter((path) => risky.test(path))).toEqual([]);
  expect(reads.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/wp/v2/posts', '/wc/v3/orders', '/wc/v3/products/{id}', '/oembed/1.0/embed']),
  );
});

/** Routes of a company's site with Yoast SEO, FluentSMTP and Kadence Blocks, as its index had them. */
test.each([
  ['GET', '/fluent-smtp/outlook_callback', [], 'administration'],
  ['GET', '/yoast/v1/file_size', ['url'], 'administration'],
  ['GET', '/yoast/v1/statistics', [], 'read'],
  ['GET', '/yoast/v1/configuration/check_capability', ['user_id'], 'read'],
  ['POST', '/yoast/v1/alerts/dismiss', ['key'], 'administration'],
  ['POST', '/yoast/v1/configuration/site_representation', ['company_name'], 'administration'],
  ['POST', '/yoast/v1/configuration/enable_tracking', ['tracking'], 'administration'],
  ['POST', '/wp/v2/wp_job_board', ['title', 'content'], 'administration'],
  ['DELETE', '/wp/v2/wp_job_board/(?P<id>[\\d]+)', ['force'], 'deletion'],
  ['POST', '/batch/v1', ['requests'], 'deletion'],
] as const)('of a stranger, %s %s is classified', (method, path, names, expected) => {
  const args = Object.fromEntries(names.map((name) => [name, { required: false }]));
  const namespace = path === '/batch/v1' ? '' : path.split('/').slice(1, 3).join('/');
  const route = { namespace, methods: [method], endpoints: [{ methods: [method], args }] };
  const document = convert({ namespaces: ['wp/v2'], routes: { [path]: route } });
  expect([...operationsOf(document)].map((operation) => classifyOperation(operation, document).name)).toEqual(
    [expected],
  );
});

const POST = { path: '/wp/v2/posts/{id}' };

test.each([
  [{ status: 'trash' }, 'deletion'],
  [{ title: 'trash', content: 'Delete and reset: words of a text', status: 'draft' }, undefined],
  [{ meta: { roles: ['administrator'] } }, 'administration'],
  [{ images: [{ src: 'https://other.example/?d=a@b.example' }] }, 'administration'],
  [{ images: [{ src: 'https://site.example/sun.png' }] }, undefined],
  [{ content: '<p>Hello <a href="https://other.example/">there</a></p>' }, undefined],
  [{ content: '<script>fetch("/")</script>' }, 'administration'],
  [{ content: '<p onclick="a()">' }, 'administration'],
  [{ content: '<img src="https://other.example/?d=1">' }, 'administration'],
  [{ content: '<img src="//other.example/?d=1">' }, 'administration'],
  [{ content: '<img src="https://site.example/sun.png">' }, undefined],
  [{ content: '<div style="background: url(https://other.example/?d=1)">' }, 'administration'],
  [{ content: 'First line\nhttps://other.example/?d=1\n' }, 'administration'],
  [{ content: 'See https://other.example/ for more, or https://site.example/?p=7#top' }, undefined],
  [{ content: 'See https://other.example/a@b.example for more' }, 'administration'],
  [{ content: '<p>Hello <a href="https://other.example/?d=1">there</a></p>' }, 'administration'],
  [{ content: { raw: '<a href="//other.example?d=1">' } }, 'administration'],
  [{ content: 'See https:/&#47;other.example/?d=1 for more' }, 'administration'],
  [{ content: 'Either/or&nbsp;both, 1/2 // a comment, <a href="/?p=7&amp;b=1">a</a>' }, undefined],
  [{ title: 'https://other.example/?d=1', excerpt: 'See https://other.example/?d=1 here' }, undefined],
  [{ content: '<!-- wp:rss {"feedURL":"https://other.example/"} /-->' }, 'administration'],
  [{ content: { raw: '[embed]https://other.example/[/embed]' } }, 'administration'],
  [{ content: '<svg/onload=alert(1)>' }, 'administration'],
  [{ content: '<p title=">" onclick=alert(1)>' }, 'administration'],
  [{ content: '<a href="java&#115;cript:alert(1)">' }, 'administration'],
  [{ content: '<a href="java\tscript:alert(1)">' }, 'administration'],
  [{ content: '<style>@import "//other.example"</style>' }, 'administration'],
  [{ content: '<img/src=//other.example/?d=1>' }, 'administration'],
  [{ content: '<img src="/\\other.example/?d=1">' }, 'administration'],
  [{ content: '<img src="//other.example/" data="//site.example/">' }, 'administration'],
  [{ content: '<p>a</p><p>https://other.example/?d=1</p>' }, 'administration'],
  [{ images: [{ src: 'other.example/?d=a@b.example' }] }, 'administration'],
  [{ images: [{ src: '{https://other.example/?d=1' }] }, 'administration'],
  [{ images: [{ src: '/wp-content/uploads/sun.png' }] }, undefined],
  [{ 'images[0][src]': 'https://other.example/?d=1' }, 'administration'],
  [{ 'content[raw]': '[embed]https://other.example/[/embed]' }, 'administration'],
  [{ content: '<figure class="on"><img src="//site.example/a.png" alt="It&#8217;s"/></figure>' }, undefined],
  [{ content: '<p style="color: red">a</p><ul><li>b</li></ul><br/>' }, undefined],
  [{ content: '<!-- wp:image {"id":7} --><!--more-->' }, undefined],
  [{ content: '<img srcset="https://site.example/a.png 1x, /b.png 2x">' }, undefined],
  [{ content: '<img srcset="//site.example/a.png 1x, //other.example/b.png 2x">' }, 'administration'],
  [{ content: '<img src="///other.example/?d=1">' }, 'administration'],
  [{ content: '<img src="https:&#47;&#47;other.example/?d=1">' }, 'administration'],
  [{ content: '<a href="&Tab;javas&#99;ript:alert(1)">' }, 'administration'],
  [{ content: '<p data-wp-on--click="actions.run">a</p>' }, 'administration'],
  [{ content: '<p style="position: fixed">a</p>' }, 'administration'],
  [{ content: '<!-- wp:some-plugin/form /-->' }, 'administration'],
  [{ content: '<!-- wp:cover {"url":"\\u002f\\u002fother.example"} -->' }, 'administration'],
  [{ content: '<!--> <script>alert(1)</script> -->' }, 'administration'],
  [{ content: '<?php echo 1; ?>' }, 'administration'],
  [{ title: 'Less < more, and a <3' }, undefined],
  [{ note: 'x', customer_note: true }, 'administration'],
  [{ customer_note: 'false' }, undefined],
  [[{ force: true }], 'deletion'],
  [{ status: 'auto-draft' }, 'deletion'],
  [{ status: ' Tr.ash' }, 'deletion'],
  [{ force: '!' }, 'deletion'],
  // Each of them is an address of other.example once WordPress has left out what no address has.
  [{ images: [{ src: 'https:/{/other.example/?d=1' }] }, 'administration'],
  [{ images: [{ src: 'https:/%0a/other.example/?d=1' }] }, 'administration'],
  [{ images: [{ src: '{}other.example/?d=1' }] }, 'administration'],
  [{ images: [{ src: 'öther.example/?d=1' }] }, 'administration'],
  [{ images: [{ src: 'https://site.example@other.example/' }] }, 'administration'],
  [{ images: [{ id: 7, src: '' }, { src: 'HTTPS://Site.Example?p=7' }] }, undefined],
  [{ content: 'a\n\fhttps://other.example/\n' }, 'administration'],
  [{ content: 'a\nht\u0001tps://other.example/\n' }, 'administration'],
  [{ content: `<p class="${'a'.repeat(300)}"> https://other.example/ </p>` }, 'administration'],
  [{ content: '[video src="//other.example/a.mp4"]' }, 'administration'],
  [{ content: `[a title="${'a'.repeat(600)}" src="https://other.example/"]` }, 'administration'],
  [{ content: 'First line\r\n\tsecond [1], [see below]' }, undefined],
] as const)('what %j does in a post is %s', (sent, expected) => {
  const found = findRiskyContent(POST, structuredClone(sent) as never, ['site.example']).map(
    ({ name }) => name,
  );
  expect(found.includes('deletion') ? 'deletion' : found[0]).toBe(expected);
});

test('a page can link to other servers: only posts make the site ask for what they link to', () => {
  const sent = { content: 'See https://other.example/?d=1 for more' };
  expect(findRiskyContent({ path: '/wp/v2/pages' }, sent, [])).toEqual([]);
});

test.each([
  ['client_secret', true],
  ['clientSecret', true],
  ['test_secret_key', true],
  ['stripePrivateKey', true],
  ['smtp-password', true],
  ['accessToken', true],
  ['publishable_key', false],
  ['next_page_token', false],
  ['tokenize', false],
])('the member %s is a secret: %s', (name, expected) => {
  expect(isSecretName(name)).toBe(expected);
});

const PIECES = [
  '<a ',
  '//',
  '<a src="',
  '[a ',
  'url(',
  '\nhttps://',
  '<!-- wp:',
  '<p>',
  '     ',
  '<p a="',
  ' a=b',
];
test.each(PIECES)('a text of many %j is read in linear time', (piece) => {
  const begin = performance.now();
  findRiskyContent(POST, { content: piece.repeat(20_000) }, []);
  expect(performance.now() - begin).toBeLessThan(5_000);
});
