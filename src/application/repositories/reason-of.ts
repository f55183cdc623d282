import { Unavailable } from '../../domain/shared/domain-error.js';

/** Why repositories are out of reach, or any other error, for the log alone: it may name folders of the machine. */
export const reasonOf = (error: unknown): string =>
  String(error instanceof Unavailable && error.cause !== undefined ? error.cause : error);
