/** Where a part of the document stands once, as in `schemas/Issue`. Symbols are no part of a schema: neither validation nor JSON sees it. */
const PLACE = Symbol('place in components');

type Kind = 'schemas' | 'responses' | 'headers' | 'parameters';

/** Gives a part of the OpenAPI document a name: it stands among the components, and is referred to wherever it is used. */
export const component = <Part extends object>(place: `${Kind}/${string}`, part: Part): Part =>
  Object.assign(part, { [PLACE]: place });

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The same document with each named part written once. @throws Error for two parts of one name. */
export const shareComponents = <Document extends { readonly components: Components }>(document: Document): Document => {
  const shared = new Map<string, unknown>();
  const share = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(share);
    if (typeof part !== 'object' || part === null) return part;
    const place = (part as { readonly [PLACE]?: string })[PLACE];
    const whole = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, share(value)]));
    if (place === undefined) return whole;
    const known = shared.get(place);
    if (known === undefined) shared.set(place, whole);
    else if (JSON.stringify(known) !== JSON.stringify(whole)) throw new Error(`Two components are called ${place}.`);
    return { $ref: `#/components/${place}` };
  };
  const written = share(document) as Document;
  const components: Record<string, Record<string, unknown>> = { ...written.components };
  for (const [place, part] of [...shared].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [kind = '', name = ''] = place.split('/');
    components[kind] = { ...components[kind], [name]: part };
  }
  return { ...written, components };
};
