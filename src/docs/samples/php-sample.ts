import { isJsonObject, type Json } from '../../json.ts';
import {
  PLACEHOLDERS,
  type SampleFile,
  type SampleRequest,
  toDisposition,
  toSampleUrl,
  toText,
} from './sample-request.ts';

/** Writes a request as a program for the HTTP functions of WordPress. */
export function toPhp(request: SampleRequest): string {
  const { hasCredentials, method } = request;
  const { before, content, headers } = toContent(request);
  if (hasCredentials) {
    const credentials = quote(`${PLACEHOLDERS.username}:${PLACEHOLDERS.password}`);
    headers.unshift(['Authorization', `'Basic ' . base64_encode( ${credentials} )`]);
  }
  const members = [`'method' => ${quote(method)},`];
  if (headers.length > 0) {
    members.push(
      "'headers' => array(",
      ...headers.map(([name, value]) => `\t${quote(name)} => ${value},`),
      '),',
    );
  }
  if (content !== undefined) members.push(`'body' => ${content},`);
  return [
    ...before,
    '$response = wp_remote_request(',
    `\t${quote(toSampleUrl(request))},`,
    '\tarray(',
    ...members.map((member) => `\t\t${member}`),
    '\t)',
    ');',
    '$data = json_decode( wp_remote_retrieve_body( $response ), true );',
  ].join('\n');
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
      ['Content-Type', quote(file.type)],
      ['Content-Disposition', quote(toDisposition(file))],
    ];
    return { before: [], headers, content: `file_get_contents( ${quote(file.name)} )` };
  }
  if (file !== undefined) {
    return {
      before: toFormLines(file, Object.entries(body ?? {})),
      headers: [['Content-Type', `'multipart/form-data; boundary=' . $boundary`]],
      content: '$form',
    };
  }
  if (body === undefined) return { before: [], headers: [], content: undefined };
  return {
    before: [],
    headers: [['Content-Type', "'application/json'"]],
    content: `wp_json_encode( ${toPhpValue(body, 2)} )`,
  };
}

/** WordPress has no function that writes a form with files. */
function toFormLines(file: SampleFile, fields: readonly (readonly [string, Json])[]): readonly string[] {
  const parts = [
    ...fields.map(([name, value]) => ({ head: toPartHead(name), content: quote(toText(value)) })),
    {
      head: `${toPartHead(file.field)}; filename="${escapeName(file.name)}"`,
      type: file.type,
      content: `file_get_contents( ${quote(file.name)} )`,
    },
  ];
  return [
    '$boundary = wp_generate_password( 24, false );',
    "$form = '';",
    ...parts.flatMap(({ content, head, ...rest }) => [
      `$form .= "--$boundary\\r\\n" . ${quote(head)} . "\\r\\n";`,
      ...('type' in rest ? [`$form .= ${quote(`Content-Type: ${rest.type}`)} . "\\r\\n";`] : []),
      `$form .= "\\r\\n" . ${content} . "\\r\\n";`,
    ]),
    '$form .= "--$boundary--\\r\\n";',
  ];
}

function toPartHead(name: string): string {
  return `Content-Disposition: form-data; name="${escapeName(name)}"`;
}

/** Escapes a name as browsers do (WHATWG HTML, multipart form data). */
function escapeName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** @param depth of the line that the value begins on, in tabs */
function toPhpValue(value: Json, depth: number): string {
  if (typeof value === 'string') return quote(value);
  if (!isJsonObject(value) && !Array.isArray(value)) return JSON.stringify(value);
  if (!isJsonObject(value)) return `array( ${value.map((item) => toPhpValue(item, depth)).join(', ')} )`;
  const members = Object.entries(value);
  if (members.length === 0) return 'array()';
  const indent = '\t'.repeat(depth);
  const lines = members.map(([name, item]) => `${indent}\t${quote(name)} => ${toPhpValue(item, depth + 1)},`);
  return `array(\n${lines.join('\n')}\n${indent})`;
}
