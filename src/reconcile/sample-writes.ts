import { createExampleFactory } from '../example-values/example-value.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../json.ts';
import { dereference } from '../openapi/document-references.ts';
import type { Operation } from '../openapi/index.ts';
import { isBatchOperation } from '../validation/request/batch.ts';
import { isTyped } from './document-operations.ts';
import type { PathExpander } from './path-expander.ts';

const WRITE_METHODS: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Resources that exist once, or whose change can lock a user out. */
const PROTECTED_PATH = /^\/wp\/v2\/(?:settings|users|plugins|themes)(?=\/|$)/;

/** Actions that remove what other writes need: `POST /redirection/v1/plugin/delete` removes the plugin. */
export const DELETING_PATH: RegExp = /[/_-](?:archive|clear|delete|remove|reset|uninstall)(?:[/_-]|$)/;

/**
 * Writes without a described response, and the creations that they need. Deletions come last, the innermost
 * first. @param named route patterns from the user
 */
export function selectWrites<Write extends { readonly operation: Operation }>(
  operations: readonly Write[],
  named: readonly string[],
): readonly Write[] {
  const isSent = (operation: Operation): boolean => {
    const [guarded] = PROTECTED_PATH.exec(operation.path) ?? [];
    const isNamed = guarded === undefined || named.some((pattern) => pattern.startsWith(guarded));
    return isNamed && WRITE_METHODS.includes(operation.method) && !isBatchOperation(operation);
  };
  const sent = operations.filter(({ operation }) => isSent(operation));
  const untyped = sent.filter(({ operation }) => !isTyped(operation));
  const creates = ({ method, path }: Operation): boolean =>
    method === 'POST' && untyped.some(({ operation }) => operation.path.startsWith(`${path}/{`));
  const rank = ({ operation: { method, path } }: Write): number => {
    const depth = path.split('/').length;
    if (method === 'DELETE') return 2000 - depth;
    return (
      (DELETING_PATH.test(path) ? (path.includes('{') ? 1000 : 3000) : depth * 10) +
      WRITE_METHODS.indexOf(method)
    );
  };
  return sent
    .filter((write) => untyped.includes(write) || creates(write.operation))
    .sort((one, other) => rank(one) - rank(other));
}

/** Maximum number of optional members of a body: few sites create an item without its usual members. */
const MAX_MEMBERS = 12;
const ID_NAME = /(?:^|_)id$|^(?:parent|post|author)$/;

/** With usual members, then without. If none is declared, the item that the path shows comes first. */
export function createBodies(
  operation: Operation,
  paths: PathExpander,
  target: string,
): readonly (Json | null)[] {
  const { bodySchema, method, path, source } = operation;
  if (bodySchema === undefined) return [null];
  if (jsonMembers(dereference(bodySchema, source.document)?.['properties']).length === 0) {
    const shown = paths.createBodies(path, target, method === 'POST');
    return shown.length > 0 ? shown : [{}];
  }
  const bodies = [MAX_MEMBERS, 0].map((most) => {
    const isUsable = (): boolean => true;
    const chooseMembers = (schema: JsonObject): readonly string[] => {
      const required = jsonItems(schema['required']).filter((name) => typeof name === 'string');
      const writable = jsonMembers(schema['properties']).filter(
        ([, member]) => isJsonObject(member) && member['readOnly'] !== true,
      );
      return [...new Set([...required, ...writable.slice(0, most).map(([name]) => name)])];
    };
    const factory = createExampleFactory(source.document, { chooseMembers, isUsable });
    return factory.create(bodySchema, [], ({ enum: allowed, type }, at) => {
      const name = at.at(-1) ?? '';
      if (!ID_NAME.test(name) || allowed !== undefined) return undefined;
      const [id] = paths.valuesOf(name, path);
      return id === undefined || type === 'string' ? id : Number(id);
    });
  });
  return [...new Map(bodies.map((body) => [JSON.stringify(body), body])).values()];
}
