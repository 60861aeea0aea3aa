import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import type { WriteRule } from '../../../src/base/option-types.ts';
import TABLE from '../../../src/gateway/wordpress/writes.json' with { type: 'json' };
import {
  createWriteRules,
  keepsAddress,
  type PurgedByWrite,
  type SiteWrite,
} from '../../../src/gateway/wordpress/writes.ts';

/** Each row of `writes.json` has a write that it decides, and a write of another plugin or kind that it leaves alone. */

interface Answer {
  readonly status?: number;
  readonly location?: string;
  readonly json?: Json;
}

/** @param line method and address @param sent parameters of the query or a form, or the text of a body */
function write(
  line: string,
  sent: Readonly<Record<string, Json>> | string = {},
  answer: Answer = {},
): SiteWrite {
  const { json, location, status = 200 } = answer;
  const [method = '', target = ''] = line.split(' ');
  const [address = '', query = ''] = target.split('?');
  return {
    ...{ method, address, query, status, json: () => json },
    parameters: typeof sent === 'string' ? null : new Map(Object.entries(sent)),
    body: typeof sent === 'string' ? sent : null,
    headers: location === undefined ? [] : ['Location', location],
  };
}

interface Row {
  readonly decided: SiteWrite;
  readonly purges: PurgedByWrite;
  readonly other: SiteWrite;
  /** Whether the sender is proved to edit. @default true, so that other writes purge everything */
  readonly isEditor?: boolean;
}

const AJAX = 'POST /wp-admin/admin-ajax.php';
const SHOP = ['~products', '/wc/store', '/wc/v3/products', '/wp/v2/product'];
const COMMENT = { comment_post_ID: '7' };
const saved = (status: string): Answer => ({ status: 201, json: { id: 9, status } });
const ofPost = (id: number) => [`/wp/v2/posts/${id}`, `/wp/v2/pages/${id}`];

const ROWS: Readonly<Record<string, Row>> = {
  upgrades: {
    decided: write('POST /wp/v2/plugins/akismet', {}, { status: 200 }),
    purges: ['/', '!code-files'],
    other: write('POST /acme/v1/plugins'),
  },
  comments: {
    isEditor: false,
    decided: write('POST /wp-comments-post.php', COMMENT, { status: 302, location: '/hello/#comment-5' }),
    purges: [...ofPost(7), '=/wp/v2/comments', 'A/hello/'],
    other: write('POST /wp-comments-post.php', COMMENT, { status: 302, location: '/hello/?unapproved=5' }),
  },
  'comments of the REST API': {
    isEditor: false,
    decided: write('POST /wp/v2/comments', { post: 7 }, { status: 201, json: { status: 'approved' } }),
    purges: ofPost(7),
    other: write('POST /wp/v2/comments', { post: 7 }, { status: 201, json: { status: 'hold' } }),
  },
  'orders of the Store API': {
    isEditor: false,
    decided: write('POST /wc/store/v1/checkout', {}, { json: { order_id: 5 } }),
    purges: SHOP,
    other: write('PUT /wc/store/v1/checkout', {}, { json: { order_id: 5 } }),
  },
  'orders by script': {
    isEditor: false,
    decided: write('POST /?wc-ajax=checkout', {}, { json: { result: 'success' } }),
    purges: SHOP,
    other: write('POST /?wc-ajax=checkout', {}, { json: { result: 'failure' } }),
  },
  'orders by form': {
    isEditor: false,
    decided: write(
      'POST /pay/',
      { 'woocommerce-pay-nonce': '1' },
      { status: 302, location: '/?key=wc_order_1' },
    ),
    purges: SHOP,
    other: write('POST /pay/', { 'acme-pay-nonce': '1' }, { status: 302, location: '/?key=wc_order_1' }),
  },
  // wp-media/wp-rocket#7205
  carts: {
    decided: write('POST /wc/store/v1/cart/add-item'),
    purges: 'nothing',
    other: write('POST /cocart/v2/cart/add-item'),
  },
  'carts by form': {
    decided: write('POST /thing/', { 'add-to-cart': '120' }),
    purges: 'nothing',
    other: write('POST /thing/', { 'edd-add-to-cart': '120' }),
  },
  // wp-media/wp-rocket#7950
  'items that no visitor sees': {
    decided: write('POST /wp/v2/posts', {}, saved('future')),
    purges: 'nothing',
    other: write('POST /wp/v2/posts', {}, saved('publish')),
  },
  drafts: {
    decided: write('PUT /wp/v2/posts/9', {}, { json: { status: 'draft', slug: '' } }),
    purges: 'nothing',
    other: write('PUT /wp/v2/posts/9', { slug: '' }, { json: { status: 'draft', slug: '' } }),
  },
  // WordPress/gutenberg#10084
  'autosaves, revisions and passwords': {
    decided: write('POST /wp/v2/posts/7/autosaves'),
    purges: 'nothing',
    other: write('POST /acme/v1/posts/7/autosaves'),
  },
  'preferences of the editor': {
    decided: write('PUT /wp/v2/users/me', '{"meta":{"persisted_preferences":{}}}'),
    purges: 'nothing',
    other: write('PUT /wp/v2/users/me', '{"meta":{"acme_biography":"a"}}'),
  },
  logins: {
    decided: write('POST /wp-login.php', {}, { status: 302, location: '/wp-admin/' }),
    purges: 'nothing',
    other: write('POST /acme-login/', {}, { status: 302, location: '/wp-admin/' }),
  },
  'actions of the editor': {
    decided: write(AJAX, { action: 'heartbeat' }),
    purges: 'nothing',
    other: write(AJAX, { action: 'acme-save' }),
  },
  // cabrerahector/wordpress-popular-posts, dcooney/wordpress-ajax-load-more
  'counters of page views': {
    decided: write('POST /wordpress-popular-posts/v2/views/1'),
    purges: 'nothing',
    other: write('POST /acme/v2/views/1'),
  },
  'Koko Analytics': {
    decided: write('POST /', { action: 'koko_analytics_collect' }),
    purges: 'nothing',
    other: write('POST /', { action: 'acme_collect' }),
  },
  'queries of GraphQL': {
    decided: write('POST /graphql', '{"query":"query { posts { id } }"}'),
    purges: 'nothing',
    other: write('POST /graphql', '{"query":"mutation { a }"}'),
  },
};

const decide = createWriteRules([]);

test('each row of writes.json has its example', () => {
  expect(Object.keys(ROWS).sort()).toEqual(TABLE.rows.map(({ name }) => name).sort());
});

test.each(TABLE.rows)(
  'writes.json decides $name, and no other write',
  ({ keepsAddress: keeps = false, name }) => {
    const { decided, isEditor = true, other, purges } = ROWS[name] as Row;
    expect(decide(decided, isEditor)).toEqual(purges);
    expect(isEditor ? ['everything'] : ['page', 'nothing']).toContain(decide(other, isEditor));
    expect([keepsAddress(decided), keepsAddress(other)]).toEqual([keeps, false]);
  },
);

describe('cache.writes', () => {
  test.each<[string, readonly WriteRule[], PurgedByWrite]>([
    ['by its method', [{ match: 'PUT /shop/v1/*', purges: 'nothing' }], 'nothing'],
    ['and no other method', [{ match: 'POST /shop/v1/*', purges: 'nothing' }], 'everything'],
    [
      'with a template, which stands for all below it',
      [{ match: '/shop/*', purges: ['/forum/v1/topics/{id}'] }],
      ['/forum/v1/topics', 'P/forum/v1/topics'],
    ],
    [
      'with the first rule',
      [
        { match: '/shop/*', purges: 'nothing' },
        { match: '*', purges: 'everything' },
      ],
      'nothing',
    ],
  ])('decides a write %s', (_, rules, purges) => {
    expect(createWriteRules(rules)(write('PUT /shop/v1/products/3'), true)).toEqual(purges);
  });
});
