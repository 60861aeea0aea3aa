import { ok, refuse, requires } from '../../site/answers.ts';
import type { RouteDeclaration, SiteAnswer, SiteError, SiteRequest } from '../../site/declare.ts';
import { isRefusal } from '../access.ts';
import { EVERYWHERE, schemaOf, shown } from '../schema/field.ts';
import type { ContentState } from '../state.ts';
import { describeTool, runTool } from '../tools/tool.ts';
import { findTool, TOOLS } from '../tools/toolbox.ts';

type Request = SiteRequest<ContentState>;

const FOUND = schemaOf('tool-discovery', {
  tools: shown('The tools that may be called.', 'array', EVERYWHERE, { items: { type: 'object' } }),
});

const CALLED = schemaOf('tool-call', {
  name: shown('The tool that was called.', 'string', EVERYWHERE),
  result: shown('What it gave.', 'object', EVERYWHERE),
});

/** Tools for a visual editor's back end: those that read and change nothing. */
export const SAFE_TOOL_ROUTES: readonly RouteDeclaration<ContentState>[] = [
  {
    route: '/visual-safe-backend-tools/discover',
    schema: FOUND,
    endpoints: [{ methods: ['POST'], permission: requires('editor'), handle: discover }],
  },
  {
    route: '/visual-safe-backend-tools/call',
    schema: CALLED,
    endpoints: [{ methods: ['POST'], permission: requires('editor'), handle: call }],
  },
];

/** All safe tools, or with `query` in the body those that speak of it. */
function discover({ params }: Request): SiteAnswer {
  const query = params.string('query', '').toLowerCase();
  const tools = TOOLS.filter(
    ({ changes, name, description }) => !changes && `${name} ${description}`.toLowerCase().includes(query),
  );
  return ok({ tools: tools.map(describeTool) });
}

/** The body holds `name` and `arguments`. */
function call(request: Request): SiteAnswer | SiteError {
  const name = request.params.string('name', '');
  if (name === '') {
    const missing = refuse(400, 'ext_a_missing_parameter', 'Missing parameter(s): name');
    return { ...missing, params: ['name'] };
  }
  const tool = findTool(name);
  if (tool === undefined) return refuse(404, 'ext_a_tool_not_found', `There is no tool ${name}.`);
  if (tool.changes) return refuse(403, 'ext_a_tool_not_safe', `The tool ${name} changes the site.`);
  const result = runTool(tool, request.params.object('arguments') ?? {}, request);
  return isRefusal(result) ? result : ok({ name, result });
}
