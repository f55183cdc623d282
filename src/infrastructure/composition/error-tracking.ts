import type { ErrorTracking } from '../../application/error-tracking/error-tracking.js';
import type { ErrorTrackingReader } from '../../application/error-tracking/ports/error-tracking-repository.js';

/** Where the errors of projects are tracked. */
export interface ErrorTrackingUseCases {
  readonly errorTracking: ErrorTracking;
  readonly errorTrackingReader: ErrorTrackingReader;
}
