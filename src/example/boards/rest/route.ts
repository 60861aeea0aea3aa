import type { JsonObject } from '../../../json.ts';
import type {
  EndpointDeclaration,
  EndpointMethod,
  RouteDeclaration,
  SiteError,
  SiteRequest,
  SiteResponse,
} from '../../site/declarations.ts';
import type { BoardState } from '../model/index.ts';

export type BoardRequest = SiteRequest<BoardState>;
export type BoardRoute = RouteDeclaration<BoardState>;
/** The result of a handler: the content of a response, or an error. */
export type HandlerResult = SiteResponse | SiteError;

/** Patterns of path parameters, as WordPress plugins write them. `str` also excludes `(`, `?`, `!`, `/` and `)`. */
const GROUPS = {
  int: { pattern: '[\\d]+', type: 'integer' },
  str: { pattern: '[^\\s(?!/)]+', type: 'string' },
  slug: { pattern: '[a-zA-Z0-9_-]+', type: 'string' },
} as const;

/** Descriptions of path parameters. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  board_id: 'Number of the board.',
  stage_id: 'Number of the stage.',
  task_id: 'Number of the task.',
  label_id: 'Number of the label.',
  comment_id: 'Number of the comment.',
  reply_id: 'Number of the reply.',
  track_id: 'Number of the time track.',
  folder_id: 'Number of the folder.',
  idea_id: 'Number of the idea.',
  contact_id: 'Number of the contact.',
  associated_id: 'Number of the contact whose boards or tasks are wanted.',
  user_id: 'Number of the user.',
  id: 'Number of the user.',
  type: 'Kind of the boards: `kanban` or `roadmap`.',
};

/** Endpoints of one route by method, in the order in which the index lists them. */
export type EndpointsByMethod = Partial<
  Record<EndpointMethod, Omit<EndpointDeclaration<BoardState>, 'methods'>>
>;

/**
 * Declares a route. Its path is written as `/projects/{board_id:int}/labels`: the parameters become groups of the
 * pattern and required arguments of every endpoint.
 *
 * @throws {TypeError} when a parameter names an unknown pattern.
 */
export function declareRoute(path: string, schema: JsonObject, endpoints: EndpointsByMethod): BoardRoute {
  const pathArgs: Record<string, JsonObject> = {};
  const pattern = path.replace(/\{(\w+):(\w+)\}/g, (written, name: string, group: string) => {
    if (!isGroup(group)) {
      throw new TypeError(`${written} of ${path}: write {name:int}, {name:str} or {name:slug}`);
    }
    pathArgs[name] = { description: DESCRIPTIONS[name] ?? '', type: GROUPS[group].type, required: true };
    return `(?P<${name}>${GROUPS[group].pattern})`;
  });
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
  const declared = methods.flatMap((method) => {
    const endpoint = endpoints[method];
    return endpoint === undefined
      ? []
      : [{ ...endpoint, methods: [method], args: { ...pathArgs, ...endpoint.args } }];
  });
  return { route: pattern, endpoints: declared, schema };
}

/** The endpoint that `declareGet` accepts. */
export type GetEndpoint = NonNullable<EndpointsByMethod['GET']>;

/** Declares a route with a single GET. */
export function declareGet(path: string, schema: JsonObject, endpoint: GetEndpoint): BoardRoute {
  return declareRoute(path, schema, { GET: endpoint });
}

function isGroup(name: string): name is keyof typeof GROUPS {
  return Object.hasOwn(GROUPS, name);
}
