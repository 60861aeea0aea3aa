// Prints the sizes of a call and of validators with three bundlers, in bytes with gzip.
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import webpack from 'webpack';

const sizeOf = (/** @type {string | Uint8Array} */ code) => gzipSync(code).length;

async function withEsbuild(input) {
  const options = { bundle: true, minify: true, format: 'esm', platform: 'browser', write: false };
  const { outputFiles } = await build({ entryPoints: [input], ...options });
  return sizeOf(outputFiles[0].contents);
}

async function withRolldown(input) {
  const bundle = await rolldown({ input, platform: 'browser' });
  const { output } = await bundle.generate({ minify: true });
  return sizeOf(output[0].code);
}

async function withWebpack(input) {
  const stats = await new Promise((resolve, reject) =>
    webpack(
      {
        mode: 'production',
        entry: `./${input}`,
        experiments: { outputModule: true },
        output: { library: { type: 'module' }, filename: 'webpack.js' },
        module: { rules: [{ test: /\.ts$/, loader: 'ts-loader', options: { transpileOnly: true } }] },
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    ),
  );
  if (stats.hasErrors()) throw new Error(stats.toString());
  return sizeOf(readFileSync('dist/webpack.js'));
}

function writeProgram(file, names) {
  writeFileSync(file, `export { ${names.join(', ')} } from './api/site.validators.ts';\n`);
  return file;
}

const resources = ['Category', 'Comment', 'Page', 'Post', 'Tag'];
const ten = resources.flatMap((name) => [`Create${name}Validators`, `Update${name}Validators`]);
const programs = {
  call: 'call.ts',
  'validators of createPost': writeProgram('one.ts', ['CreatePostValidators']),
  'validators of ten': writeProgram('ten.ts', ten),
};
const sizes = {};
for (const [name, input] of Object.entries(programs))
  sizes[name] = [await withRolldown(input), await withEsbuild(input), await withWebpack(input)];

const module = readFileSync('api/site.validators.ts', 'utf8');
const each = [];
for (const [, name] of module.matchAll(/^export const (\w+Validators)\b/gm))
  each.push(await withEsbuild(writeProgram('each.ts', [name])));
each.sort((a, b) => a - b);
sizes['validators of any operation (median, largest; esbuild)'] = [each[each.length >> 1], each.at(-1)];
console.log(JSON.stringify(sizes));
