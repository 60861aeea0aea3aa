import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json.ts';
import { memberAt, startBoardClient } from './board-client.ts';

const { site, call } = startBoardClient();
beforeEach(() => site.reset());

describe('settings of the site', () => {
  test('the assistant follows its settings', async () => {
    const advise = () =>
      call('POST', '/projects/1/tasks/1/ai-assist', { as: 'editor', body: { action: 'summarize' } });
    const change = (body: JsonObject) => call('POST', '/ai/settings', { as: 'admin', body });
    const text = async () => String(memberAt((await advise()).body, 'text'));
    const neutral = await text();
    await change({ tone: 'formal' });
    expect(await text()).toBe(`We recommend the following. ${neutral}`);
    await change({ tone: 'neutral', max_words: 5 });
    expect(await text()).toBe(`${neutral.split(' ').slice(0, 5).join(' ')} …`);
    await change({ enabled: false });
    expect(await advise()).toMatchObject({ status: 403, body: { code: 'feature_disabled' } });
  });

  test.each([
    ['/ai/settings', { enabled: false }, 'ai'],
    ['/admin/mcp/toggle', { enabled: true }, 'mcp'],
  ])('%s switches the feature module', async (path, body, feature) => {
    const modules = async () =>
      memberAt((await call('GET', '/admin/feature-modules', { as: 'admin' })).body, 'modules', feature);
    await call('POST', path, { as: 'admin', body });
    expect(await modules()).toBe(body.enabled);
    await call('POST', '/admin/feature-modules', { as: 'admin', body: { [feature]: !body.enabled } });
    const status = feature === 'ai' ? '/ai/settings' : '/admin/mcp/status';
    expect(memberAt((await call('GET', status, { as: 'admin' })).body, 'enabled')).toBe(!body.enabled);
  });

  test('the MCP adapter is one plugin, wherever it is installed', async () => {
    const body = { plugin: 'mcp-adapter' };
    await call('POST', '/admin/feature-modules/install-plugin', { as: 'admin', body });
    const { body: status } = await call('GET', '/admin/mcp/status', { as: 'admin' });
    expect(memberAt(status, 'adapter_installed')).toBe(true);
  });

  test('the page settings change the page that shows the roadmap', async () => {
    const body = { title: 'Our <plans>', accent_color: '#123456', page_id: 3 };
    await call('POST', '/admin/roadmap/page-settings', { as: 'admin', body });
    const page = await (await site.request('/feature-ideas/')).text();
    expect(page).toContain('<h1 style="color:#123456">Our &lt;plans&gt;</h1>');
    expect(page).toContain('<li>');
  });

  test('a setting decides who creates boards', async () => {
    const create = async (as: 'editor' | 'subscriber') =>
      (await call('POST', '/projects', { as, body: { title: 'New' } })).status;
    await call('POST', '/admin/general-settings', { as: 'admin', body: { board_creators: 'everyone' } });
    expect(await create('subscriber')).toBe(201);
    await call('POST', '/admin/general-settings', {
      as: 'admin',
      body: { board_creators: 'administrators' },
    });
    expect(await create('editor')).toBe(403);
  });

  test('new boards have the default currency', async () => {
    await call('POST', '/admin/general-settings', { as: 'admin', body: { default_currency: 'PLN' } });
    const { body } = await call('POST', '/projects', { as: 'editor', body: { title: 'New' } });
    expect(memberAt(body, 'currency')).toBe('PLN');
  });

  test.each([
    ['crm', 'GET', '/projects/1/crm-contacts'],
    ['folders', 'GET', '/admin/folders'],
    ['time_tracking', 'GET', '/projects/1/tasks/1/time-tracks'],
  ])('switch the module %s off', async (feature, method, path) => {
    expect((await call(method, path, { as: 'admin' })).status).toBe(200);
    await call('POST', '/admin/feature-modules', { as: 'admin', body: { [feature]: false } });
    const { status, body } = await call(method, path, { as: 'admin' });
    expect([status, memberAt(body, 'code')]).toEqual([403, 'feature_disabled']);
  });

  test('the MCP endpoint is shown once it is switched on and the adapter is installed', async () => {
    const as = 'admin';
    const endpoint = async () => memberAt((await call('GET', '/admin/mcp/status', { as })).body, 'endpoint');
    await call('POST', '/admin/mcp/toggle', { as, body: { enabled: true } });
    expect(await endpoint()).toBeNull();
    await call('POST', '/admin/mcp/install-adapter', { as });
    expect(await endpoint()).toMatch(/\/mcp\/boards$/);
    const { body } = await call('GET', '/admin/mcp/config-snippet', { as });
    expect(JSON.parse(String(memberAt(body, 'snippet')))).toHaveProperty('mcpServers.boards.url');
  });
});

describe('settings of a user', () => {
  test('global notifications apply to boards without their own', async () => {
    const as = 'subscriber';
    await call('PUT', '/projects/1/update-notification-settings', { as, body: { due_soon: false } });
    await call('POST', '/update-global-notification-settings', { as, body: { task_moved: true } });
    expect((await call('GET', '/projects/1/notification-settings', { as })).body).toMatchObject({
      task_moved: true,
      due_soon: false,
      overrides: ['due_soon'],
    });
    await call('PUT', '/projects/1/update-notification-settings', { as, body: { reset: true } });
    expect((await call('GET', '/projects/1/notification-settings', { as })).body).toMatchObject({
      overrides: [],
    });
  });

  test('the dashboard sets the default order and selection of boards', async () => {
    const list = async () =>
      [(await call('GET', '/projects', { as: 'admin' })).body]
        .flat()
        .map((board) => String(memberAt(board, 'title')));
    const before = await list();
    const body = { sort: 'title', show_archived: true };
    await call('PUT', '/update-dashboard-view-settings', { as: 'admin', body });
    const titles = await list();
    expect(titles).toEqual(
      titles.toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)),
    );
    expect(titles.length).toBeGreaterThan(before.length);
  });

  test('settings of one user do not change those of another', async () => {
    await call('PUT', '/update-dashboard-view-settings', { as: 'editor', body: { layout: 'list' } });
    expect(
      memberAt((await call('GET', '/get-dashboard-view-settings', { as: 'admin' })).body, 'layout'),
    ).toBe('grid');
  });

  test('resetting a board restores the global notifications', async () => {
    await call('POST', '/tasks/task-tabs/config', { as: 'editor', body: { tabs: ['comments'] } });
    site.reset();
    expect(
      memberAt((await call('GET', '/tasks/task-tabs/config', { as: 'editor' })).body, 'tabs'),
    ).toHaveLength(3);
  });

  test('options contain only items of the client’s boards', async () => {
    const options = async (as: 'admin' | 'subscriber') => {
      const { body } = await call('GET', '/ajax-options', {
        as,
        query: { option_key: 'boards', limit: 100 },
      });
      return [body].flat().map((option) => memberAt(option, 'id'));
    };
    expect(await options('subscriber')).toEqual([1, 2, 3, 6, 7]);
    expect(await options('admin')).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});
