import type { Request } from 'express';
import { isStorable } from '../validation/storable-text.js';

/** The path of a project that stands before `/-/` in an address; a number would be an id, and an address is a path. */
export const projectPath = (request: Request): string => {
  const path = joinedPath(request);
  return path.includes('/') ? path : '';
};

/** What a `*path` of an address caught. */
export const joinedPath = (request: Request): string => {
  const path: string | string[] | undefined = request.params['path'];
  const joined = Array.isArray(path) ? path.join('/') : (path ?? '');
  return isStorable(joined) ? joined : '';
};
