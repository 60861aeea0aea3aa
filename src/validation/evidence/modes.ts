import type { RouteValidationMode } from '../../../generated/option-types.d.ts';
import { RouteSelector } from '../../discovery/route-selection.ts';
import type { ServedRoute } from '../../openapi/index.ts';
import type { ValidationMode } from './ledger.ts';

interface ValidationModeRules {
  /** Mode of every route that no entry of `routes` matches. */
  readonly mode: ValidationMode;
  /** The first entry that matches an operation decides. */
  readonly routes?: readonly RouteValidationMode[] | undefined;
}

export function createModeResolver({
  mode,
  routes = [],
}: ValidationModeRules): (
  route: Pick<ServedRoute, 'namespace' | 'pattern'>,
  method: string,
) => ValidationMode {
  const entries = routes.map((entry) => ({
    mode: entry.mode,
    methods: entry.methods?.map((name) => name.toUpperCase()),
    selector: new RouteSelector({ include: [entry.match] }),
  }));
  return ({ pattern, namespace }, method) => {
    const entry = entries.find(
      ({ methods, selector }) =>
        (methods === undefined || methods.includes(method)) && selector.matches(pattern, namespace),
    );
    return entry?.mode ?? mode;
  };
}
