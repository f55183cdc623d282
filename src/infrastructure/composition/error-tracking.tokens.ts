import type { ErrorTracking } from '../../application/error-tracking/error-tracking.js';
import type { ErrorTrackingReader } from '../../application/error-tracking/ports/error-tracking-repository.js';
import type { MayReach } from '../../domain/shared/outbound-url.js';
import { token } from './token.js';

/** Where the errors of projects are tracked. */
export interface ErrorTrackingUseCases {
  readonly errorTracking: ErrorTracking;
  readonly errorTrackingReader: ErrorTrackingReader;
}

export const ERROR_TRACKING_TOKENS = {
  mayReach: token<MayReach>('MayReach'),
  errorTracking: token<ErrorTrackingUseCases>('ErrorTrackingUseCases'),
} as const;
