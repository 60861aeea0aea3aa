import type { SiteError, SiteResponse } from '../../site/declarations.ts';
import { forbiddenError, hasRole, isSiteError, ok, restError } from '../../site/responses.ts';
import { type Ability, runAbility } from '../abilities/ability.ts';
import { findAbility } from '../abilities/catalog.ts';
import type { ContentRequest, ContentRoute } from '../model/state.ts';
import { ALL_CONTEXTS, createRecordSchema, readOnlyField } from '../schema/field.ts';

const ABILITY_RUN_SCHEMA = createRecordSchema('ability-run', {
  ability: readOnlyField('The ability that ran.', 'string', ALL_CONTEXTS),
  output: readOnlyField('What it gave.', 'object', ALL_CONTEXTS),
});

/** Runs an ability without approval. The body contains `input`. */
export const ABILITY_ROUTES: readonly ContentRoute[] = [
  {
    route: '/abilities/(?P<namespace>[^/]+)/(?P<ability>[^/]+)/run',
    schema: ABILITY_RUN_SCHEMA,
    endpoints: [
      {
        methods: ['POST'],
        args: {
          namespace: { description: 'The group of the ability.', type: 'string', required: true },
          ability: { description: 'The ability within its group.', type: 'string', required: true },
        },
        permission: canRunAbility,
        handle: runNamedAbility,
      },
    ],
  },
];

function getAbilityName({ params }: ContentRequest): string {
  return `${params.string('namespace', '')}/${params.string('ability', '')}`;
}

/** Abilities that change the site require an editor; others require any user. */
function canRunAbility(request: ContentRequest): SiteError | undefined {
  const ability: Ability | undefined = findAbility(getAbilityName(request));
  return hasRole(request.user, ability?.changesSite === true ? 'editor' : 'subscriber')
    ? undefined
    : forbiddenError(
        request.user,
        'ext_a_ability_forbidden',
        'Sorry, you are not allowed to run this ability.',
      );
}

function runNamedAbility(request: ContentRequest): SiteResponse | SiteError {
  const name = getAbilityName(request);
  const ability = findAbility(name);
  if (ability === undefined) return restError(404, 'ext_a_ability_not_found', `There is no ability ${name}.`);
  const output = runAbility(ability, request.params.object('input') ?? {}, request);
  return isSiteError(output) ? output : ok({ ability: name, output });
}
