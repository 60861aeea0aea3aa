import { memberAt } from '../../../base/json.ts';
import { omitUndefined } from '../../../base/omit-undefined.ts';
import type { IndexRoute } from '../../discovery/site.ts';
import { capitalize } from '../naming/words.ts';
import type { BulkLists, RouteOperation, SitePath } from '../site.ts';
import { removeParameterNames } from '../templates.ts';

/** WC_REST_Controller::batch_items(). Its index entry has the arguments of an item, which it doesn't read. */
export function isBulkRoute(anonymousTemplate: string, schema: IndexRoute['schema']): boolean {
  const { properties, title } = schema ?? {};
  return (
    title === 'batch' &&
    anonymousTemplate.endsWith('/batch') &&
    ['create', 'update', 'delete'].every((name) => memberAt(properties, name) !== undefined)
  );
}

export function resolveBulkLists(paths: readonly SitePath[]): readonly SitePath[] {
  const byShape = new Map(paths.map((path) => [removeParameterNames(path.template), path]));
  const isBulk = ({ response }: RouteOperation): boolean => response.kind === 'bulk';
  return paths.map((path) => {
    if (!path.operations.some(({ routes }) => routes.some(isBulk))) return path;
    const shape = removeParameterNames(path.template);
    const collection = byShape.get(shape.slice(0, shape.lastIndexOf('/')));
    const lists = findLists(collection, byShape.get(`${shape.slice(0, shape.lastIndexOf('/'))}/{}`));
    const [name = ''] = path.operations.flatMap(({ routes }) => routes.filter(isBulk).map(({ id }) => id));
    const response = { kind: 'bulk', name: capitalize(name), lists } as const;
    const resolve = (route: RouteOperation): RouteOperation =>
      isBulk(route) ? { ...route, response } : route;
    return {
      ...path,
      operations: path.operations.map(({ method, routes: [first, ...others] }) => ({
        method,
        routes: [resolve(first), ...others.map(resolve)] as const,
      })),
    };
  });
}

function findLists(collection: SitePath | undefined, item: SitePath | undefined): BulkLists {
  const [create] = findOperation(collection, 'POST');
  const [update] = findOperation(item, 'PUT');
  const [deletion] = findOperation(item, 'DELETE');
  return omitUndefined({ create, update, delete: deletion });
}

function findOperation(path: SitePath | undefined, method: string): readonly RouteOperation[] {
  const operations = path?.operations ?? [];
  const declared = operations.find((each) => each.method === method)?.routes[0];
  if (declared?.body === undefined) return declared === undefined ? [] : [declared];
  const first = operations.find(({ routes }) => routes[0].body?.schema === declared.body?.schema);
  return [first?.routes[0] ?? declared];
}
