import type { JsonObject } from '../../../json.ts';
import { ok } from '../../site/answers.ts';
import { isRefusal } from '../model/state.ts';
import { permit } from '../rest/permissions.ts';
import { type BoardRequest, type BoardRoute, route } from '../rest/route.ts';
import { readScope, SCOPE, type Scope } from '../rest/scope.ts';
import { whileOn } from '../tasks/permissions.ts';
import { answersWhole } from '../tasks/schema.ts';
import { PERIOD_PROPERTIES } from './schema.ts';

/** A report: computed anew by every call, from what the boards hold. */
export function report(
  name: string,
  description: string,
  properties: Readonly<Record<string, JsonObject>>,
  compute: (request: BoardRequest, scope: Scope) => JsonObject,
): BoardRoute {
  return route(
    `/reports/${name}`,
    [
      {
        methods: ['GET'],
        args: SCOPE,
        permission: whileOn('reports', permit.signedIn),
        handle: (request) => {
          const scope = readScope(request);
          if (isRefusal(scope)) return scope;
          const { params } = request;
          return ok({
            from: params.string('from') ?? null,
            to: params.string('to') ?? null,
            ...compute(request, scope),
          });
        },
      },
    ],
    answersWhole(`${name}-report`, description, { ...PERIOD_PROPERTIES, ...properties }),
  );
}
