import { beforeEach, describe, expect, test } from 'vitest';
import { memberAt, startBoardClient } from './board-client.ts';

const { site, call } = startBoardClient();
beforeEach(() => site.reset());

describe('settings of the site', () => {
  test('no response contains the key of the provider', async () => {
    const settings = { provider: 'anthropic', api_key: 'very-secret', enabled: true };
    const { body } = await call('POST', '/ai/settings', { as: 'admin', body: settings });
    expect(body).toMatchObject({ provider: 'anthropic', has_api_key: true });
    const read = await call('GET', '/ai/settings', { as: 'admin' });
    expect(JSON.stringify([body, read.body])).not.toContain('very-secret');
  });

  test('the key is stored until it is replaced or removed', async () => {
    const as = 'admin';
    await call('POST', '/ai/settings', { as, body: { provider: 'openai', api_key: 'k' } });
    await call('POST', '/ai/settings', { as, body: { tone: 'formal' } });
    expect(site.state().settings.ai.apiKey).toBe('k');
    await call('POST', '/ai/settings', { as, body: { api_key: '' } });
    expect(memberAt((await call('GET', '/ai/settings', { as })).body, 'has_api_key')).toBe(false);
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

  test('settings of one user do not change those of another', async () => {
    await call('PUT', '/update-dashboard-view-settings', { as: 'editor', body: { layout: 'list' } });
    expect(
      memberAt((await call('GET', '/get-dashboard-view-settings', { as: 'admin' })).body, 'layout'),
    ).toBe('grid');
  });

  test('resetting a board restores the global notifications', async () => {
    await call('POST', '/tasks/task-tabs/config', { as: 'editor', body: { tabs: ['files'] } });
    site.reset();
    expect(
      memberAt((await call('GET', '/tasks/task-tabs/config', { as: 'editor' })).body, 'tabs'),
    ).toHaveLength(5);
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
