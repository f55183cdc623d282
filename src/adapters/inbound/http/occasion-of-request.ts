import type { Request } from 'express';
import { ANONYMOUS } from '../../../application/shared/actor.js';
import type { Occasion } from '../../../application/shared/occasion.js';

const LONGEST_USER_AGENT = 255;

/** Before it is known who asks. */
export const occasionOf = (request: Request): Occasion => ({
  by: ANONYMOUS,
  clientAddress: request.ip ?? null,
  userAgent: request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT) ?? '',
});
