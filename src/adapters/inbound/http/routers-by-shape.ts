import { Router, type RequestHandler } from 'express';

/** How many segments a path has, and the first of them. */
const shapeOf = (path: string): string => {
  const segments = (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
  return `${segments.length} ${segments[1] ?? ''}`;
};

/**
 * A router for each shape of path, so that only routes of that shape are tried: there are hundreds, and each that is tried reads a long
 * path from its beginning.
 */
export class RoutersByShape {
  readonly #routers = new Map<string, Router>();

  /** @param path as it is declared. @throws Error where it may have several shapes. */
  of(path: string): Router {
    if (/^\/[:*{]|\*|\{/.test(path)) throw new Error(`${path} is no path of one shape.`);
    const shape = shapeOf(path);
    const router = this.#routers.get(shape) ?? Router({ caseSensitive: true });
    this.#routers.set(shape, router);
    return router;
  }

  /** Hands each request to its router. Whoever walks through the routes of the application finds them, as in any router of Express. */
  get handle(): RequestHandler & Pick<Router, 'stack'> {
    const handle: RequestHandler = (request, response, next) => {
      const router = this.#routers.get(shapeOf(request.path));
      if (router === undefined) next();
      else router(request, response, next);
    };
    return Object.assign(handle, { stack: [...this.#routers.values()].flatMap(({ stack }) => stack) });
  }
}
