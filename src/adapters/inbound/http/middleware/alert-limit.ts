import { limitPerMinute, type Counting } from './limit-per-minute.js';

/** @param limit requests a minute for one integration. */
export const createAlertLimit = (
  limit: number | 'off',
  counting: Counting,
): ((integrationId: number) => Promise<void>) => {
  const limitAlerts = limitPerMinute('alerts of', limit, counting);
  return (integrationId) => limitAlerts(String(integrationId));
};
