import { MAX_OFFSET, type PageRequest } from '../../../../domain/shared/page.js';
import { HttpError } from '../http-error.js';

/** For lists that also page by cursors or ids. @throws HttpError 405 for a page by number that begins beyond `MAX_OFFSET`. */
export const refuseDeepPage = ({ page, perPage }: PageRequest, of: 'Event' | 'Project'): void => {
  if ((page - 1) * perPage <= MAX_OFFSET) return;
  throw new HttpError(
    405,
    `Offset pagination has a maximum allowed offset of ${MAX_OFFSET} for requests that return objects of type ${of}. ` +
      'Remaining records can be retrieved using keyset pagination.',
  );
};
