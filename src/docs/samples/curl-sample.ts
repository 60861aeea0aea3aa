import { PLACEHOLDERS, type SampleRequest, toDisposition, toSampleUrl, toText } from './sample-request.ts';

/** Writes a request as a command of a POSIX shell. */
export function toCurl(request: SampleRequest): string {
  const { body, file, hasCredentials, method } = request;
  const options: string[] = [];
  if (method !== 'GET') options.push(`--request ${shellWord(method)}`);
  if (hasCredentials) {
    options.push(`--user ${shellQuote(`${PLACEHOLDERS.username}:${PLACEHOLDERS.password}`)}`);
  }
  if (file !== undefined && file.field === '') {
    options.push(`--header ${shellQuote(`Content-Type: ${file.type}`)}`);
    options.push(`--header ${shellQuote(`Content-Disposition: ${toDisposition(file)}`)}`);
    options.push(`--data-binary ${shellQuote(`@${file.name}`)}`);
  } else if (file !== undefined) {
    options.push(`--form ${shellQuote(`${file.field}=@${file.name}`)}`);
    for (const [name, value] of Object.entries(body ?? {})) {
      options.push(`--form-string ${shellQuote(`${name}=${toText(value)}`)}`);
    }
  } else if (body !== undefined) {
    options.push(`--header ${shellQuote('Content-Type: application/json')}`);
    options.push(`--data ${shellQuote(JSON.stringify(body, null, 2).replaceAll('\n', '\n  '))}`);
  }
  return [`curl ${shellQuote(toSampleUrl(request))}`, ...options].join(' \\\n  ');
}

/** A method that is a word of the shell needs no quotes. */
function shellWord(text: string): string {
  return /^[A-Z]+$/.test(text) ? text : shellQuote(text);
}

function shellQuote(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
}
