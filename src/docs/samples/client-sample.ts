import { FILE_IMPORT, toFileConstant } from './fetch-sample.ts';
import { toLiteral } from './javascript-literal.ts';
import { PLACEHOLDERS, type SampleRequest } from './sample-request.ts';

/** Writes a request as a program for the generated client. */
export function toClientCall(request: SampleRequest): string {
  const { baseUrl, file, hasCredentials, method, path } = request;
  const members = toCallOptions(request).map((option) => `  ${option.replaceAll('\n', '\n  ')},`);
  const options = members.length === 0 ? '' : `, {\n${members.join('\n')}\n}`;
  return [
    ...(file === undefined ? [] : [FILE_IMPORT]),
    "import { createClient } from './site.client.ts';",
    '',
    'const client = createClient({',
    `  baseUrl: ${toLiteral(baseUrl)},`,
    ...(hasCredentials ? [`  auth: ${toLiteral(PLACEHOLDERS)},`] : []),
    '});',
    ...(file === undefined ? [] : [toFileConstant(file)]),
    `const { data, error } = await client.${toMember(method)}(${toLiteral(path)}${options});`,
    'console.log(data ?? error);',
  ].join('\n');
}

function toCallOptions({ body, file, pathParameters, query }: SampleRequest): readonly string[] {
  const options: string[] = [];
  if (pathParameters.length > 0) {
    const members = pathParameters.map(({ name, value }) => [name, value] as const);
    options.push(`path: ${toLiteral(Object.fromEntries(members))}`);
  }
  if (query.length > 0) options.push(`query: ${toLiteral(Object.fromEntries(query))}`);
  if (file !== undefined) options.push('file');
  if (body !== undefined && (file === undefined || Object.keys(body).length > 0)) {
    options.push(`body: ${toLiteral(body)}`);
  }
  return options;
}

function toMember(method: string): string {
  return /^[A-Z]+$/.test(method) ? method : 'request';
}
