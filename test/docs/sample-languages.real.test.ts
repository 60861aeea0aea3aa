import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCodeSamples } from '../../src/docs/code-samples.ts';
import type { Json, JsonObject } from '../../src/json.ts';

/** What stands for the library of a sample, and prints the body. */
const PHP = `namespace sample;
function curl_init($url) { return $url; }
function curl_setopt_array($request, $options) { echo $options[CURLOPT_POSTFIELDS]; exit; }
`;
const PYTHON = `import json, sys, types
sys.modules['requests'] = types.SimpleNamespace(request=lambda method, url, **options: sys.exit(print(json.dumps(options['json']))))
`;
const RUNS: readonly (readonly [label: string, run: (code: string) => Buffer])[] = [
  ['PHP', (code) => execFileSync('php', ['-r', PHP + code])],
  ['Python', (code) => execFileSync('python3', ['-c', PYTHON + code])],
];

const texts = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', "'", '\\', '\\"', '${x}', '{$x}', '\n', "'); exit('", '"', '\u2028'),
);
const values = fc.oneof(texts, fc.boolean(), fc.constant(null), fc.integer(), fc.array(texts));

test.each(RUNS)('%s sends the body of a sample, whatever it contains', (label, run) => {
  const bodies = fc.dictionary(texts, fc.oneof(values, fc.dictionary(texts, values, { minKeys: 1 })), {
    minKeys: 1,
  });
  fc.assert(
    fc.property(bodies, (body) => {
      const sent: JsonObject = JSON.parse(JSON.stringify(body));
      const samples = createCodeSamples({
        ...{ method: 'POST', path: '/a', baseUrl: 'https://example.com', pathParameters: [], query: [] },
        ...{ body: sent, file: undefined, credentials: 'user' },
      });
      const code = samples.find((sample) => sample.label === label)?.code ?? '';
      const received: Json = JSON.parse(run(code).toString());
      expect(received).toEqual(sent);
    }),
    { numRuns: 40 },
  );
});
