/** A document with what each `$ref` leads to in its place. @throws Error for one that leads nowhere. */
export const withoutReferences = <Document extends object>(document: Document): Document => {
  const lookUp = (reference: string): unknown => {
    const found = reference
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], document);
    if (found === undefined) throw new Error(`${reference} leads nowhere.`);
    return found;
  };
  const resolve = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(resolve);
    if (typeof part !== 'object' || part === null) return part;
    const { $ref } = part as { readonly $ref?: unknown };
    if (typeof $ref === 'string') return resolve(lookUp($ref));
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, resolve(value)]));
  };
  return resolve(document) as Document;
};
