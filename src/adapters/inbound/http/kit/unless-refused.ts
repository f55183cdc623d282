import { Forbidden, NotFound } from '../../../../domain/shared/domain-error.js';

/** What is shown where the viewer may reach it; undefined where they may not, or may not even know of it. */
export const unlessRefused = async <Found>(asked: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof NotFound || error instanceof Forbidden) return undefined;
    throw error;
  }
};
