import type { RouteValidationMode } from '../../../generated/option-types.d.ts';
import { createRouteSelector } from '../../discovery/route-selection.ts';
import type { ValidationMode } from './ledger.ts';

interface ValidationModeRules {
  /** Mode of every route that no entry of `routes` matches. */
  readonly mode: ValidationMode;
  /** The first entry that matches an operation decides. */
  readonly routes?: readonly RouteValidationMode[] | undefined;
}

interface RouteName {
  readonly pattern: string;
  readonly namespace: string;
}

export function createModeResolver({
  mode,
  routes = [],
}: ValidationModeRules): (route: RouteName, method: string) => ValidationMode {
  const entries = routes.map((entry) => ({
    mode: entry.mode,
    methods: entry.methods?.map((name) => name.toUpperCase()),
    selector: createRouteSelector({ include: [entry.match] }, () => {}),
  }));
  return ({ pattern, namespace }, method) => {
    const entry = entries.find(
      ({ methods, selector }) =>
        (methods === undefined || methods.includes(method)) && selector.matches(pattern, namespace),
    );
    return entry?.mode ?? mode;
  };
}
