import { parseRouteGlob } from '../../base/glob.ts';
import type { RuleReporter } from './rules.ts';

/** Globs such as `wp/v2` select namespaces, `/wp/v2/posts*` routes by pattern and template. `*` matches slashes. */
export interface RouteSelection {
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

export function describeSelection({ exclude = [], include = [] }: RouteSelection): string {
  return Object.entries({ include, exclude })
    .filter(([, globs]) => globs.length > 0)
    .map(([list, globs]) => `${list} ${globs.map((glob) => `"${glob}"`).join(', ')}`)
    .join(' and ');
}

interface SelectionGlob {
  readonly text: string;
  readonly list: 'include' | 'exclude';
  readonly glob: ReturnType<typeof parseRouteGlob>;
}

export class RouteSelector {
  readonly #globs: readonly SelectionGlob[];
  readonly #unused: Set<SelectionGlob>;

  constructor({ exclude = [], include = [] }: RouteSelection) {
    const toGlob =
      (list: SelectionGlob['list']) =>
      (text: string): SelectionGlob => ({ text, list, glob: parseRouteGlob(text) });
    this.#globs = [...include.map(toGlob('include')), ...exclude.map(toGlob('exclude'))];
    this.#unused = new Set(this.#globs);
  }

  matches(pattern: string, namespace: string): boolean {
    const template = toTemplate(pattern);
    const matching = this.#globs.filter(({ glob }) =>
      glob.isForRoutes ? glob.matches(pattern) || glob.matches(template) : glob.matches(namespace),
    );
    for (const each of matching) this.#unused.delete(each);
    const isIn = (list: SelectionGlob['list'], globs: readonly SelectionGlob[] = matching): boolean =>
      globs.some((each) => each.list === list);
    return (isIn('include') || !isIn('include', this.#globs)) && !isIn('exclude');
  }

  reportUnusedGlobs(report: RuleReporter): void {
    for (const { list, text } of this.#unused) {
      report('pattern-matches-nothing', { pointer: '/routes' }, `The pattern is "${text}" of ${list}.`);
    }
  }
}

const TOKEN = /\\.|\[\^?\]?(?:\\.|[^\]\\])*\]?|\((?:\?P?<(\w{1,64})>)?|./gs;

function toTemplate(pattern: string): string {
  let template = '';
  let depth = 0;
  for (const [token, name = ''] of pattern.matchAll(TOKEN)) {
    if (token === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0) template += token.startsWith('(') ? `{${name}}` : token;
    if (token.startsWith('(')) depth += 1;
  }
  return template;
}
