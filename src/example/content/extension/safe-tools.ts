import type { SiteError, SiteResponse } from '../../site/declarations.ts';
import { isSiteError, ok, requireRole, restError } from '../../site/responses.ts';
import { runAbility, serializeAsTool } from '../abilities/ability.ts';
import { ABILITIES, findAbility } from '../abilities/catalog.ts';
import type { ContentRequest, ContentRoute } from '../model/state.ts';
import { ALL_CONTEXTS, createRecordSchema, readOnlyField } from '../schema/field.ts';

const DISCOVERY_SCHEMA = createRecordSchema('tool-discovery', {
  tools: readOnlyField('The tools that may be called.', 'array', ALL_CONTEXTS, { items: { type: 'object' } }),
});

const CALL_SCHEMA = createRecordSchema('tool-call', {
  name: readOnlyField('The tool that was called.', 'string', ALL_CONTEXTS),
  result: readOnlyField('What it gave.', 'object', ALL_CONTEXTS),
});

/** Read-only tools for the back end of a visual editor. */
export const SAFE_TOOL_ROUTES: readonly ContentRoute[] = [
  {
    route: '/visual-safe-backend-tools/discover',
    schema: DISCOVERY_SCHEMA,
    endpoints: [{ methods: ['POST'], permission: requireRole('editor'), handle: discoverTools }],
  },
  {
    route: '/visual-safe-backend-tools/call',
    schema: CALL_SCHEMA,
    endpoints: [{ methods: ['POST'], permission: requireRole('editor'), handle: callTool }],
  },
];

/** Lists the read-only tools, or those whose name or description contains `query`. */
function discoverTools({ params }: ContentRequest): SiteResponse {
  const query = params.string('query', '').toLowerCase();
  const tools = ABILITIES.filter(
    ({ changesSite, name, description }) =>
      !changesSite && `${name} ${description}`.toLowerCase().includes(query),
  );
  return ok({ tools: tools.map(serializeAsTool) });
}

/** Runs a read-only tool. The body contains `name` and `arguments`. */
function callTool(request: ContentRequest): SiteResponse | SiteError {
  const name = request.params.string('name', '');
  if (name === '') {
    const missing = restError(400, 'ext_a_missing_parameter', 'Missing parameter(s): name');
    return { ...missing, params: ['name'] };
  }
  const tool = findAbility(name);
  if (tool === undefined) return restError(404, 'ext_a_tool_not_found', `There is no tool ${name}.`);
  if (tool.changesSite) return restError(403, 'ext_a_tool_not_safe', `The tool ${name} changes the site.`);
  const result = runAbility(tool, request.params.object('arguments') ?? {}, request);
  return isSiteError(result) ? result : ok({ name, result });
}
