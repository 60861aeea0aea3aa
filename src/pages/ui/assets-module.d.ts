/** Written into the package by `npm run build`, see `imports` in package.json. */
declare module '#assets' {
  const files: import('./packaged-assets.ts').DocsAssets;
  export default files;
}
