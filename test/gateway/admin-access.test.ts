import { describe, expect, test } from 'vitest';
import { startOnce } from '../support/close-after-test.ts';
import { networks, startGateway } from '../support/gateway.ts';
import { runEchoSite } from '../support/run.ts';

/** Addresses of the administration, and what visitors use of it. */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const ADDRESSES = {
  closed: [
    ...words(`
      /wp-admin /wp-admin/ /wp-admin/users.php //wp-admin/ /%77p-admin/ /WP-ADMIN/a.php /wp-admin%2Fusers.php
      /blog/wp-admin/ /wp-admin/users.php/wp-admin/admin-ajax.php /wp-login /wp-login.php //wp-login.php
      /WP-LOGIN.PHP /wp-login.php/ /wp-login.php/%0A /wp-login.php%0A /wp-login.php?action=login
      /wp-login.php?action=lostpassword /wp-login.php?action=register /wp-login.php?action[]=rp
      /wp-login.php?Action=rp /wp-login.php?action=RP /wp-login.php?key=a /wp-admin/css/x.php /wp-admin/js
      /wp-admin/admin-ajax.php%0A`),
    // The last one counts, PHP reads other spellings of the name, and WordPress prefers another variable.
    ...words('action=login %61ction=login +action=login action%00x=login action[]=a a=1;checkemail=1').map(
      (second) => `/wp-login.php?action=rp&${second}`,
    ),
    `/wp-login.php?${'a&'.repeat(1000)}action=rp`,
    // Networks' rules for nginx run the second script.
    ...words(`
      /x.php/wp-login.php /x.php/wp-admin/users.php /x.php%2Fwp-admin/ /x.php/wp-login.php?action=rp
      /wp-admin/admin-ajax.php/wp-login.php /wp-login.php/wp-admin/admin-ajax.php`),
  ],
  open: [
    ...words('postpass logout rp resetpass confirmaction').map((name) => `/wp-login.php?action=${name}`),
    ...words(`
      /wp-login.php?login=a&key=b&%61ction=r%70 /blog/wp-login.php?action=rp //wp-login.php?action=rp
      /wp-admin/js/password-strength-meter.min.js?ver=6 /wp-admin/css/login.min.css /wp-admin/images/a.png
      /wp-admin/admin-ajax.php?action=a /wp-admin//admin-post.php /blog/wp-admin/admin-ajax.php
      /wp-admin/load-styles.php?load=a /wp-admin/load-scripts.php?load=a / /wp-admin-bar/ /wp-login-page/
      /?action=login /wp-content/a.css`),
  ],
};

const post = (body: string, type = 'application/x-www-form-urlencoded'): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'content-type': type },
});
const multipart = (name: string): RequestInit =>
  post(
    `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nlogin\r\n--X--\r\n`,
    'multipart/form-data; boundary=X',
  );

/** Forms to `wp-login.php`, in whose fields PHP looks for the action first. */
const FORMS: readonly (readonly [why: string, query: string, init: RequestInit, status: number])[] = [
  [
    'the password of a post',
    '?action=postpass',
    post('post_password=a&redirect_to=%2Fb%3Faction%3Dlogin'),
    200,
  ],
  ['a new password', '?action=resetpass', post('pass1=a&pass2=a&rp_key=b'), 200],
  ['a new password, multipart', '?action=resetpass', multipart('pass1'), 200],
  ['a login', '', post('log=a&pwd=b'), 403],
  ['an action of the form only', '', post('action=postpass'), 403],
  ['another action', '?action=postpass', post('log=a&pwd=b&action=login'), 403],
  ['another action, encoded', '?action=postpass', post('log=a&pwd=b&%20%61ction=login'), 403],
  ['another action after 300 KiB', '?action=postpass', post(`a=${'x'.repeat(300 * 1024)}&action=login`), 403],
  ['another action, multipart', '?action=postpass', multipart('action'), 403],
];

describe('access.admin on a gateway', () => {
  const run = startOnce(async () => {
    const { origin: url, received } = await runEchoSite();
    const options = {
      access: { admin: networks('192.0.2.0/24') },
      gateway: { trust: networks('127.0.0.1') },
    };
    const { request } = await startGateway({ ...options, document: undefined, url });
    const send = async (client: string, path: string, { headers, ...init }: RequestInit = {}) => {
      const response = await request(path, { ...init, headers: { ...headers, 'x-forwarded-for': client } });
      const body = await response.text();
      return [path, response.status, response.status === 403 ? JSON.parse(body).code : undefined];
    };
    return { send, received };
  });
  const [operator, visitor] = ['192.0.2.7', '198.51.100.7'];

  test('closes the administration to visitors, in every spelling, but for what their pages use', async () => {
    const { received, send } = await run();
    // The third time, the target is remembered.
    for (let time = 0; time < 3; time++)
      for (const path of ADDRESSES.closed)
        expect(await send(visitor, path)).toEqual([path, 403, 'gateway_access_denied']);
    expect(received).toEqual([]);
    for (const path of ADDRESSES.open) expect(await send(visitor, path)).toEqual([path, 200, undefined]);
    for (const path of ADDRESSES.closed) expect(await send(operator, path)).toEqual([path, 200, undefined]);
  });

  test.each(FORMS)('decides about %s', async (_why, query, init, status) => {
    const { received, send } = await run();
    received.length = 0;
    expect((await send(visitor, `/wp-login.php${query}`, init))[1]).toBe(status);
    expect(received.length).toBe(status === 200 ? 1 : 0);
    expect((await send(operator, `/wp-login.php${query}`, init))[1]).toBe(200);
  });
});
