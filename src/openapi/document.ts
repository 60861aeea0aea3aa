import type { SiteAddress } from '../discovery/site.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Site, SiteOperation, SitePath } from '../model/site.ts';
import { ANY_FIELDS } from './bodies.ts';
import { type Components, createComponents } from './components.ts';
import { HTTP_METHODS } from './methods.ts';
import { operationObject } from './operation.ts';
import { COMMON_ANSWERS } from './responses.ts';
import { securityOf } from './security.ts';
import { tagsOf } from './tags.ts';

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

export function documentOf(site: Site, options: DocumentOptions = {}): OpenApiDocument {
  const components = createComponents({ ...COMMON_ANSWERS, AnyFields: ANY_FIELDS });
  const paths = Object.fromEntries(site.paths.map((path) => [path.template, pathItem(path, components)]));
  const security = securityOf(site.authentication, components);
  return {
    openapi: '3.1.1',
    info: infoOf(site),
    servers: [options.server === undefined ? serverOf(site.address) : { url: options.server }],
    security,
    tags: tagsOf(site.paths),
    paths,
    components: components.finish(),
    'x-waygate': {
      format: 1,
      site: { ...site.address },
      namespaces: site.namespaces,
      routes: site.routes.map(({ pattern, namespace }) => ({ pattern, namespace })),
    },
  };
}

/** Methods that OpenAPI 3.1 has no place for stand under `x-waygate-methods`, by name, as Operation Objects. */
function pathItem({ operations }: SitePath, components: Components): JsonObject {
  const objects = new Map(
    operations.map((operation: SiteOperation) => [operation.method, operationObject(operation, components)]),
  );
  const named = [...HTTP_METHODS].flatMap((name): [string, Json][] => {
    const object = objects.get(name.toUpperCase());
    return object === undefined ? [] : [[name, object]];
  });
  const others = [...objects].filter(([method]) => !HTTP_METHODS.has(method.toLowerCase()));
  return Object.fromEntries([
    ...named,
    ...(others.length === 0 ? [] : [['x-waygate-methods', Object.fromEntries(others)] as const]),
  ]);
}

/**
 * `version` is required and means the version of the interface's description, of which a site states none. A constant,
 * so that the document changes where the interface does and nowhere else.
 */
function infoOf({ name, description, address }: Site): JsonObject {
  const title = name.trim() === '' ? new URL(address.base).host : name;
  return {
    title,
    ...(description.trim() === '' ? {} : { description }),
    version: '1.0.0',
  };
}

function serverOf({ root, spelling }: SiteAddress): JsonObject {
  return spelling === 'pretty'
    ? { url: root.replace(/\/+$/, '') }
    : {
        url: root.replace(/\/+$/, ''),
        description:
          'This site takes the path as the value of the query parameter `rest_route`: further parameters follow with `&`.',
      };
}
