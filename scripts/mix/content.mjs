// @ts-check
import { ORACLE_AGENT } from './oracle.mjs';

/** @typedef {{ readonly id: number, readonly path: string, readonly product?: number }} Post a post, and the product that is written in its place */
/** @typedef {(path: string, body?: object) => Promise<any>} Rest */

/**
 * Returns a function that requests a REST route as a user: POST if there is a body.
 *
 * @param {string} origin
 * @param {string} authorization
 * @returns {Rest}
 */
export function createRest(origin, authorization) {
  return async (path, body) => {
    const response = await fetch(`${origin}/wp-json${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization, 'user-agent': ORACLE_AGENT, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}

/** @param {string} text */
const readNumber = (text) => /\d+/.exec(text)?.[0] ?? '';

/** What a write of each kind sends. @type {Record<string, (rest: Rest, post: Post, text: string) => Promise<unknown>>} */
export const WRITES = {
  excerpt: (rest, { id }, text) => rest(`/wp/v2/posts/${id}`, { excerpt: text }),
  comment: (rest, { id }, text) => rest('/wp/v2/comments', { post: id, content: text }),
  title: (rest, { id }, text) => rest(`/wp/v2/posts/${id}`, { title: text }),
  content: (rest, { id }, text) => rest(`/wp/v2/posts/${id}`, { content: `<p>${text}</p>` }),
  publish: (rest, _, text) => rest('/wp/v2/posts', { title: text, content: text, status: 'publish' }),
  price: (rest, { product }, text) => rest(`/wc/v3/products/${product}`, { regular_price: readNumber(text) }),
  stock: (rest, { product }, text) =>
    rest(`/wc/v3/products/${product}`, { manage_stock: true, stock_quantity: Number(readNumber(text)) }),
};

/**
 * Adds content to a new site: posts and comments, and products if it is a shop.
 *
 * @param {string} site origin
 * @param {string} authorization of an administrator
 * @returns what can be written and bought, and the addresses that are read, the most frequent first
 */
export async function fillSite(site, authorization) {
  const rest = createRest(site, authorization);
  await addContent(rest);
  const products = await addProducts(rest);
  /** @type {(route: string) => Promise<Post[]>} */
  const list = async (route) =>
    (await rest(`/wp/v2${route}`)).map((/** @type {any} */ { id, link }) => ({
      id,
      path: new URL(link).pathname,
    }));
  const posts = (await list('/posts?per_page=30&_fields=id,link')).map((post, index) => {
    const product = products[index % products.length]?.id;
    return { ...post, ...(product !== undefined && { product }) };
  });
  const hasMembers = (await fetch(`${site}/members/`, { headers: { 'user-agent': ORACLE_AGENT } })).ok;
  // The shop and BuddyPress have pages of their own.
  const pages = await list('/pages?slug=about,team&_fields=id,link');
  return { posts, products, addresses: listAddresses(posts, pages, products, hasMembers) };
}

/**
 * Adds posts and comments to the new site, so that it has 40 public posts.
 *
 * @param {Rest} rest
 */
async function addContent(rest) {
  const categories = await rest('/wp/v2/categories?_fields=id');
  for (let n = 1; n <= 18; n += 1) {
    const { id } = await rest('/wp/v2/posts', {
      title: `Later post ${n}`,
      content: `<!-- wp:paragraph --><p>${`Sentence of the later post ${n}. `.repeat(30)}</p><!-- /wp:paragraph -->`,
      status: 'publish',
      categories: [categories[n % categories.length].id],
      date_gmt: new Date(Date.UTC(2024, 1, n, 12)).toISOString().slice(0, 19),
    });
    if (n % 2 === 0) await rest('/wp/v2/comments', { post: id, content: `A comment on post ${n}.` });
  }
}

/**
 * Adds products to a site with WooCommerce, and returns them.
 *
 * @param {Rest} rest
 * @returns {Promise<Post[]>}
 */
async function addProducts(rest) {
  const { namespaces } = await rest('/?_fields=namespaces');
  if (!namespaces.includes('wc/v3')) return [];
  const categories = [];
  for (const name of ['Cups', 'Plates', 'Spoons'])
    categories.push(await rest('/wc/v3/products/categories', { name }));
  const products = [];
  for (let n = 1; n <= 12; n += 1) {
    const { id, permalink } = await rest('/wc/v3/products', {
      name: `Product ${n}`,
      regular_price: `${10 + n}`,
      short_description: `Product ${n} in short.`,
      description: `<p>${`Sentence of product ${n}. `.repeat(20)}</p>`,
      categories: [{ id: categories[n % 3].id }],
    });
    products.push({ id, path: new URL(permalink).pathname });
  }
  return products;
}

/**
 * Lists the addresses that are read, the most frequent first.
 *
 * @param {readonly Post[]} posts
 * @param {readonly Post[]} pages
 * @param {readonly Post[]} products
 * @param {boolean} hasMembers
 */
function listAddresses(posts, pages, products, hasMembers) {
  const rest = '/wp-json/wp/v2';
  const shop = [
    '/shop/',
    '/wp-json/wc/store/products',
    '/product-category/cups/',
    '/product-category/plates/',
  ];
  return [
    ...[
      '/',
      '/feed/',
      '/comments/feed/',
      '/page/2/',
      '/page/3/',
      '/?s=post',
      '/author/editor/',
      '/category/news/',
    ],
    ...[
      '/wp-sitemap.xml',
      '/wp-sitemap-posts-post-1.xml',
      `${rest}/posts`,
      `${rest}/posts?per_page=5&_embed`,
    ],
    ...['pages', 'categories', 'tags', 'comments', 'users', 'search?search=post'].map(
      (route) => `${rest}/${route}`,
    ),
    ...(products.length > 0 ? shop : []),
    ...(hasMembers ? ['/members/', '/activity/'] : []),
    ...posts.map(({ path }) => path),
    ...products.map(({ path }) => path),
    ...pages.map(({ path }) => path),
    ...posts.slice(0, 15).flatMap(({ id }) => [`${rest}/posts/${id}`, `${rest}/comments?post=${id}`]),
    ...products.slice(0, 6).map(({ id }) => `/wp-json/wc/store/products/${id}`),
    ...[
      '/category/recipes-more/',
      '/category/news/local/',
      '/tag/red/',
      '/tag/green/',
      '/author/administrator/',
    ],
    ...['/2024/', '/2024/01/', '/2024/02/', '/page/4/', `${rest}/posts?page=2`, `${rest}/media`],
    ...['/wp-sitemap-taxonomies-category-1.xml', '/category/news/feed/', `${posts[1]?.path}feed/`],
  ];
}
