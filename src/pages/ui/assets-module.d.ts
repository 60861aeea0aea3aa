/** Written into the package by `npm run build`, see `imports` in package.json. */
declare module '#assets' {
  const files: readonly import('./packaged-assets.ts').PackagedFile[];
  export default files;
}
