import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { createCodeSamples } from '../../../src/generator/reference/code-samples.ts';

/** What stands for the library of a sample, and prints the body of each. */
const PHP = `namespace sample;
class Sent extends \\Exception {}
function curl_init($url) { return $url; }
function curl_setopt_array($request, $options) { throw new Sent($options[CURLOPT_POSTFIELDS]); }
foreach (json_decode(stream_get_contents(STDIN)) as $code) {
    try { eval("namespace sample; " . substr($code, strlen("<?php"))); } catch (Sent $sent) { echo $sent->getMessage(), "\n"; }
}
`;
const PYTHON = `import json, sys, types
class Sent(Exception): pass
def send(method, url, **options): raise Sent(json.dumps(options['json']))
sys.modules['requests'] = types.SimpleNamespace(request=send)
for code in json.load(sys.stdin):
    try: exec(code, {})
    except Sent as sent: print(sent)
`;
/** One process runs all samples, because its start takes longer than they do. */
const RUNS: readonly (readonly [label: string, run: (input: string) => Buffer])[] = [
  ['PHP', (input) => execFileSync('php', ['-r', PHP], { input })],
  ['Python', (input) => execFileSync('python3', ['-c', PYTHON], { input })],
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
  const drawn = [{ a: { 0: 1, 1: 2 } }, ...fc.sample(bodies, 200)];
  const sent: readonly JsonObject[] = drawn.map((body) => JSON.parse(JSON.stringify(body)));
  const codes = sent.map((body) => {
    const samples = createCodeSamples({
      ...{ method: 'POST', path: '/a', baseUrl: 'https://example.com', pathParameters: [], query: [] },
      ...{ body, file: undefined, credentials: 'user' },
    });
    return samples.find((sample) => sample.label === label)?.code ?? '';
  });
  const output = run(JSON.stringify(codes)).toString().trimEnd();
  expect(output.split('\n').map((line): Json => JSON.parse(line))).toEqual(sent);
});
