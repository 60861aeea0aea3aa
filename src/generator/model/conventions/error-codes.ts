import { getNeededNames } from '../../../base/document-extensions.ts';
import { jsonItems, jsonMembers } from '../../../base/json.ts';
import type { RouteOperation } from '../site.ts';
import data from './error-codes.json' with { type: 'json' };

type Condition = (route: RouteOperation) => boolean;

const isItem: Condition = ({ path }) => path.length > 0;
const isList: Condition = ({ response }) => response.kind === 'list';
const takes = ({ query }: RouteOperation, argument: string): boolean =>
  query.some(({ name }) => name === argument);

export const hasArguments: Condition = ({ body, path, query }) =>
  path.length > 0 || query.length > 0 || jsonMembers(body?.schema['properties']).length > 0;

/** Requirements of the endpoint's code have their own errors. */
export const hasRequired: Condition = ({ body, query }) => {
  const needed = getNeededNames(body?.schema ?? {});
  const names = jsonItems(body?.schema['required']);
  return query.some(({ required }) => required) || names.some((name) => !needed.has(name));
};

const CONDITIONS: Readonly<Record<string, Condition>> = {
  item: isItem,
  creation: (route) => route.method === 'POST' && !isItem(route),
  list: isList,
  pages: (route) => isList(route) && takes(route, 'page'),
  context: (route) => takes(route, 'context'),
  singleton: (route) => !isItem(route) && !isList(route) && route.response.kind !== 'created',
  arguments: hasArguments,
  required: hasRequired,
  body: ({ body }) => body !== undefined,
};

const SCOPE =
  /^(?<methods>[A-Z]+(?: [A-Z]+)*)? ?(?:of (?<kinds>.+?))? ?(?:at (?<routes>\S+))? ?(?:if (?<when>\w+))?$/;

/** By methods, kinds, a plugin's routes and a condition: `GET HEAD of post term at ^/wc/ if item`. */
const CONVENTIONS = Object.entries(data).map(([scope, sources]) => {
  const { kinds, methods, routes, when = '' } = SCOPE.exec(scope)?.groups ?? {};
  return {
    codes: Object.keys(sources).flatMap((codes) => codes.split(' ')),
    kinds: kinds?.split(' '),
    methods: methods?.split(' '),
    routes: routes === undefined ? undefined : new RegExp(routes),
    applies: CONDITIONS[when],
  };
});

/** The site can send others. */
export function listErrorCodes(route: RouteOperation): readonly string[] {
  const { method, pattern, response } = route;
  const { kind = '' } = 'resource' in response ? (response.resource.convention ?? {}) : {};
  return CONVENTIONS.filter(
    ({ applies, kinds, methods, routes }) =>
      (kinds === undefined || kinds.includes(kind)) &&
      (methods === undefined || methods.includes(method)) &&
      (routes === undefined || routes.test(pattern)) &&
      (applies === undefined || applies(route)),
  ).flatMap(({ codes }) => codes);
}
