export function readGuide(cacheComponents: boolean): Promise<Readonly<Record<string, string>>>;
export function submitForm(url: string, values: Readonly<Record<string, string>>): Promise<string>;
export function checkGuide(project: import('./run.mjs').Project, cacheComponents: boolean): Promise<void>;
