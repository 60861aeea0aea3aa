/** A request to a page or a file. `FormData` gets another boundary each time, so multipart bodies are texts. */
type PageRow = readonly [why: string, path: string, init?: RequestInit];

const form = (body: string, type = 'application/x-www-form-urlencoded'): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'Content-Type': type },
});
const multipart = (...parts: readonly (readonly [disposition: string, value: string])[]): RequestInit =>
  form(
    `${parts.map(([disposition, value]) => `--X\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`).join('')}--X--\r\n`,
    'multipart/form-data; boundary=X',
  );

const ROWS: readonly PageRow[] = [
  ['a read', '/about/?b=1&a=2'],
  ['a read of the front page', '/'],
  ['HEAD', '/about/', { method: 'HEAD' }],
  ['OPTIONS', '/about/', { method: 'OPTIONS' }],
  ['DELETE', '/about/?a', { method: 'DELETE' }],
  ['PUT with text', '/about/', { method: 'PUT', body: 'text' }],
  ['PATCH with a form', '/about/', { ...form('rest_route=/wp/v2/posts'), method: 'PATCH' }],
  ['a login form of WooCommerce', '/my-account/', form('username=x&password=x&login=1')],
  ['a form with a query', '/?wc-ajax=add_to_cart', form('product_id=1')],
  ['a form with an empty query', '/about/?', form('a=1')],
  ['an empty form', '/about/', form('')],
  ['a form to index.php', '/index.php/about/?a=1', form('a=1')],
  ['a form to the front page', '/', form('a=1&a=2&b[]=3&b[c]=4')],
  ['a form that escapes', '/%C3%A9t%C3%A9/?q=%2F%20+%26', form('q=%2F%20+%26')],
  ['double slashes', '//about//x/', form('a=1')],
  ['a form of many fields', '/about/', form('a=1&'.repeat(1500))],
  ['a form of 300 KiB', '/about/', form(`a=${'x'.repeat(300 * 1024)}&b=1`)],
  ['a form with a charset', '/about/', form('a=1', 'application/x-www-form-urlencoded; charset=UTF-8')],
  ['a value that names a route', '/about/', form('url=/?rest_route=/wp/v2&xrest_route=1&rest_route_x=2')],
  ['a field of another case', '/about/', form('REST_ROUTE=/wp/v2/posts')],
  ['a multipart form', '/contact/', multipart(['name="a"', '1'], ['name="b[]"', 'é'])],
  [
    'a multipart form with a file',
    '/contact/',
    multipart(['name="rest_route"; filename="a.txt"', 'text'], ['name="a"', '1']),
  ],
  [
    'a multipart form of 300 KiB',
    '/contact/',
    multipart(['name="f"; filename="a.bin"', 'x\r\n'.repeat(100 * 1024)]),
  ],
  ['a multipart form without a boundary', '/contact/', form('a', 'multipart/form-data')],
  ['JSON', '/about/', form('{"rest_route":"/wp/v2/posts"}', 'application/json')],
  ['XML-RPC', '/xmlrpc.php', form('<methodCall/>', 'text/xml')],
  ['a login', '/wp-login.php', form('log=a&pwd=b')],
  // crowdsecurity/hub#861
  ['PATH_INFO behind a script', '/wp-login.php/', form('log=a&pwd=b')],
  // aamplugin/advanced-access-manager#506
  [
    'an encoded address in a form',
    '/wp-login.php',
    form('log=a&redirect_to=https%3A%2F%2Fexample.com%2F%3Fb%3D1'),
  ],
  // WordPress/wordpress-develop#7235, kevinvess/wp-force-login#12, mvied/wordpress-https#37
  ['a query that login plugins copy', '/wp-login.php?redirect_to=%2Fabout%2F%3Fa%3D1&reauth=1', form('a=1')],
  // fastly/WordPress-Plugin#74, Automattic/wp-super-cache#1046
  ['the password of a post', '/wp-login.php?action=postpass', form('post_password=secret')],
  // woocommerce/woocommerce#16337
  ['a link that removes from a cart', '/cart/?remove_item=0123456789abcdef&_wpnonce=0123456789'],
  ['a file', '/wp-includes/css/buttons.css?ver=6.4'],
  ['a form to an administration page', '/wp-admin/admin-ajax.php?a=1', form('action=heartbeat')],
];

/** Requests whose address PHP must see as the client sent it. A name of a report says where another proxy or plugin failed on it. */
export const PAGE_REQUESTS: readonly (readonly [why: string, path: string, init: RequestInit])[] = ROWS.map(
  ([why, path, init = {}]) => [why, path, init],
);
