import { toKey, toLiteral } from './javascript-literal.ts';
import {
  PLACEHOLDERS,
  type SampleFile,
  type SampleRequest,
  toDisposition,
  toSampleUrl,
  toText,
} from './sample-request.ts';

/** Writes a request as a program for `fetch`. */
export function toFetch(request: SampleRequest): string {
  const { file, hasCredentials, method } = request;
  const { before, content, headers } = toContent(request);
  if (hasCredentials) {
    const credentials = toLiteral(`${PLACEHOLDERS.username}:${PLACEHOLDERS.password}`);
    headers.unshift(['Authorization', `\`Basic \${btoa(${credentials})}\``]);
  }
  const lines = method === 'GET' ? [] : [`method: ${toLiteral(method)},`];
  if (headers.length > 0) {
    lines.push('headers: {', ...headers.map(([name, value]) => `  ${toKey(name)}: ${value},`), '},');
  }
  if (content !== undefined) lines.push(`body: ${content},`);
  const options = lines.length === 0 ? '' : `, {\n${lines.map((line) => `  ${line}`).join('\n')}\n}`;
  return [
    ...(file === undefined ? [] : [FILE_IMPORT, '', toFileConstant(file)]),
    ...before,
    `const response = await fetch(${toLiteral(toSampleUrl(request))}${options});`,
    'console.log(response.status, await response.json());',
  ].join('\n');
}

/** Reads files in Node. In a browser a file comes from an `<input type="file">`. */
export const FILE_IMPORT = "import { openAsBlob } from 'node:fs';";

/** Declares the file that a sample uploads. */
export function toFileConstant({ name, type }: SampleFile): string {
  return `const file = new File([await openAsBlob(${toLiteral(name)})], ${toLiteral(name)}, { type: ${toLiteral(type)} });`;
}

interface Content {
  /** Lines that create the content. */
  readonly before: readonly string[];
  readonly headers: [name: string, code: string][];
  readonly content: string | undefined;
}

function toContent({ body, file }: SampleRequest): Content {
  if (file !== undefined && file.field === '') {
    const headers: [string, string][] = [
      ['Content-Type', toLiteral(file.type)],
      ['Content-Disposition', toLiteral(toDisposition(file))],
    ];
    return { before: [], headers, content: 'file' };
  }
  if (file !== undefined) {
    const fields = Object.entries(body ?? {}).map(
      ([name, value]) => `form.append(${toLiteral(name)}, ${toLiteral(toText(value))});`,
    );
    const before = [
      'const form = new FormData();',
      `form.append(${toLiteral(file.field)}, file);`,
      ...fields,
    ];
    return { before, headers: [], content: 'form' };
  }
  if (body === undefined) return { before: [], headers: [], content: undefined };
  const json = toLiteral(body).replaceAll('\n', '\n  ');
  return {
    before: [],
    headers: [['Content-Type', "'application/json'"]],
    content: `JSON.stringify(${json})`,
  };
}
