import { beforeEach, describe, expect, test } from 'vitest';
import { at, startBoards } from './asking.ts';

const { site, ask } = startBoards();
beforeEach(() => site.reset());

describe('settings of the site', () => {
  test('never show the key of the provider again', async () => {
    const given = { provider: 'anthropic', api_key: 'very-secret', enabled: true };
    const { body } = await ask('POST', '/ai/settings', { as: 'admin', body: given });
    expect(body).toMatchObject({ provider: 'anthropic', has_api_key: true });
    const read = await ask('GET', '/ai/settings', { as: 'admin' });
    expect(JSON.stringify([body, read.body])).not.toContain('very-secret');
  });

  test('keep the key until another or none is given', async () => {
    const as = 'admin';
    await ask('POST', '/ai/settings', { as, body: { provider: 'openai', api_key: 'k' } });
    await ask('POST', '/ai/settings', { as, body: { tone: 'formal' } });
    expect(site.state().settings.ai.apiKey).toBe('k');
    await ask('POST', '/ai/settings', { as, body: { api_key: '' } });
    expect(at((await ask('GET', '/ai/settings', { as })).body, 'has_api_key')).toBe(false);
  });

  test('let others make boards, or nobody but administrators', async () => {
    const create = async (as: 'editor' | 'subscriber') =>
      (await ask('POST', '/projects', { as, body: { title: 'New' } })).status;
    await ask('POST', '/admin/general-settings', { as: 'admin', body: { board_creators: 'everyone' } });
    expect(await create('subscriber')).toBe(201);
    await ask('POST', '/admin/general-settings', { as: 'admin', body: { board_creators: 'administrators' } });
    expect(await create('editor')).toBe(403);
  });

  test('give new boards their currency', async () => {
    await ask('POST', '/admin/general-settings', { as: 'admin', body: { default_currency: 'PLN' } });
    const { body } = await ask('POST', '/projects', { as: 'editor', body: { title: 'New' } });
    expect(at(body, 'currency')).toBe('PLN');
  });

  test.each([
    ['crm', 'GET', '/projects/1/crm-contacts'],
    ['folders', 'GET', '/admin/folders'],
    ['time_tracking', 'GET', '/projects/1/tasks/1/time-tracks'],
  ])('switch the module %s off', async (feature, method, path) => {
    expect((await ask(method, path, { as: 'admin' })).status).toBe(200);
    await ask('POST', '/admin/feature-modules', { as: 'admin', body: { [feature]: false } });
    const { status, body } = await ask(method, path, { as: 'admin' });
    expect([status, at(body, 'code')]).toEqual([403, 'feature_disabled']);
  });

  test('let assistants in once they are switched on and the adapter is there', async () => {
    const as = 'admin';
    const endpoint = async () => at((await ask('GET', '/admin/mcp/status', { as })).body, 'endpoint');
    await ask('POST', '/admin/mcp/toggle', { as, body: { enabled: true } });
    expect(await endpoint()).toBeNull();
    await ask('POST', '/admin/mcp/install-adapter', { as });
    expect(await endpoint()).toMatch(/\/mcp\/boards$/);
    const { body } = await ask('GET', '/admin/mcp/config-snippet', { as });
    expect(JSON.parse(String(at(body, 'snippet')))).toHaveProperty('mcpServers.boards.url');
  });
});

describe('settings of a user', () => {
  test('hold on every board that has none of its own', async () => {
    const as = 'subscriber';
    await ask('PUT', '/projects/1/update-notification-settings', { as, body: { due_soon: false } });
    await ask('POST', '/update-global-notification-settings', { as, body: { task_moved: true } });
    expect((await ask('GET', '/projects/1/notification-settings', { as })).body).toMatchObject({
      task_moved: true,
      due_soon: false,
      overrides: ['due_soon'],
    });
    await ask('PUT', '/projects/1/update-notification-settings', { as, body: { reset: true } });
    expect((await ask('GET', '/projects/1/notification-settings', { as })).body).toMatchObject({
      overrides: [],
    });
  });

  test('are not those of another', async () => {
    await ask('PUT', '/update-dashboard-view-settings', { as: 'editor', body: { layout: 'list' } });
    expect(at((await ask('GET', '/get-dashboard-view-settings', { as: 'admin' })).body, 'layout')).toBe(
      'grid',
    );
  });

  test('are as they were after a reset', async () => {
    await ask('POST', '/tasks/task-tabs/config', { as: 'editor', body: { tabs: ['files'] } });
    site.reset();
    expect(at((await ask('GET', '/tasks/task-tabs/config', { as: 'editor' })).body, 'tabs')).toHaveLength(5);
  });

  test('offer only what is on their own boards', async () => {
    const options = async (as: 'admin' | 'subscriber') => {
      const { body } = await ask('GET', '/ajax-options', { as, query: { option_key: 'boards', limit: 100 } });
      return [body].flat().map((option) => at(option, 'id'));
    };
    expect(await options('subscriber')).toEqual([1, 2, 3, 6, 7]);
    expect(await options('admin')).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});
