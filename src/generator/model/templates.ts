import { groupBy } from '../../base/group-by.ts';
import { UniqueNames } from '../../base/unique-names.ts';
import { type RouteParameter, type RouteVariant, splitAtSlash } from './expand-route.ts';

export interface TemplateMember<Route> {
  readonly route: Route;
  readonly template: string;
  readonly parameters: readonly TemplateParameter[];
}

export interface TemplateParameter {
  readonly parameter: RouteParameter;
  readonly splitPart?: { readonly whole: RouteParameter; readonly part: 1 | 2 };
}

/** Paths that differ only in parameter names, in the site's order. */
export interface TemplateGroup<Route> {
  /** With the first route's parameter names. */
  readonly template: string;
  readonly anonymousTemplate: string;
  readonly members: readonly TemplateMember<Route>[];
}

/** `/posts/{parent}/revisions` → `/posts/{}/revisions`, by which paths must differ (OpenAPI 3.1.1 §4.8.8). */
export function removeParameterNames(template: string): string {
  return template.replace(/\{[^{}]*\}/g, '{}');
}

export function parameterNamesOf(template: string): readonly string[] {
  return Array.from(template.matchAll(/\{([^{}]*)\}/g), ([, name = '']) => name);
}

/**
 * Groups by anonymous template. Of two routes with one method, the parameter that always contains a slash
 * (`/icons/{name}`) is split beside one that never does (`/icons/{collection}`).
 */
export function groupByTemplate<Route>(
  variants: readonly { readonly route: Route; readonly variant: RouteVariant }[],
  methodsOf: (route: Route) => ReadonlySet<string>,
): readonly TemplateGroup<Route>[] {
  let allMembers: readonly TemplateMember<Route>[] = variants.map(({ route, variant }) => ({
    route,
    template: variant.template,
    parameters: variant.parameters.map((parameter) => ({ parameter })),
  }));
  for (;;) {
    const groups = groupBy(allMembers, (each) => removeParameterNames(each.template));
    const splitMembers = new Map<TemplateMember<Route>, TemplateMember<Route>>();
    for (const members of groups.values()) {
      if (members.length < 2) continue;
      const slashless = methodsWithoutSlash(members, methodsOf);
      for (const member of members) {
        const methods = methodsOf(member.route);
        const split = splitParameter(member, (index) =>
          [...methods].some((method) => slashless[index]?.has(method) === true),
        );
        if (split !== null) splitMembers.set(member, split);
      }
    }
    // Every split uses up one slash of a pattern.
    if (splitMembers.size === 0) {
      return Array.from(groups, ([anonymousTemplate, members]) => {
        return { anonymousTemplate, members, template: members[0].template };
      });
    }
    allMembers = allMembers.map((each) => splitMembers.get(each) ?? each);
  }
}

/** For each parameter position, methods of paths whose value never contains a slash. */
function methodsWithoutSlash<Route>(
  members: readonly TemplateMember<Route>[],
  methodsOf: (route: Route) => ReadonlySet<string>,
): readonly ReadonlySet<string>[] {
  const slashless: Set<string>[] = [];
  for (const { route, parameters } of members) {
    for (const [index, { parameter }] of parameters.entries()) {
      const methods = slashless[index] ?? new Set();
      slashless[index] = methods;
      if (parameter.slashOccurrence === 'never') for (const method of methodsOf(route)) methods.add(method);
    }
  }
  return slashless;
}

/** Splits the first parameter that always contains a slash and has a rival that never does. */
function splitParameter<Route>(
  member: TemplateMember<Route>,
  hasRival: (index: number) => boolean,
): TemplateMember<Route> | null {
  for (const [index, { parameter, splitPart }] of member.parameters.entries()) {
    if (splitPart !== undefined || parameter.slashOccurrence !== 'always' || !hasRival(index)) continue;
    const parts = splitAtSlash(parameter);
    if (parts === null) continue;
    const taken = member.parameters.map((each) => each.parameter.name);
    const [before, after] = parts;
    const second = { ...after, name: new UniqueNames(taken, { separator: '_' }).claim(after.name) };
    return {
      route: member.route,
      template: member.template.replace(`{${parameter.name}}`, () => `{${before.name}}/{${second.name}}`),
      parameters: [
        ...member.parameters.slice(0, index),
        { parameter: before, splitPart: { whole: parameter, part: 1 } },
        { parameter: second, splitPart: { whole: parameter, part: 2 } },
        ...member.parameters.slice(index + 1),
      ],
    };
  }
  return null;
}
