import { groupBy } from '../group-by.ts';
import { UniqueNames } from '../unique-names.ts';
import { type RouteParameter, type RouteVariant, splitAtSlash } from './expand-route.ts';

/** One path of one route, as a member of a template group. */
export interface TemplateMember<Route> {
  readonly route: Route;
  readonly template: string;
  readonly parameters: readonly TemplateParameter[];
}

export interface TemplateParameter {
  readonly parameter: RouteParameter;
  /** Present if this is one part of a parameter that was split at a slash. */
  readonly splitPart?: { readonly whole: RouteParameter; readonly part: 1 | 2 };
}

/** Paths whose templates differ only in parameter names, in the site's order. */
export interface TemplateGroup<Route> {
  /** The template with the parameter names of the first route. */
  readonly template: string;
  /** The template with the parameter names removed. */
  readonly anonymousTemplate: string;
  readonly members: readonly TemplateMember<Route>[];
}

/**
 * Removes the parameter names of a template: `/posts/{parent}/revisions` → `/posts/{}/revisions`. The paths of a document
 * must still differ without the names (OpenAPI 3.1.1 §4.8.8).
 */
export function removeParameterNames(template: string): string {
  return template.replace(/\{[^{}]*\}/g, '{}');
}

export function parameterNamesOf(template: string): readonly string[] {
  return Array.from(template.matchAll(/\{([^{}]*)\}/g), ([, name = '']) => name);
}

/**
 * Groups the paths of all routes by anonymous template. Two routes of a group can share a method, while a parameter of
 * one never contains a slash (`/icons/{collection}`) and that of the other always does (`/icons/{name}`). The latter
 * parameter is then split into two, which moves its path to another group.
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
    // The loop ends, because every split uses up one slash of a pattern.
    if (splitMembers.size === 0) {
      return Array.from(groups, ([anonymousTemplate, members]) => {
        return { anonymousTemplate, members, template: members[0].template };
      });
    }
    allMembers = allMembers.map((each) => splitMembers.get(each) ?? each);
  }
}

/** For each parameter position, lists the methods of the paths whose value there never contains a slash. */
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
