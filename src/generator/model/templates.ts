/** `/posts/{parent}/revisions` → `/posts/{}/revisions`, by which paths must differ (OpenAPI 3.1.1 §4.8.8). */
export function removeParameterNames(template: string): string {
  return template.replace(/\{[^{}]*\}/g, '{}');
}

export function parameterNamesOf(template: string): readonly string[] {
  return Array.from(template.matchAll(/\{([^{}]*)\}/g), ([, name = '']) => name);
}
