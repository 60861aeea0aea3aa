import { forbid, hasRole, ok, refuse } from '../../site/answers.ts';
import type { RouteDeclaration, SiteAnswer, SiteError, SiteRequest } from '../../site/declare.ts';
import { isRefusal } from '../access.ts';
import { EVERYWHERE, schemaOf, shown } from '../schema/field.ts';
import type { ContentState } from '../state.ts';
import { runTool, type Tool } from '../tools/tool.ts';
import { findTool } from '../tools/toolbox.ts';

type Request = SiteRequest<ContentState>;

const SCHEMA = schemaOf('ability-run', {
  ability: shown('The ability that ran.', 'string', EVERYWHERE),
  output: shown('What it gave.', 'object', EVERYWHERE),
});

/** Runs an ability at once: whoever may change the site needs nobody's approval for it. The body holds `input`. */
export const ABILITY_ROUTES: readonly RouteDeclaration<ContentState>[] = [
  {
    route: '/abilities/(?P<namespace>[^/]+)/(?P<ability>[^/]+)/run',
    schema: SCHEMA,
    endpoints: [
      {
        methods: ['POST'],
        args: {
          namespace: { description: 'The group of the ability.', type: 'string', required: true },
          ability: { description: 'The ability within its group.', type: 'string', required: true },
        },
        permission: mayRun,
        handle: run,
      },
    ],
  },
];

function named({ params }: Request): string {
  return `${params.string('namespace', '')}/${params.string('ability', '')}`;
}

/** Every user may have the site read; what changes it is for editors. */
function mayRun(request: Request): SiteError | undefined {
  const tool: Tool | undefined = findTool(named(request));
  return hasRole(request.user, tool?.changes === true ? 'editor' : 'subscriber')
    ? undefined
    : forbid(request.user, 'ext_a_ability_forbidden', 'Sorry, you are not allowed to run this ability.');
}

function run(request: Request): SiteAnswer | SiteError {
  const ability = named(request);
  const tool = findTool(ability);
  if (tool === undefined) return refuse(404, 'ext_a_ability_not_found', `There is no ability ${ability}.`);
  const output = runTool(tool, request.params.object('input') ?? {}, request);
  return isRefusal(output) ? output : ok({ ability, output });
}
