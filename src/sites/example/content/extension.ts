import { hasRole, ok, refuse, refuseUser } from '../../rest-server/responses.ts';
import { ABILITIES, findAbility, refuseMissing, runAbility, serializeAsTool } from './abilities.ts';
import type { ContentHandler, ContentRequest } from './model.ts';

function getAbilityName({ params }: ContentRequest): string {
  return `${params.string('namespace', '')}/${params.string('ability', '')}`;
}

export function canRunAbility(request: ContentRequest): void {
  const role = findAbility(getAbilityName(request))?.changesSite === true ? 'editor' : 'subscriber';
  if (hasRole(request.user, role)) return;
  const message = 'Sorry, you are not allowed to run this ability.';
  refuseUser(request.user, 'ext_a_ability_forbidden', message);
}

export const extensionOperations: Readonly<Record<string, ContentHandler>> = {
  runAbility(request) {
    const name = getAbilityName(request);
    const ability =
      findAbility(name) ?? refuse(404, 'ext_a_ability_not_found', `There is no ability ${name}.`);
    return ok({ ability: name, output: runAbility(ability, request.params.object('input') ?? {}, request) });
  },

  discoverTools: () =>
    ok({ tools: ABILITIES.filter(({ changesSite }) => !changesSite).map(serializeAsTool) }),

  callTool(request) {
    const name = request.params.string('name', '') || refuseMissing('name');
    const tool = findAbility(name) ?? refuse(404, 'ext_a_tool_not_found', `There is no tool ${name}.`);
    if (tool.changesSite) refuse(403, 'ext_a_tool_not_safe', `The tool ${name} changes the site.`);
    return ok({ name, result: runAbility(tool, request.params.object('arguments') ?? {}, request) });
  },

  listTools: () => ok(ABILITIES.map(serializeAsTool)),
};
