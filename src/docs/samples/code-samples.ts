import { toClientCall } from './client-sample.ts';
import { toCurl } from './curl-sample.ts';
import { toFetch } from './fetch-sample.ts';
import { toPhp } from './php-sample.ts';
import type { SampleRequest } from './sample-request.ts';

/** A request as a program. */
export interface CodeSample {
  readonly label: string;
  readonly code: string;
}

/** Writes a request in each language. Nothing of the request can end a string of the program. */
export function createCodeSamples(request: SampleRequest): readonly CodeSample[] {
  return [
    { label: 'curl', code: toCurl(request) },
    { label: 'TypeScript', code: toClientCall(request) },
    { label: 'fetch', code: toFetch(request) },
    { label: 'PHP', code: toPhp(request) },
  ];
}
