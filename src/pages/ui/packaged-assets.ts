import files from '#assets';

/** A file that pages load. Its name contains its hash, so it never changes. */
export interface PackagedFile {
  readonly role: string;
  readonly file: string;
  readonly type: string;
  readonly integrity: string;
  readonly text: string;
}

/** Names and hashes of the files of documentation and console, and of the licences of what the scripts contain. */
export type DocsAssets = Readonly<
  Record<`${'style' | 'script' | 'searchWorker' | 'consoleStyle' | 'consoleScript' | 'licences'}Name`, string>
> &
  Readonly<Record<'scriptIntegrity' | 'consoleScriptIntegrity', string>> & {
    /** @param name last segment of its URL, e.g. `docs-4bb83382581b074e.js` */
    find(name: string): PackagedFile | undefined;
  };

export function loadDocsAssets(): DocsAssets {
  const findEntry = (role: string): PackagedFile => {
    const entry = files.find((candidate) => candidate.role === role);
    if (entry === undefined) throw new Error(`the assets of the documentation have none for ${role}`);
    return entry;
  };
  const script = findEntry('script');
  const consoleScript = findEntry('console-script');
  return {
    styleName: findEntry('style').file,
    scriptName: script.file,
    scriptIntegrity: script.integrity,
    searchWorkerName: findEntry('search-worker').file,
    consoleStyleName: findEntry('console-style').file,
    consoleScriptName: consoleScript.file,
    consoleScriptIntegrity: consoleScript.integrity,
    licencesName: findEntry('licences').file,
    find: (name) => files.find(({ file }) => file === name),
  };
}
