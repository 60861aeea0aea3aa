import { toClientCall } from './client-sample.ts';
import type { CodeLanguage } from './code-tokens.ts';
import { toCurl } from './curl-sample.ts';
import { toFetch } from './fetch-sample.ts';
import { toPhp } from './php-sample.ts';
import type { SampleRequest } from './sample-request.ts';

/** A request as a program. */
export interface CodeSample {
  readonly label: string;
  readonly language: CodeLanguage;
  readonly code: string;
}

/** Writes a request in each language. Nothing of the request can end a string of the program. */
export function createCodeSamples(request: SampleRequest): readonly CodeSample[] {
  return [
    { label: 'curl', language: 'shell', code: toCurl(request) },
    { label: 'TypeScript', language: 'javascript', code: toClientCall(request) },
    { label: 'fetch', language: 'javascript', code: toFetch(request) },
    { label: 'PHP', language: 'php', code: toPhp(request) },
  ];
}
