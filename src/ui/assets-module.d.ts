/** Module that `npm run build` writes into the package: `imports` of package.json says where. */
declare module '#assets' {
  const files: readonly import('./packaged-assets.ts').PackagedFile[];
  export default files;
}
