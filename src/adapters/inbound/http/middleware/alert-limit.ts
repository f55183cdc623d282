import { RateLimiterMemory } from 'rate-limiter-flexible';
import { TooManyRequests } from '../../../../domain/shared/domain-error.js';

const WINDOW_SECONDS = 60;

/** @param limit requests a minute for one integration; each process counts for itself. */
export const createAlertLimit = (limit: number | 'off'): ((integrationId: number) => Promise<void>) => {
  if (limit === 'off') return () => Promise.resolve();
  const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS });
  return async (integrationId) => {
    try {
      await limiter.consume(integrationId);
    } catch (error) {
      const { msBeforeNext } = error as { msBeforeNext?: number };
      if (msBeforeNext === undefined) throw error;
      throw new TooManyRequests(Math.ceil(msBeforeNext / 1000));
    }
  };
};
