import type { SiteAddress } from '../discovery/site.ts';
import type { Json, JsonObject } from '../json.ts';
import type { SiteModel, SiteOperation, SitePath } from '../model/site.ts';
import { ANY_FIELDS } from './bodies.ts';
import { type ComponentRegistry, createComponentRegistry } from './component-registry.ts';
import { PATH_ITEM_METHODS } from './methods.ts';
import { createOperation } from './operation.ts';
import { COMMON_SCHEMAS } from './responses.ts';
import { createSecurity } from './security.ts';
import { createTags } from './tags.ts';

/** An OpenAPI 3.1 document. Data alone: it may be written, read back, edited by hand and read again. */
export type OpenApiDocument = JsonObject & {
  readonly openapi: string;
  readonly info: JsonObject;
  readonly paths: JsonObject;
};

export interface DocumentOptions {
  /** The address that the paths are below, such as a gateway's. @default the site's own */
  readonly server?: string;
}

export function createDocument(site: SiteModel, options: DocumentOptions = {}): OpenApiDocument {
  const components = createComponentRegistry({ ...COMMON_SCHEMAS, AnyFields: ANY_FIELDS });
  const paths = Object.fromEntries(site.paths.map((path) => [path.template, createPathItem(path, components)]));
  const security = createSecurity(site.authentication, components);
  return {
    openapi: '3.1.1',
    info: createInfo(site),
    servers: [options.server === undefined ? createServer(site.address) : { url: options.server }],
    security,
    tags: createTags(site.paths),
    paths,
    components: components.toComponentsObject(),
    'x-waygate': {
      format: 1,
      site: { ...site.address },
      namespaces: site.namespaces,
      routes: site.routes.map(({ pattern, namespace }) => ({ pattern, namespace })),
    },
  };
}

/** Methods that OpenAPI 3.1 has no place for stand under `x-waygate-methods`, by name, as Operation Objects. */
function createPathItem({ operations }: SitePath, components: ComponentRegistry): JsonObject {
  const objects = new Map(
    operations.map((operation: SiteOperation) => [operation.method, createOperation(operation, components)]),
  );
  const named = [...PATH_ITEM_METHODS].flatMap((name): [string, Json][] => {
    const object = objects.get(name.toUpperCase());
    return object === undefined ? [] : [[name, object]];
  });
  const others = [...objects].filter(([method]) => !PATH_ITEM_METHODS.has(method.toLowerCase()));
  return Object.fromEntries([
    ...named,
    ...(others.length === 0 ? [] : [['x-waygate-methods', Object.fromEntries(others)] as const]),
  ]);
}

/**
 * `version` is required and means the version of the interface's description, of which a site states none. A constant,
 * so that the document changes where the interface does and nowhere else.
 */
function createInfo({ name, description, address }: SiteModel): JsonObject {
  const title = name.trim() === '' ? new URL(address.base).host : name;
  return {
    title,
    ...(description.trim() === '' ? {} : { description }),
    version: '1.0.0',
  };
}

function createServer({ root, spelling }: SiteAddress): JsonObject {
  return spelling === 'pretty'
    ? { url: root.replace(/\/+$/, '') }
    : {
        url: root.replace(/\/+$/, ''),
        description:
          'This site takes the path as the value of the query parameter `rest_route`: further parameters follow with `&`.',
      };
}
