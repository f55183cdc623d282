import { Forbidden, NotFound } from '../../../../domain/shared/domain-error.js';

/** What was asked for, where the caller may have it; undefined where they may not. @throws anything else that keeps it from them. */
export const permittedOrNot = async <Place>(asked: Promise<Place>): Promise<Place | undefined> => {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof NotFound || error instanceof Forbidden) return undefined;
    throw error;
  }
};
