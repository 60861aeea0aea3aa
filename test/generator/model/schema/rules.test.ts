import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/base/json.ts';
import { normalized } from './normalized.ts';

/** Schemas, and what they become (`same`: what they are). `{string` stands for `{"type":"string"`, `x-` for `x-waygate-`. */
const ROWS = String.raw`
[] is an open schema
  [] → {}
  {"properties":{"a":[]},"type":"object"} → {object,"properties":{"a":{}}}
the name of a type is a schema
  {array,"items":"string"} → {array,"items":{string,"x-type":null}}
what is no schema is left open
  null → {}
  {object,"properties":{"a":7}} → {object,"properties":{"a":{}}}
  {array,"items":"Thing"} → {array,"items":{}}
booleans are schemas
  {object,"properties":{"a":false}} → {object,"properties":{"a":{"not":{}}}}
  {object,"additionalProperties":false} → same
members of a choice inherit its type
  {string,"oneOf":[{"minLength":1},{"type":"null"}]}
    → {string,"oneOf":[{string,"minLength":1},{"type":"null"}]}
  {"oneOf":[{"minLength":1}]} → same
an array with properties can be an object
  {array,"properties":{"a":{string}}}
    → {"type":["array","object"],"items":{},"properties":{"a":{string}},"x-type":"array"}
  {"type":["array","null"],"properties":{"a":{string}}}
    → {"type":["array","null","object"],"items":{},"properties":{"a":{string}},"x-type":["array","null"]}
  {object,"properties":{"a":{string}}} → same
keywords of another type have no effect
  {array,"items":{string},"properties":{"a":{string}},"additionalProperties":false}
    → {array,"items":{string}}
  {object,"items":{string}} → {object}
  {"type":["object","array"],"items":{string},"properties":{"a":{string}}} → same
  {"items":{string},"properties":{"a":{string}}} → same
members of a choice state the items of an array
  {"type":["object","array"],"oneOf":[{array,"items":{string}},{object,"properties":{"a":{string}}}]}
    → {"oneOf":[{array,"items":{string}},{object,"properties":{"a":{string}}}],"x-type":["object","array"]}
  {array,"anyOf":[{"items":{string}},{"items":{integer}}]}
    → {"anyOf":[{array,"items":{string}},{array,"items":{integer}}],"x-type":"array"}
  {object,"anyOf":[{object}]} → same
members that accept the same value become anyOf
  {"oneOf":[{string},{string,"enum":[""]}]} → {"anyOf":[{string},{string,"enum":[""]}],"x-exclusive":true}
  {"oneOf":[{integer},{number}]} → {"anyOf":[{integer},{number}],"x-exclusive":true}
  {"oneOf":[{string},{}]} → {"anyOf":[{string},{}],"x-exclusive":true}
  {"oneOf":[{string},{"type":["null","integer"]}]} → same
  {"oneOf":[{string},{string}],"anyOf":[{string},{"type":"null"}]} → same
an open negation would reject every value
  {"not":{"type":"wibble"}} → {}
readonly becomes readOnly
  {string,"readonly":true} → {string,"readOnly":true}
  {string,"readonly":false} → {string}
context becomes an extension
  {string,"context":["view","edit"]} → {string,"x-context":["view","edit"]}
  {string,"context":"view"} → {string,"x-context":["view"]}
  {string,"context":{"1":"view"}} → {string,"x-context":["view"]}
an example becomes a list of examples
  {string,"example":"a"} → {string,"examples":["a"]}
a format is a word
  {string,"format":["date-time"]} → {string}
  {string,"format":"constructor"} → {string}
  {string,"format":"text-field"} → same
a text is a string
  {string,"description":["a"]} → {string}
  {string,"title":false} → {string}
unknown keywords are dropped
  {"$schema":"http://json-schema.org/draft-04/schema#","type":"string"} → {string}
  {string,"sanitize_callback":"absint","arg_options":{}} → {string}
  {string,"id":"x","$id":"y","links":[]} → {string}
  {string,"$ref":"#/definitions/a","definitions":{"a":{}}} → {string}
  {integer,"divisibleBy":5,"if":{},"contains":{}} → {integer}
PHP writes properties as a list
  {object,"properties":[]} → {object}
  {object,"properties":[{string}]} → {object,"properties":{"0":{string}}}
  {object,"patternProperties":[]} → {object}
required properties are listed by the object
  {object,"properties":{"a":{string,"required":true},"b":{string,"required":false}}}
    → {object,"required":["a"],"properties":{"a":{string},"b":{string}}}
  {object,"required":["b"],"properties":{"a":{string,"required":true},"b":{string}}}
    → {object,"required":["b"],"properties":{"a":{string},"b":{string}}}
  {object,"properties":{"required":{"type":"boolean"},"items":{string},"default":{string}}} → same
required is a list of names
  {object,"required":["a","a",1]} → {object,"required":["a"]}
  {array,"items":{string,"required":true}} → {array,"items":{string}}
  {object,"required":[]} → {object}
other values of additionalProperties are true
  {object,"additionalProperties":[]} → {object,"additionalProperties":true}
  {object,"additionalProperties":{string}} → same
a list of items is a tuple
  {array,"items":[]} → {array,"items":{}}
  {array,"items":[{string}]} → {array,"items":{string,"x-type":null}}
  {array,"items":[{string},{integer}],"additionalItems":false}
    → {array,"prefixItems":[{string},{integer}],"items":{"not":{}}}
an array states its items
  {array} → {array,"items":{}}
a choice is a list of schemas
  {"oneOf":[]} → {}
  {"oneOf":{"0":{string},"2":{"type":"null"}}} → {}
  {"anyOf":[{string},"junk",null]} → {"anyOf":[{string},{},{}]}
  {"allOf":{string}} → {}
words of PHP are types
  {"type":"bool"} → {"type":"boolean","x-type":"bool"}
  {"type":"float"} → {number,"x-type":"float"}
  {"type":"String"} → {string,"x-type":"String"}
  {"type":"array|string"} → {"type":["array","string"],"x-type":"array|string","items":{}}
  {"type":"?int"} → {"type":["integer","null"],"x-type":"?int"}
  {"type":"file"} → {string,"format":"binary","x-type":"file"}
  {"type":"File"} → {string,"format":"binary","x-type":"File"}
  {"type":"?file","format":"uri"} → {"type":["string","null"],"format":"binary","x-type":"?file"}
  {"type":"file|string"} → {string,"x-type":"file|string"}
  {"type":"string[]"} → {array,"x-type":"string[]","items":{}}
a list of types has distinct words
  {"type":["string"]} → {string}
  {"type":["string","wibble",7]} → {string}
  {"type":["bool","null"]} → {"type":["boolean","null"],"x-type":["bool","null"]}
  {"type":{"1":"string","2":"null"}} → {"type":["string","null"]}
other words allow every type
  {"type":"mixed"} → {}
  {"type":"WP_Post"} → {}
  {"type":[]} → {}
  {"type":["string",{object}]} → {}
a type is inferred from other keywords
  {"properties":{"a":{string}}} → {object,"properties":{"a":{string}},"x-type":null}
  {"enum":["a","b"]} → {string,"enum":["a","b"],"x-type":null}
  {"properties":{"a":{string}},"items":{string}} → same
  {"minLength":3} → same
nullable allows null
  {string,"nullable":true} → {"type":["string","null"],"x-type":"string"}
  {string,"nullable":false} → {string}
  {"nullable":true} → {}
an enum is a list of distinct values
  {string,"enum":{"0":"a","2":"b"}} → {string,"enum":["a","b"]}
  {string,"enum":["a","b","a"]} → {string,"enum":["a","b"]}
  {"enum":[{"a":1,"b":2},{"b":2,"a":1}]} → {"enum":[{"a":1,"b":2}]}
  {string,"enum":[]} → {string}
values of an enum have its type
  {integer,"enum":["1","2","x"]} → {integer,"enum":[1,2]}
  {"type":"boolean","enum":["true",0]} → {"type":"boolean","enum":[true,false]}
  {string,"enum":[1,"a"]} → {string,"enum":["1","a"]}
  {object,"enum":["a"]} → {object}
  {"type":["string","null"],"enum":[1,null]} → {"type":["string","null"],"enum":["1",null]}
exclusive bounds of draft 4 become numbers
  {number,"minimum":0,"exclusiveMinimum":true} → {number,"exclusiveMinimum":0}
  {number,"minimum":0,"exclusiveMinimum":false} → {number,"minimum":0}
  {number,"exclusiveMinimum":true} → {number}
a bound is a number
  {string,"minLength":-1} → {string}
  {string,"maxLength":2.5} → {string}
  {integer,"minimum":"one","multipleOf":0} → {integer}
a flag is a boolean
  {array,"items":{string},"uniqueItems":1} → {array,"items":{string}}
  {string,"deprecated":"since 5.0"} → {string}
  {string,"readOnly":""} → {string}
a pattern is a string
  {string,"pattern":["a"]} → {string}
a pattern is translated
  {string,"pattern":"^[a-z]+$"} → {string,"pattern":"^[a-z]+\\n?$","x-pcre":"^[a-z]+$"}
  {string,"pattern":"[a-z]+"} → same
a pattern without an exact form is widened
  {string,"pattern":"(a)\\1"} → {string,"pattern":"a[\\s\\S]*","x-pcre":"(a)\\1"}
a pattern without any form is dropped
  {string,"pattern":"(a"} → {string,"x-pcre":"(a"}
patterns of names without a form of their own are dropped
  {object,"patternProperties":{"(a":{string},"b":{string}},"additionalProperties":false}
    → {object,"patternProperties":{"b":{string}}}
  {object,"patternProperties":{"(?:b)":{string},"b":{string}},"additionalProperties":false}
    → {object,"patternProperties":{"b":{string}},"x-pattern-properties":{"b":"(?:b)"}}
patterns of names are translated
  {object,"patternProperties":{"a+":{string}},"additionalProperties":false} → same
  {object,"patternProperties":{"^a$":{string}}}
    → {object,"patternProperties":{"^a\\n?$":{string}},"x-pattern-properties":{"^a\\n?$":"^a$"}}
null is no default
  {string,"default":null} → {string,"x-default":null}
the time of the request is no default
  {string,"default":"2028-11-23 20:46:27"} → {string}
  {string,"default":"2024-12-31"} → same
[] is the empty object
  {object,"default":[]} → {object,"default":{}}
  {"type":["object","null"],"default":[]} → {"type":["object","null"],"default":{}}
  {"type":["object","array"],"items":{string},"default":[]} → same
a default that its schema refuses becomes an extension
  {string,"enum":["a"],"default":"b"} → {string,"enum":["a"],"x-default":"b"}
  {integer,"default":"10"} → {integer,"x-default":"10"}
  {string,"format":"uri","default":""} → {string,"format":"uri","x-default":""}
  {integer,"minimum":1,"default":10} → same
  {string,"format":"hex-color","default":"#fff"} → same
`;

function readSchema(text: string): Json {
  return JSON.parse(text.replace(/\{([a-z]+)(?=[,}])/g, '{"type":"$1"').replaceAll('"x-', '"x-waygate-'));
}

const SUBJECTS = [...ROWS.matchAll(/^(\S.*)\n((?: .*\n)+)/gm)].map(([, subject = '', rows = '']) => ({
  subject,
  rows: rows
    .replaceAll('\n    ', ' ')
    .trim()
    .split(/\s*\n\s*/),
}));

describe.each(SUBJECTS)('$subject', ({ rows }) => {
  test.each(rows)('%s', (row) => {
    const [given = '', want = ''] = row.split(' → ');
    const schema = readSchema(given);
    expect(normalized(schema).schema).toEqual(want === 'same' ? schema : readSchema(want));
  });
});

/** Losses, with the pointer of each. Repairs without a loss aren't reported. */
test.each([
  ['{string,"readonly":true,"context":["view"],"enum":["a","a"],"required":true,"unknown":1}'],
  ['{object,"properties":{"a/b":7}}', 'schema-not-schema /properties/a~1b'],
  ['{"not":{"type":"wibble"}}', 'type-unknown /not/type', 'negation-open /not'],
  ['{integer,"minimum":"one","oneOf":[]}', 'keyword-not-usable /minimum', 'keyword-not-usable /oneOf'],
  ['{array,"items":{string,"pattern":"(a"}}', 'pattern-not-representable /items/pattern'],
  ['{string,"pattern":"(a)\\\\1"}', 'pattern-wider /pattern'],
  ['{object,"patternProperties":{"(a":{string}}}', 'pattern-properties-lost /patternProperties/(a'],
  ['{integer,"default":"x"}', 'default-refused /default'],
])('%s: what is lost is reported', (given, ...losses) => {
  const { found } = normalized(readSchema(given));
  expect(found.map(({ pointer, rule }) => `${rule} ${pointer}`)).toEqual(losses);
});
