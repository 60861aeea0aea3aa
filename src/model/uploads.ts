import type { IndexEndpoint } from '../discovery/site.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { Body } from './site.ts';

/**
 * Whether a file may be sent to an endpoint. The index has no word for it, so three facts speak, the surest first:
 * 1. the route's resource is a file (it has the address and the kind of one) and a POST at its collection makes one:
 *    WordPress's media, which takes the file as the whole body or as a part called `file`;
 * 2. an argument is declared to be a file;
 * 3. the path says upload (`/upload/background`, `/tasks/{task_id}/comment-image-upload`).
 */
export function uploadOf(
  method: string,
  endpoint: IndexEndpoint,
  shape: string,
  schema: JsonObject | undefined,
): Body['upload'] {
  if (method === 'POST' && !shape.endsWith('}') && schema !== undefined && isFile(schema)) return 'file';
  if (endpoint.args.some(({ declaration }) => declaresFile(declaration)) || saysUpload(shape)) return 'form';
  return 'none';
}

const ADDRESS_OF_A_FILE = 'source_url';
const KIND_OF_A_FILE = ['mime_type', 'media_type', 'media_details'];

function isFile(schema: JsonObject): boolean {
  const properties = schema['properties'];
  return (
    isJsonObject(properties) &&
    Object.hasOwn(properties, ADDRESS_OF_A_FILE) &&
    KIND_OF_A_FILE.some((name) => Object.hasOwn(properties, name))
  );
}

function declaresFile(declaration: JsonObject): boolean {
  return declaration['type'] === 'file' || declaration['format'] === 'binary';
}

function saysUpload(shape: string): boolean {
  return /(?:^|[/_-])uploads?(?:$|[/_-])/i.test(shape);
}
