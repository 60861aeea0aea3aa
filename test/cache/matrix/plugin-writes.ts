import { create, type MatrixWrite, post, remove } from './matrix.ts';

/** A write that anonymous clients make. */
const postAnonymously = (name: string, path: string, body: object): MatrixWrite => ({
  ...post(name, path, body),
  isAnonymous: true,
});

const NUMBERS = [1, 2, 3];

/** Reads of a site with the two plugins of `scripts/wordpress/plugins`. `{p1}` to `{p3}` are products. */
export const PLUGIN_READS: readonly string[] = [
  ...[1, 2].map((id) => `/community/v1/boards/${id}`),
  '/community/v1/boards',
  // Responses with nonces are not stored.
  '/community/v1/boards/1/threads',
  '/community/v1/threads',
  ...NUMBERS.map((id) => `/community/v1/threads/${id}`),
  '/community/v1/digest?count=2',
  '/community/v1/members',
  ...[1, 2].map((id) => `/community/v1/members/${id}`),
  '/community/v1/stats',
  '/community/v1/settings',
  ...['store/v1/products', 'catalog/v1/items'].flatMap((path) => [
    `/${path}`,
    `/${path}?group=cups`,
    ...NUMBERS.map((n) => `/${path}?search=product&per_page=${n}`),
    ...NUMBERS.map((n) => `/${path}?max_price=${n}&orderby=title`),
    ...NUMBERS.map((n) => `/${path}/{p${n}}`),
  ]),
  '/store/v1/prices',
  '/store/v1/coupons/TEN',
  '/catalog/v1/summary',
  '/wp/v2/products',
  '/wp/v2/products?_fields=id,shop',
  ...NUMBERS.map((n) => `/wp/v2/products/{p${n}}`),
  '/wp/v2/product-groups',
  ...NUMBERS.map((n) => `/wp/v2/posts?per_page=${n}`),
  '/wp/v2/posts?per_page=3&_fields=id,title',
  ...[10, 11].map((id) => `/wp/v2/posts/${id}?_fields=id,title,content,author`),
  ...[8, 10, 11, 12, 14, 16].map((id) => `/wp/v2/posts/${id}`),
  '/wp/v2/pages',
  ...[30, 31, '{newest}'].map((id) => `/wp/v2/pages/${id}`),
  '/wp/v2/users',
  ...[1, 2].map((id) => `/wp/v2/users/${id}`),
  '/wp/v2/comments',
  '/wp/v2/categories',
  ...[1, 2, 3, 4, 7, 8].map((id) => `/wp/v2/${id > 4 ? 'tags' : 'categories'}/${id}`),
  '/wp/v2/search?search=product',
  '/wp-json/',
  'page:/about/',
];

/** Writes of the plugins, and writes of WordPress that their responses depend on. `n` makes resources and values differ. */
export function pluginWrites(n: number): readonly MatrixWrite[] {
  const thread = 1 + (n % 7);
  const product = `{p${1 + (n % 6)}}`;
  return [
    postAnonymously('a vote', `/community/v1/threads/${thread}/votes`, { value: 1 }),
    create('a new thread', '/community/v1/threads', 'thread', { title: `New ${n}`, board: 1 + (n % 3) }),
    post("a thread's title", `/community/v1/threads/${thread}`, { title: `Thread ${thread} of ${n}` }),
    post("a thread's state", `/community/v1/threads/${thread}`, { state: n % 2 === 1 ? 'closed' : 'open' }),
    post('a post that is written by a thread', `/community/v1/threads/${thread}/publish`, {
      title: `From a thread ${n}`,
    }),
    remove('a deleted thread', '/community/v1/threads/{thread}'),
    create('a new board', '/community/v1/boards', 'board', { title: `Board ${n}` }),
    post("a board's title", '/community/v1/boards/{board}', { title: `Renamed ${n}` }),
    post('a hidden board', `/community/v1/boards/${1 + (n % 2)}`, { state: 'hidden' }),
    post('a board that is shown', `/community/v1/boards/${1 + (n % 2)}`, { state: 'open' }),
    remove('a deleted board', '/community/v1/boards/{board}'),
    post("a member's nickname", `/community/v1/members/${1 + (n % 2)}`, { nickname: `Nick ${n}` }),
    post("a member's name", '/community/v1/members/2', { name: `Ben ${n}` }),
    post("a community's label", '/community/v1/settings', { label: `Label ${n}` }),
    post('an access link', '/community/v1/access-links', {}),
    post("a product's name", `/store/v1/products/${product}`, { name: `Product ${n}` }),
    // Each second one is the lowest, which the summary shows.
    post("a product's price", `/store/v1/products/${product}`, { price: n % 2 === 1 ? n + 0.5 : 1 / n }),
    post("a product's groups", `/store/v1/products/${product}`, {
      groups: n % 2 === 1 ? ['plates'] : ['cups'],
    }),
    post("a product's stock", `/store/v1/products/${product}/stock`, { change: 3 }),
    post('a private product', `/store/v1/products/${product}`, { status: 'private' }),
    post('a product that is published', `/store/v1/products/${product}`, { status: 'publish' }),
    postAnonymously('an order', '/store/v1/orders', { product, quantity: 1 }),
    { name: 'a coupon', method: 'PUT', path: `/store/v1/coupons/C${n}`, body: { percent: 5 } },
    remove('a deleted coupon', `/store/v1/coupons/C${n}`),
    post('the currency', '/store/v1/settings', { currency: n % 2 === 1 ? 'USD' : 'EUR' }),
    create('a new product', '/store/v1/products', 'product', { name: `Fresh ${n}`, price: 2 }),
    remove('a deleted product', '/store/v1/products/{product}?force=true'),
    postAnonymously('an item in a cart', '/store/v1/cart', { items: [product] }),
    ...coreWrites(n, product),
  ];
}

function coreWrites(n: number, product: string): readonly MatrixWrite[] {
  return [
    post("a product's title in wp/v2", `/wp/v2/products/${product}`, { title: `Core product ${n}` }),
    post("a product's meta in wp/v2", `/wp/v2/products/${product}`, { meta: { price: n + 0.25, stock: 9 } }),
    create('a review of a product', '/wp/v2/comments', 'review', { post: product, content: `Good ${n}.` }),
    remove('a deleted review', '/wp/v2/comments/{review}?force=true'),
    post("a group's name", '/wp/v2/product-groups/{group}', { name: `Cups ${n}` }),
    post("a post's title", `/wp/v2/posts/${8 + (n % 5)}`, { title: `Post of ${n}` }),
    post("a post's author", `/wp/v2/posts/${8 + (n % 5)}`, { author: 1 + (n % 2) }),
    post("a user's name", '/wp/v2/users/2', { name: `Editor ${n}` }),
    post("the site's title", '/wp/v2/settings', { title: `Shop ${n}` }),
    post("a category's name", '/wp/v2/categories/4', { name: `Abroad ${n}` }),
    post('a comment on a post', '/wp/v2/comments', { post: 24 + (n % 2), content: `Yes ${n}.` }),
  ];
}
