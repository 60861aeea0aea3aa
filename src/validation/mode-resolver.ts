import { createRouteSelector } from '../discovery/route-selection.ts';
import type { ValidationMode } from './evidence/enforcement.ts';

/** The validation modes of one site. */
export interface ValidationModeRules {
  /** Mode of every route that no entry of `routes` matches. */
  readonly mode: ValidationMode;
  /** The first entry that matches an operation decides. */
  readonly routes?: readonly RouteValidationMode[] | undefined;
}

export interface RouteValidationMode {
  /** A namespace, or a glob of routes that begins with `/`, as `include` takes them: `wp/v2`, `/wp/v2/posts*`. */
  readonly match: string;
  /** @default all */
  readonly methods?: readonly string[] | undefined;
  readonly mode: ValidationMode;
}

interface RouteName {
  readonly pattern: string;
  readonly namespace: string;
}

/** Creates the function that returns the mode of an operation. */
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
