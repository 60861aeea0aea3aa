import { describe, expect, test } from 'vitest';
import { contentSite } from '../../../src/example/index.ts';

const site = contentSite({ base: 'http://localhost' });
const PAGE = '/wp-admin/authorize-application.php';
const CREDENTIALS = { login: 'editor', password: 'demo-editor-password' };

/** Sends the form of the page. */
function submit(fields: Readonly<Record<string, string>>): Promise<Response> | Response {
  return site.request(PAGE, { method: 'POST', body: new URLSearchParams(fields) });
}

async function whoseIs(login: string, password: string): Promise<number> {
  const headers = { authorization: `Basic ${btoa(`${login}:${password}`)}` };
  return (await site.request('/wp-json/core/v2/posts?context=edit&per_page=1', { headers })).status;
}

describe('the authorization page', () => {
  test('names the application that asks', async () => {
    const page = await (
      await site.request(`${PAGE}?app_name=%3Cb%3E&success_url=https://example.com/`)
    ).text();
    expect(page).toContain('&lt;b&gt; asks for a password of Harbour Notes.');
    expect(page).toContain('name="success_url" value="https://example.com/"');
  });

  test('sends a new password to the application, with which it signs in until the site is reset', async () => {
    const success_url = 'https://example.com/back?state=1';
    const response = await submit({ ...CREDENTIALS, success_url, approve: '1' });
    expect(response.status).toBe(302);
    const { origin, searchParams } = new URL(response.headers.get('location') ?? '');
    expect(origin).toBe('https://example.com');
    const { password = '', ...others } = Object.fromEntries(searchParams);
    expect(others).toEqual({ state: '1', site_url: 'http://localhost', user_login: 'editor' });
    expect(password).toMatch(/^(?:[a-z0-9]{4} ?){6}$/);
    expect(await whoseIs('editor', password)).toBe(200);
    expect(await whoseIs('admin', password)).toBe(401);
    site.reset();
    expect(await whoseIs('editor', password)).toBe(401);
  });

  test('names the site as its clients know it', async () => {
    const headers = {
      'x-forwarded-host': 'example.com',
      'x-forwarded-proto': 'https',
      'x-forwarded-prefix': '/content',
    };
    const body = new URLSearchParams({ ...CREDENTIALS, success_url: 'https://example.com/', approve: '1' });
    const response = await site.request(PAGE, { method: 'POST', headers, body });
    const { searchParams } = new URL(response.headers.get('location') ?? '');
    expect(searchParams.get('site_url')).toBe('https://example.com/content');
  });

  test('shows the password if there is no address to send it to', async () => {
    const page = await (await submit({ ...CREDENTIALS, approve: '1' })).text();
    const [, password = ''] = /<code>([a-z0-9 ]+)<\/code>/.exec(page) ?? [];
    expect(await whoseIs('editor', password)).toBe(200);
  });

  test.each([
    [{ success_url: 'https://example.com/' }, 'https://example.com/?success=false'],
    [{ success_url: 'https://example.com/', reject_url: 'app://no' }, 'app://no'],
  ])('sends a refusal of %j to %s', async (fields, location) => {
    const response = await submit({ ...CREDENTIALS, ...fields, reject: '1' });
    expect([response.status, response.headers.get('location')]).toEqual([302, location]);
  });

  test.each([
    [{ password: 'guessed' }, 403],
    [{ login: 'nobody' }, 403],
    [{ success_url: 'http://example.com/' }, 400],
    [{ success_url: 'javascript:alert(1)' }, 400],
    [{ success_url: 'nowhere' }, 400],
    [{ success_url: 'http://127.0.0.1:3000/' }, 302],
  ])('answers %j with %d', async (fields, status) => {
    const response = await submit({ ...CREDENTIALS, ...fields, approve: '1' });
    expect(response.status).toBe(status);
    if (status !== 302) expect(response.headers.has('location')).toBe(false);
  });
});

describe('an access link', () => {
  async function follow(method = 'GET'): Promise<{ redirect: string; cookie: string }> {
    const headers = { authorization: `Basic ${btoa('admin:demo-admin-password')}` };
    const created = await site.request('/wp-json/ext-a/v1/admin-access', { method: 'POST', headers });
    const { nonce } = await created.json();
    const response = await site.request(`/wp-json/ext-a/v1/admin-access/${nonce}`, { method });
    const { redirect = '' } = method === 'HEAD' ? {} : await response.json();
    return { redirect, cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
  }

  test('signs a browser in where it leads to, for an hour', async () => {
    const { redirect, cookie } = await follow();
    const open = async (headers = {}): Promise<[number, string]> => {
      const response = await site.request(redirect, { headers });
      return [response.status, await response.text()];
    };
    expect(await open({ cookie: `a=b; ${cookie}` })).toEqual([
      200,
      expect.stringContaining('Signed in as Ada Lindqvist.'),
    ]);
    expect(await open()).toEqual([403, expect.stringContaining('Nobody is signed in')]);
    expect((await open({ cookie: `${cookie}x` }))[0]).toBe(403);
    site.clock.advance(3_600_000);
    expect((await open({ cookie }))[0]).toBe(403);
    site.clock.set(null);
  });

  test('signs nobody in by HEAD', async () => {
    expect((await follow('HEAD')).cookie).toBe('');
  });
});
