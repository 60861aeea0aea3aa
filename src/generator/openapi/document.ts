import { EXTENSION_NAMES } from '../../base/document-extensions.ts';
import { DiscoveryError } from '../../base/errors.ts';
import { type Json, type JsonObject, jsonMembers } from '../../base/json.ts';
import { trimTrailingSlashes } from '../../base/php/request.ts';
import { type Steps, visitInSteps } from '../../base/steps.ts';
import { describeReason } from '../discovery/failures.ts';
import type { IndexArgument, RouteAdditions, SiteAddress } from '../discovery/site.ts';
import { capitalize } from '../model/naming/words.ts';
import {
  APPLICATION_PASSWORD_SCHEME,
  removeParameterNames,
  type SiteModel,
  type SiteOperation,
  type SitePath,
} from '../model/site.ts';
import common from './common-components.json' with { type: 'json' };
import { ComponentRegistry } from './component-registry.ts';
import type { OpenApiDocument } from './document-objects.ts';
import { createOperationObject, createTags, listLinkTargets } from './operation-objects.ts';
import { isPathItemMethod, markTwins, PATH_ITEM_METHODS } from './operations.ts';
import { ANY_FIELDS_SCHEMA } from './request-bodies.ts';
import { COMMON_RESPONSE_SCHEMAS, ResponseSchemas } from './responses.ts';

/** Characters of a document as compact JSON: each method of an endpoint repeats its arguments. */
const MAX_DOCUMENT_LENGTH = 32 * 1024 * 1024;

/** @throws {DiscoveryError} when the document is too large */
export function* createDocument(site: SiteModel, server?: string): Steps<OpenApiDocument> {
  const components = new ComponentRegistry({ ...COMMON_RESPONSE_SCHEMAS, AnyFields: ANY_FIELDS_SCHEMA });
  const schemas = new ResponseSchemas(components);
  const addSize = createSizeLimit(site);
  const security = createSecurityRequirements(site.authentication, components);
  const { groups, tagOf, tags } = createTags(site.paths);
  const links = listLinkTargets(site.paths);
  const userSecurity = security.slice(1);
  yield;
  const items = new Map<string, JsonObject>();
  const describePath = ({ operations, template }: SitePath): void => {
    const shape = removeParameterNames(template);
    const parent = shape.slice(0, shape.lastIndexOf('/'));
    const id = findBulkId(operations);
    const bulk =
      id === undefined
        ? undefined
        : schemas.createBulkSchemas(capitalize(id), items.get(parent), items.get(`${parent}/{}`));
    const describe = (each: SiteOperation): JsonObject =>
      createOperationObject(each, schemas, {
        ...{ bulk, links, userSecurity, template },
        tag: tagOf.get(each) ?? '',
      });
    items.set(shape, createPathItem(operations, describe, addSize));
  };
  const isBulk = ({ operations }: SitePath): boolean => findBulkId(operations) !== undefined;
  // Bulk routes refer to their collection and its items.
  const ordered = [...site.paths.filter((path) => !isBulk(path)), ...site.paths.filter(isBulk)];
  yield* visitInSteps(ordered, describePath);
  const paths = Object.fromEntries(
    site.paths.map(({ template }) => [template, items.get(removeParameterNames(template)) ?? {}]),
  );
  yield;
  const componentsObject = components.toComponentsObject();
  yield* visitInSteps(Object.values(componentsObject).flatMap(jsonMembers), ([, component]) =>
    addSize(component),
  );
  const head: JsonObject = {
    openapi: '3.1.1',
    info: createInfo(site),
    servers: [server === undefined ? createServer(site.address) : { url: server }],
    security,
    tags,
    'x-tagGroups': groups,
  };
  const extension: JsonObject = {
    format: 1,
    site: { ...site.address },
    namespaces: site.namespaces,
    routes: site.routes.map(({ pattern, namespace }) => ({ pattern, namespace })),
    ...(site.additions === undefined ? {} : { options: printAdditions(site.additions) }),
  };
  addSize([head, extension]);
  const document: JsonObject = {
    ...head,
    paths,
    components: componentsObject,
    [EXTENSION_NAMES.site]: extension,
  };
  // `test/generator/openapi/conformance.test.ts` checks the whole against the specification.
  return document as OpenApiDocument;
}

function printAdditions(additions: RouteAdditions): JsonObject {
  const print = (list: readonly IndexArgument[]): Json =>
    list.map(({ declaration, name }) => ({ name, declaration }));
  return Object.fromEntries(
    Array.from(additions, ([pattern, { properties, reading, writing }]) => [
      pattern,
      { properties, reading: print(reading), writing: print(writing) },
    ]),
  );
}

function findBulkId(operations: SitePath['operations']): string | undefined {
  return operations.find(({ routes: [{ response }] }) => response.kind === 'bulk')?.routes[0].id;
}

function createSizeLimit({ address }: SiteModel): (part: Json) => void {
  let size = 0;
  return (part) => {
    size += JSON.stringify(part).length;
    if (size <= MAX_DOCUMENT_LENGTH) return;
    const message = `The document of ${address.base} exceeds the limit of ${MAX_DOCUMENT_LENGTH} characters.`;
    throw new DiscoveryError(`${message} ${describeReason('document-too-large')[0]}`, {
      reason: 'document-too-large',
    });
  };
}

/** Methods that OpenAPI 3.1 has no field for go into the extension `methods`. */
function createPathItem(
  operations: SitePath['operations'],
  describe: (operation: SiteOperation) => JsonObject,
  addSize: (part: Json) => void,
): JsonObject {
  const objects = markTwins(new Map(operations.map((each) => [each.method, describe(each)])));
  for (const object of objects.values()) addSize(object);
  const named = PATH_ITEM_METHODS.flatMap((name): [string, Json][] => {
    const object = objects.get(name.toUpperCase());
    return object === undefined ? [] : [[name, object]];
  });
  const others = [...objects].filter(([method]) => !isPathItemMethod(method.toLowerCase()));
  const item: JsonObject = Object.fromEntries(named);
  return others.length === 0 ? item : { ...item, [EXTENSION_NAMES.methods]: Object.fromEntries(others) };
}

/** The required `version` is constant: sites have none, and documents should change only with the API. */
function createInfo({ name, description, address, icon }: SiteModel): JsonObject {
  const title = name.trim() === '' ? new URL(address.base).host : name;
  return {
    title,
    description:
      description.trim() === '' ? 'The REST API of the site, as its root index states it.' : description,
    version: '1.0.0',
    // The extension of Redoc, which other readers know too.
    ...(/^https?:\/\/[!-~]{1,2000}$/.test(icon) ? { 'x-logo': { url: icon } } : {}),
  };
}

function createServer({ root, spelling }: SiteAddress): JsonObject {
  const url = trimTrailingSlashes(root);
  const description =
    'The path is the value of the query parameter `rest_route`; further parameters follow with `&`.';
  return spelling === 'pretty' ? { url } : { url, description };
}

/** Anonymous access comes first. Operations that need a user leave it out. */
function createSecurityRequirements(
  authentication: JsonObject,
  components: ComponentRegistry,
): readonly JsonObject[] {
  const { securitySchemes: schemes } = common;
  const hasPasswords = Object.hasOwn(authentication, APPLICATION_PASSWORD_SCHEME);
  if (hasPasswords)
    components.registerComponent('securitySchemes', 'applicationPassword', schemes.applicationPassword);
  components.registerComponent('securitySchemes', 'cookie', schemes.cookie);
  components.registerComponent('securitySchemes', 'nonce', schemes.nonce);
  return [{}, ...(hasPasswords ? [{ applicationPassword: [] }] : []), { cookie: [], nonce: [] }];
}
