import { randomBytes } from 'node:crypto';
import { type Json, jsonMembers, memberAt, toJsonObject, toText } from '../base/json.ts';
import { typesOf } from '../generator/model/schema/keywords.ts';
import type { Operation } from '../generator/openapi/operations.ts';
import { contentSchemaOf } from '../generator/openapi/schema-view.ts';
import type { AgentSite } from './agent-site.ts';
import { propertiesOf } from './present-item.ts';

/** An upload's file, or one that a member refers to after its upload. */
export interface SentFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export const WRONG_FILE =
  '"file" must be {"name": "photo.jpg", "base64": "…"}, or {"path": …} of a file in the operator\'s folder.';

/** Takes an upload's files, and files in place of ids, out of a body, which names them. @returns no files if one is unreadable */
export async function readFiles(
  body: Json,
  { requestBody, source }: Operation,
  site: AgentSite,
): Promise<readonly [files: ReadonlyMap<string, SentFile> | undefined, body: Json]> {
  const properties = propertiesOf(contentSchemaOf(requestBody), source.document);
  const files = new Map<string, SentFile>();
  const named: [string, Json][] = [];
  for (const [name, value] of jsonMembers(body)) {
    const isUpload = name === 'file' && isUploading(requestBody);
    const sent = isUpload ? value : memberAt(value, 'file');
    if (sent === undefined || !(isUpload || typesOf(toJsonObject(properties[name])).includes('integer')))
      continue;
    const file = await decodeFile(sent, site);
    if (file === undefined) return [undefined, body];
    files.set(name, file);
    named.push([name, { file: { name: file.name, bytes: file.bytes.byteLength } }]);
  }
  return [files, files.size === 0 ? body : { ...toJsonObject(body), ...Object.fromEntries(named) }];
}

export function isUploading(requestBody: Operation['requestBody']): boolean {
  return memberAt(requestBody?.content, 'multipart/form-data') !== undefined;
}

async function decodeFile(file: Json | undefined, site: AgentSite): Promise<SentFile | undefined> {
  const { base64, name, path } = toJsonObject(file);
  if (typeof path === 'string') {
    const bytes = await site.readFile?.(path);
    return bytes == null
      ? undefined
      : { bytes, name: typeof name === 'string' ? name : path.replace(/.*[\\/]/s, '') };
  }
  if (typeof base64 !== 'string' || typeof name !== 'string' || !/^[\w+/=\s-]+$/.test(base64))
    return undefined;
  return { name, bytes: new Uint8Array(Buffer.from(base64, 'base64')) };
}

/** Writes a form with a file and the members beside it (RFC 7578). */
export function encodeForm(
  { bytes, name }: SentFile,
  body: Json,
): readonly [headers: string[], body: Uint8Array<ArrayBuffer>] {
  // No value that the agent sends can contain a random boundary.
  const boundary = `waygate-${randomBytes(16).toString('hex')}`;
  const quote = (text: string): string => text.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const others = jsonMembers(body).filter(([field]) => field !== 'file');
  const parts = [
    ...others.map(([field, value]) => [`name="${quote(field)}"`, toText(value)] as const),
    [`name="file"; filename="${quote(name)}"`, bytes] as const,
  ].flatMap(([disposition, value]) => [
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`,
    value,
    '\r\n',
  ]);
  const chunks = [...parts, `--${boundary}--\r\n`].map((part) => Buffer.from(part));
  return [
    ['Content-Type', `multipart/form-data; boundary=${boundary}`],
    new Uint8Array(Buffer.concat(chunks)),
  ];
}
