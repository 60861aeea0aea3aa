import { groupBy } from '../../../base/group-by.ts';
import type { JsonObject } from '../../../base/json.ts';
import { getOrCreate } from '../../../base/memoize.ts';
import { MockSite } from '../../mock/mock-site.ts';
import { EMPTY_REQUEST, type RouteDeclaration, type SiteResponse } from '../../rest-server/declarations.ts';
import { createRootIndex, describeRoutes } from '../../rest-server/index-document.ts';
import { requireRole } from '../../rest-server/responses.ts';
import type { SiteDefinition, SitePage, SitePageRequest } from '../site/definition.ts';
import { escapeHtml, htmlPage } from '../site/pages.ts';
import { DEMO_USERS } from '../site/users.ts';
import { NAMESPACES, ROUTES, SCHEMAS } from './declarations.ts';
import {
  createListCallbacks,
  createWriteCallbacks,
  type EntryHandler,
  type EntryPermission,
  entryOperations,
  entryPermissions,
} from './entries.ts';
import type { ContentRequest, ContentState, Entry, EntryKind } from './model.ts';
import { canRead, publishScheduledEntries } from './rules.ts';
import { createContentState } from './seed.ts';
import { getPermalink, getUploadUrl, renderContent, renderTitle, stripTags } from './serialize.ts';

const UPLOADS_PATH = '/wp-content/uploads/';

function findContentPage(request: SitePageRequest<ContentState>): SitePage | null {
  const { state, path, query, now } = request;
  if (path.startsWith(UPLOADS_PATH)) {
    const file = state.files.get(path.slice(UPLOADS_PATH.length));
    return file === undefined ? null : { type: file.type, body: file.readBytes(), headers: UPLOAD_HEADERS };
  }
  publishScheduledEntries(state, now.getTime());
  const entry = findEntry(state, path, query);
  if (entry?.media !== undefined && canRead(state, null, entry)) {
    // WordPress since 6.4 has no attachment pages.
    const location = getUploadUrl(entry.media.file, request);
    return { status: 301, body: '', headers: { Location: location } };
  }
  return entry?.status === 'publish' ? renderPage(entry) : null;
}

/** Prevents browsers from running an upload as a page of the site. */
const UPLOAD_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
};

function findEntry(state: ContentState, path: string, query: URLSearchParams): Entry | undefined {
  const id = Number(query.get('p') ?? query.get('page_id') ?? Number.NaN);
  const site = { state, address: (own: string) => own };
  return Number.isNaN(id)
    ? [...state.entries.values()].find((entry) => getPermalink(entry, site) === path)
    : state.entries.get(id);
}

function renderPage({ title, content, password }: Entry): SitePage {
  const text = password === '' ? renderContent(content) : '<p>This content is password protected.</p>';
  return htmlPage(`${escapeHtml(stripTags(title))} - ${NAME}`, `<h1>${renderTitle(title)}</h1>\n${text}`);
}

const NAME = 'Harbour Notes';

function listPages(state: ContentState): readonly { readonly title: string; readonly path: string }[] {
  const site = { state, address: (own: string) => own };
  const entries = [...state.entries.values()].filter(({ status }) => status === 'publish');
  const posts = entries.filter(({ kind }) => kind === 'post').sort((one, other) => other.date - one.date);
  return [...posts.slice(0, 10), ...entries.filter(({ kind }) => kind === 'page')].map((entry) => ({
    title: renderTitle(stripTags(entry.title)),
    path: getPermalink(entry, site),
  }));
}

export type { ContentState } from './model.ts';

const PERMISSIONS: Readonly<Record<string, EntryPermission>> = {
  everyone: () => undefined,
  editor: requireRole('editor'),
  administrator: requireRole('administrator'),
  ...entryPermissions,
};

const KINDS: Readonly<Record<string, EntryKind>> = { posts: 'post', pages: 'page', media: 'attachment' };

const OPERATIONS: Readonly<Record<string, EntryHandler | typeof answerByMock>> = {
  ...entryOperations,
  mock: answerByMock,
};

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** @throws {TypeError} if an endpoint has no operation or permission */
function declareRoute({ endpoints, route, schema }: (typeof ROUTES)[number]): RouteDeclaration<ContentState> {
  const kind = KINDS[route.split('/')[1] ?? ''] ?? 'post';
  const described = schema === undefined ? undefined : SCHEMAS[schema];
  return {
    route,
    ...(described && { schema: described }),
    endpoints: endpoints.map(({ allowBatch = false, args, isWrite, methods, permission: permit, run }) => {
      const [operation, permission] = [OPERATIONS[run], PERMISSIONS[permit]];
      if (operation === undefined || permission === undefined)
        throw new TypeError(`${methods} ${route} has no operation or no permission`);
      return {
        methods: METHODS.filter((method) => methods.includes(method)),
        ...{ allowBatch, args },
        ...(isWrite && createWriteCallbacks(kind)),
        ...(run === 'listEntries' && createListCallbacks(kind)),
        permission(request: ContentRequest) {
          publishScheduledEntries(request.state, request.now.getTime());
          permission(request, kind);
        },
        handle: (request: ContentRequest) => operation(request, kind),
      };
    }),
  };
}

/** What an invented plugin does, with the examples of its schemas. What a request writes is kept. */
function answerByMock(request: ContentRequest): Promise<SiteResponse> {
  const { address, files, method, params, query, route, state } = request;
  const mock = getOrCreate(mocks, state, () => new MockSite(describeIndex(), address('/'), {}, true));
  const json = new Map([...params.names()].map((name) => [name, params.get(name) ?? null]));
  return mock.respond({ ...EMPTY_REQUEST, base: address(''), files, json, method, query, route });
}

const mocks = new WeakMap<ContentState, MockSite>();

function describeIndex(): JsonObject {
  const routes = declarations.flatMap(({ namespace, routes }) =>
    routes.map(({ endpoints, route, schema }) => ({
      ...{ namespace, pattern: `/${namespace}${route}`, schema },
      endpoints: endpoints.map(({ args = {}, methods }) => ({ args, methods })),
    })),
  );
  const identity = { name: NAME, description: '', namespaces: NAMESPACES };
  const described = {
    routes: describeRoutes(routes, (route) => route, 'help'),
    authentication: {},
    _links: {},
  };
  return createRootIndex(identity, '', described);
}

const declarations = [...groupBy(ROUTES, ({ namespace }) => namespace)].map(([namespace, routes]) => ({
  namespace,
  routes: routes.map(declareRoute),
}));

export const contentDefinition: SiteDefinition<ContentState> = {
  name: NAME,
  description: 'News from a small harbour town that does not exist',
  users: DEMO_USERS,
  linksPatterns: true,
  namespaces: NAMESPACES,
  declarations,
  createState: createContentState,
  findPage: findContentPage,
  listPages,
};
