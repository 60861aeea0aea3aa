const { data: before } = await client.GET('/boards/v2/get-dashboard-view-settings', { throw: true });
const { data: after } = await client.PUT('/boards/v2/update-dashboard-view-settings', {
  body: { layout: before.layout === 'grid' ? 'list' : 'grid', widgets: ['my_tasks', 'activity'] },
  throw: true,
});
assert.notEqual(after.layout, before.layout);
assert.deepEqual(after.widgets, ['my_tasks', 'activity']);
// What was read can be written as it is.
await client.PUT('/boards/v2/update-dashboard-view-settings', { body: before, throw: true });

const { data: general } = await client.GET('/boards/v2/admin/general-settings', { throw: true });
const { data: currencies } = await client.GET('/boards/v2/projects/currencies', { throw: true });
const currency = currencies.find(({ code }) => code === general.default_currency);
assert.ok(currency);
assert.ok(currency.symbol.length > 0);

const { data: mcp } = await client.GET('/boards/v2/admin/mcp/status', { throw: true });
assert.equal(mcp.endpoint === null, !mcp.enabled);
assert.ok(mcp.tools.every((name) => name.length > 0));
const { data: snippet } = await client.GET('/boards/v2/admin/mcp/config-snippet', {
  query: { client: 'vscode' },
  throw: true,
});
assert.ok(snippet.file.endsWith('.json'));
assert.equal(typeof JSON.parse(snippet.snippet), 'object');

const { data: features } = await client.GET('/boards/v2/admin/feature-modules', { throw: true });
assert.equal(features.modules.reports, true);
assert.equal(typeof features.plugins['mcp-adapter'], 'boolean');
