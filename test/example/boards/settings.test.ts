import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json.ts';
import { startBoardClient } from '../support/site-client.ts';

const { site, call } = startBoardClient();
beforeEach(() => site.reset());

describe('settings of the site', () => {
  test('the assistant follows its settings', async () => {
    const advise = () => call('editor', 'POST /projects/1/tasks/1/ai-assist', { action: 'summarize' });
    const change = (body: JsonObject) => call('admin', 'POST /ai/settings', body);
    const text = async () => (await advise()).body.text;
    const neutral = await text();
    await change({ tone: 'formal' });
    expect(await text()).toBe(`We recommend the following. ${neutral}`);
    await change({ tone: 'neutral', max_words: 5 });
    expect(await text()).toBe(`${neutral.split(' ').slice(0, 5).join(' ')} …`);
    await change({ enabled: false });
    expect((await advise()).outcome).toBe('403 feature_disabled');
  });

  test.each([
    ['/ai/settings', { enabled: false }, 'ai'],
    ['/admin/mcp/toggle', { enabled: true }, 'mcp'],
  ])('%s switches the feature module', async (path, body, feature) => {
    const modules = async () => (await call('admin', 'GET /admin/feature-modules')).body.modules[feature];
    await call('admin', `POST ${path}`, body);
    expect(await modules()).toBe(body.enabled);
    await call('admin', 'POST /admin/feature-modules', { [feature]: !body.enabled });
    const status = feature === 'ai' ? '/ai/settings' : '/admin/mcp/status';
    expect((await call('admin', `GET ${status}`)).body.enabled).toBe(!body.enabled);
  });

  test('the MCP adapter is one plugin, wherever it is installed', async () => {
    const body = { plugin: 'mcp-adapter' };
    await call('admin', 'POST /admin/feature-modules/install-plugin', body);
    const { body: status } = await call('admin', 'GET /admin/mcp/status');
    expect(status.adapter_installed).toBe(true);
  });

  test('the page settings change the page that shows the roadmap', async () => {
    const body = { title: 'Our <plans>', accent_color: '#123456', page_id: 3 };
    await call('admin', 'POST /admin/roadmap/page-settings', body);
    const page = await (await site.request('/feature-ideas/')).text();
    expect(page).toContain('<h1 style="color:#123456">Our &lt;plans&gt;</h1>');
    expect(page).toContain('<li>');
  });

  test('a setting decides who creates boards', async () => {
    const create = async (as: 'editor' | 'subscriber') =>
      (await call(as, 'POST /projects', { title: 'New' })).status;
    await call('admin', 'POST /admin/general-settings', { board_creators: 'everyone' });
    expect(await create('subscriber')).toBe(201);
    await call('admin', 'POST /admin/general-settings', { board_creators: 'administrators' });
    expect(await create('editor')).toBe(403);
  });

  test('new boards have the default currency', async () => {
    await call('admin', 'POST /admin/general-settings', { default_currency: 'PLN' });
    const { body } = await call('editor', 'POST /projects', { title: 'New' });
    expect(body.currency).toBe('PLN');
  });

  test.each([
    ['crm', 'GET', '/projects/1/crm-contacts'],
    ['folders', 'GET', '/admin/folders'],
    ['time_tracking', 'GET', '/projects/1/tasks/1/time-tracks'],
  ])('switch the module %s off', async (feature, method, path) => {
    expect((await call('admin', `${method} ${path}`)).status).toBe(200);
    await call('admin', 'POST /admin/feature-modules', { [feature]: false });
    const { status, body } = await call('admin', `${method} ${path}`);
    expect([status, body.code]).toEqual([403, 'feature_disabled']);
  });

  test('the MCP endpoint is shown once it is switched on and the adapter is installed', async () => {
    const as = 'admin';
    const endpoint = async () => (await call(as, 'GET /admin/mcp/status')).body.endpoint;
    await call(as, 'POST /admin/mcp/toggle', { enabled: true });
    expect(await endpoint()).toBeNull();
    await call(as, 'POST /admin/mcp/install-adapter');
    expect(await endpoint()).toMatch(/\/mcp\/boards$/);
    const { body } = await call(as, 'GET /admin/mcp/config-snippet');
    expect(JSON.parse(body.snippet)).toHaveProperty('mcpServers.boards.url');
  });
});

describe('settings of a user', () => {
  test('global notifications apply to boards without their own', async () => {
    const as = 'subscriber';
    await call(as, 'PUT /projects/1/update-notification-settings', { due_soon: false });
    await call(as, 'POST /update-global-notification-settings', { task_moved: true });
    expect((await call(as, 'GET /projects/1/notification-settings')).body).toMatchObject({
      task_moved: true,
      due_soon: false,
      overrides: ['due_soon'],
    });
    await call(as, 'PUT /projects/1/update-notification-settings', { reset: true });
    expect((await call(as, 'GET /projects/1/notification-settings')).body).toMatchObject({ overrides: [] });
  });

  test('the dashboard sets the default order and selection of boards', async () => {
    const list = async () => [(await call('admin', 'GET /projects')).body].flat().map((board) => board.title);
    const before = await list();
    const body = { sort: 'title', show_archived: true };
    await call('admin', 'PUT /update-dashboard-view-settings', body);
    const titles = await list();
    expect(titles).toEqual(
      titles.toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)),
    );
    expect(titles.length).toBeGreaterThan(before.length);
  });

  test('settings of one user do not change those of another', async () => {
    await call('editor', 'PUT /update-dashboard-view-settings', { layout: 'list' });
    expect((await call('admin', 'GET /get-dashboard-view-settings')).body.layout).toBe('grid');
  });

  test('resetting a board restores the global notifications', async () => {
    await call('editor', 'POST /tasks/task-tabs/config', { tabs: ['comments'] });
    site.reset();
    expect((await call('editor', 'GET /tasks/task-tabs/config')).body.tabs).toHaveLength(3);
  });

  test('options contain only items of the client’s boards', async () => {
    const options = async (as: 'admin' | 'subscriber') => {
      const { body } = await call(as, 'GET /ajax-options?option_key=boards&limit=100');
      return [body].flat().map((option) => option.id);
    };
    expect(await options('subscriber')).toEqual([1, 2, 3, 6, 7]);
    expect(await options('admin')).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});
