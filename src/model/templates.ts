import { type RouteParameter, type RouteVariant, splitAtSlash } from './route.ts';

/** One path of one route, on its way to its place among all paths. */
export interface Placed<Route> {
  readonly route: Route;
  readonly template: string;
  readonly parameters: readonly PlacedParameter[];
}

export interface PlacedParameter {
  readonly parameter: RouteParameter;
  /** The parameter that was split at a slash; this is its first or its second part. */
  readonly split?: { readonly whole: RouteParameter; readonly part: 1 | 2 };
}

/** Paths that are one template once their parameters' names are erased, in the site's order. */
export interface TemplateGroup<Route> {
  /** With the names that the first route gives. */
  readonly template: string;
  /** With the names erased. */
  readonly shape: string;
  readonly members: readonly Placed<Route>[];
}

/** `/posts/{parent}/revisions` → `/posts/{}/revisions`: what tells two paths of a document apart (OpenAPI 3.1.1 §4.8.8). */
export function shapeOf(template: string): string {
  return template.replace(/\{[^{}]*\}/g, '{}');
}

/**
 * Puts the paths of all routes together by template. Where two routes have the template *and* a method in common, and a
 * slash tells them apart (`/icons/{collection}` never has one, `/icons/{name}` always), the one with the slash becomes
 * two parameters, which makes it another template.
 */
export function groupByTemplate<Route>(
  variants: readonly { readonly route: Route; readonly variant: RouteVariant }[],
  methodsOf: (route: Route) => ReadonlySet<string>,
): readonly TemplateGroup<Route>[] {
  let placed: readonly Placed<Route>[] = variants.map(({ route, variant }) => ({
    route,
    template: variant.template,
    parameters: variant.parameters.map((parameter) => ({ parameter })),
  }));
  for (;;) {
    const groups = grouped(placed);
    const changed = new Map<Placed<Route>, Placed<Route>>();
    for (const members of groups.values()) {
      if (members.length < 2) continue;
      const never = methodsWithoutSlash(members, methodsOf);
      for (const member of members) {
        const methods = methodsOf(member.route);
        const split = apart(member, (index) =>
          [...methods].some((method) => never[index]?.has(method) === true),
        );
        if (split !== null) changed.set(member, split);
      }
    }
    // Every split adds a segment to a path that had a slash to spare, so that this ends.
    if (changed.size === 0) return [...groups].map(([shape, members]) => groupOf(shape, members));
    placed = placed.map((each) => changed.get(each) ?? each);
  }
}

function grouped<Route>(placed: readonly Placed<Route>[]): ReadonlyMap<string, readonly Placed<Route>[]> {
  const groups = new Map<string, Placed<Route>[]>();
  for (const each of placed) {
    const shape = shapeOf(each.template);
    const group = groups.get(shape);
    if (group === undefined) groups.set(shape, [each]);
    else group.push(each);
  }
  return groups;
}

function groupOf<Route>(shape: string, members: readonly Placed<Route>[]): TemplateGroup<Route> {
  return { shape, members, template: members[0]?.template ?? shape };
}

/** For each place of a parameter, the methods of the paths that never have a slash there. */
function methodsWithoutSlash<Route>(
  members: readonly Placed<Route>[],
  methodsOf: (route: Route) => ReadonlySet<string>,
): readonly ReadonlySet<string>[] {
  const never: Set<string>[] = [];
  for (const { route, parameters } of members) {
    for (const [index, { parameter }] of parameters.entries()) {
      const methods = never[index] ?? new Set();
      never[index] = methods;
      if (parameter.slashes === 'never') for (const method of methodsOf(route)) methods.add(method);
    }
  }
  return never;
}

/** The path with its first parameter split that always has a slash where a rival never has. */
function apart<Route>(member: Placed<Route>, hasRival: (index: number) => boolean): Placed<Route> | null {
  for (const [index, { parameter, split }] of member.parameters.entries()) {
    if (split !== undefined || parameter.slashes !== 'always' || !hasRival(index)) continue;
    const parts = splitAtSlash(parameter);
    if (parts === null) continue;
    const taken = new Set(member.parameters.map((each) => each.parameter.name));
    const [before, after] = parts;
    const second = { ...after, name: freeName(after.name, taken) };
    return {
      route: member.route,
      template: member.template.replace(`{${parameter.name}}`, () => `{${before.name}}/{${second.name}}`),
      parameters: [
        ...member.parameters.slice(0, index),
        { parameter: before, split: { whole: parameter, part: 1 } },
        { parameter: second, split: { whole: parameter, part: 2 } },
        ...member.parameters.slice(index + 1),
      ],
    };
  }
  return null;
}

function freeName(wish: string, taken: ReadonlySet<string>): string {
  let name = wish;
  for (let number = 2; taken.has(name); number += 1) name = `${wish}_${number}`;
  return name;
}
