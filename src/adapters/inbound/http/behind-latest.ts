import type { Request } from 'express';
import { NotFound } from '../../../domain/shared/domain-error.js';
import { requestTarget } from './request-target.js';

/**
 * What an address has behind the name of the newest release, to be put behind that of its tag: the path and the query as they were sent.
 *
 * @param rest the path without its encoding; absent where there is none. @throws NotFound for one that leads up and out.
 */
export const behindLatest = (rest: string | undefined, { originalUrl }: Pick<Request, 'originalUrl'>): string => {
  const segments = rest === undefined ? [] : ['', ...rest.split('/')];
  if (segments.some((segment) => segment === '.' || segment === '..')) throw new NotFound();
  const [, ...query] = requestTarget(originalUrl).split('?');
  return [segments.map(encodeURIComponent).join('/'), ...query].join('?');
};
